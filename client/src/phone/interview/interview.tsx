/**
 * One interview on the screen. Only one window can have it open, and notices at once what another window does with
 * it.
 */
import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { THIS_TAB } from '../../device/editor.ts';
import { lockState } from '../../device/lock/lock.ts';
import { noStoreReason } from '../../device/store/open-store.ts';
import type { Draft } from '../../device/store/store.ts';
import { useLiveStoreQuery } from '../../device/store/use-live.ts';
import { claimDraft, findEditingTab } from '../../offline/drafts.ts';
import { unsealDraftByService } from '../../offline/seal-rows.ts';
import { loadQuestionnaireById } from '../../session/records.ts';
import { useUser } from '../../session/session.tsx';
import { preferredLanguages } from '../../texts/i18n.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import type { Questionnaire } from '../../wire.ts';
import { NoStoreNotice } from '../shell/no-store.tsx';
import { loadFormTexts } from './form/form-texts.ts';
import { startLanguageOf } from './form/survey-model.ts';
import { InterviewForm } from './interview-form.tsx';

type Opened =
  | { draft: Draft; questionnaire: Questionnaire }
  | 'gone'
  | 'sealed'
  | 'no-questions'
  | 'no-store';

export default function Interview() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const user = useUser();
  const [turn, setTurn] = useState(0);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [finishing, setFinishing] = useState(false);
  const editor = useLiveStoreQuery(`editor-${id}`, () => findEditingTab(id));

  // `turn` increases when the person takes the interview back into this tab.
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

  if (opened === null) return <Loader m="xl" role="status" aria-label={t('common.loading')} />;
  const again = () => setTurn(turn + 1);
  if (opened === 'no-store')
    return (
      <Page title={t('interview.title')} back="/">
        <NoStoreNotice why={noStoreReason.get() ?? 'closed'} onOpen={again} />
      </Page>
    );
  if (opened === 'sealed')
    return lockState.get().is === 'open' ? (
      <SealedUnderLock owner={user.id} />
    ) : (
      <InterviewEnded word={t('interview.sealed')} what={t('interview.sealedWhat')} />
    );
  if (typeof opened === 'string') return <InterviewEnded word={t(`interview.${opened}`)} />;
  if (!finishing && (editor === 'finished' || editor === 'discarded'))
    return <InterviewEnded word={t(`interview.${editor}`)} what={t(`interview.${editor}What`)} />;
  if (typeof editor === 'object' && editor.tab !== THIS_TAB && !finishing) {
    return (
      <Page title={t('interview.title')} back="/">
        <Notice tone="warn" live title={t('interview.elsewhere')}>
          {t('interview.elsewhereWhat')}
        </Notice>
        <Button onClick={again}>{t('interview.takeBack')}</Button>
      </Page>
    );
  }
  return (
    <InterviewForm
      key={turn}
      draft={opened.draft}
      questionnaire={opened.questionnaire}
      onFinishing={setFinishing}
    />
  );
}

/** For someone who signed in by text message, and thus has a new key. */
function SealedUnderLock({ owner }: { owner: string }) {
  const { t } = useTranslation();
  const { t: own } = useTranslation('lock');
  const navigate = useNavigate();
  const signIn = async () => {
    const { lockNow } = await import('../../device/lock/device-lock.ts');
    lockNow();
    // The PIN isn't forgotten; it is asked for after the code.
    lockState.set({ is: 'signing-in', owner, forgot: false, toOpen: true });
    void navigate('/sign-in', { replace: true });
  };
  return (
    <Page title={t('interview.title')} back="/">
      <Notice tone="info" live title={t('interview.sealed')}>
        {own('openAgain', { signIn: own('signIn') })}
      </Notice>
      <Button onClick={signIn}>{own('signIn')}</Button>
    </Page>
  );
}

function InterviewEnded({ word, what }: { word: string; what?: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Page title={t('interview.title')} back="/">
      <Notice tone="info" live title={word}>
        {what}
      </Notice>
      <Button onClick={() => navigate('/')}>{t('common.home')}</Button>
    </Page>
  );
}

async function open(owner: string, id: string): Promise<Opened> {
  try {
    let draft = await claimDraft(owner, id);
    // The service decrypts it for someone who just signed in.
    if (
      draft === 'sealed' &&
      (await unsealDraftByService(owner, id).then(
        () => true,
        () => false,
      ))
    )
      draft = await claimDraft(owner, id);
    if (!draft) return 'gone';
    if (draft === 'sealed') return draft;
    const questionnaire = await loadQuestionnaireById(draft.questionnaire).catch(() => null);
    if (!questionnaire) return 'no-questions';
    const language = startLanguageOf(questionnaire.definition, [draft.language, ...preferredLanguages()]);
    await loadFormTexts(language);
    return { draft: { ...draft, language }, questionnaire };
  } catch {
    return 'no-store';
  }
}
