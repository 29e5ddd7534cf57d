/** An interview under way. It opens from the device, with the questions it began with, and only in one tab at a time. */
import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { claimDraft, TAB } from '../device/drafts.ts';
import { type Draft, db } from '../device/store.ts';
import { useLive } from '../device/use-live.ts';
import { InterviewForm } from '../parts/interview-form.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { questionnaireById } from '../records.ts';
import { useUser } from '../session.tsx';
import type { Questionnaire } from '../wire.ts';

type Opened = { draft: Draft; questionnaire: Questionnaire } | 'gone' | 'no-questions';

export default function Interview() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const user = useUser();
  const navigate = useNavigate();
  const [turn, setTurn] = useState(0);
  const [opened, setOpened] = useState<Opened | null>(null);
  const editor = useLive(`editor-${id}`, async () => (await db.drafts.get(id))?.editor);

  // `turn` grows when the person takes the interview back into this tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    let current = true;
    setOpened(null);
    void open(user.id, id).then((result) => {
      if (current) setOpened(result);
    });
    return () => {
      current = false;
    };
  }, [user.id, id, turn]);

  if (opened === null) return <Loader m="xl" aria-label={t('common.loading')} />;
  if (opened === 'gone' || opened === 'no-questions') {
    return (
      <Page title={t('interview.title')} back="/">
        <Notice tone="info" live title={t(`interview.${opened}`)} />
        <Button onClick={() => navigate('/')}>{t('common.home')}</Button>
      </Page>
    );
  }
  if (editor && editor !== TAB) {
    return (
      <Page title={t('interview.title')} back="/">
        <Notice tone="warn" live title={t('interview.elsewhere')}>
          {t('interview.elsewhereWhat')}
        </Notice>
        <Button onClick={() => setTurn(turn + 1)}>{t('interview.takeBack')}</Button>
      </Page>
    );
  }
  return <InterviewForm key={turn} draft={opened.draft} questionnaire={opened.questionnaire} />;
}

async function open(owner: string, id: string): Promise<Opened> {
  const draft = await claimDraft(owner, id);
  if (!draft) return 'gone';
  const questionnaire = await questionnaireById(draft.questionnaire).catch(() => null);
  return questionnaire ? { draft, questionnaire } : 'no-questions';
}
