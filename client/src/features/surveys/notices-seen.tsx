/** One kind of notice is taken off several interviews, with the reason that their histories keep. */
import { Button, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { formatCode } from '../../../../src/referral-codes/code.ts';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { Dialog } from '../../desk/dialog.tsx';
import { shortMomentOf } from '../../desk/moment.ts';
import type { Acts } from '../../desk/use-acts.ts';
import { asRecord } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import type { SurveyRow } from '../../wire.ts';
import { heldAt } from '../work/held-at.ts';
import { ReasonInput } from './reason-input.tsx';
import { BY_THEMSELVES, useFlagText } from './survey-flags.ts';

type Seen = (typeof BY_THEMSELVES)[number];

export function useInterviewName(): (survey: SurveyRow) => string {
  const { t, language } = useDeskText();
  return (survey) =>
    survey.referralCode
      ? t('lists.interviewOf', { code: formatCode(survey.referralCode) })
      : t('bulk.interviewAt', { at: shortMomentOf(heldAt(survey), language) });
}

interface NoticesSeenProps {
  surveys: SurveyRow[];
  acts: Acts;
  onStart(): void;
}

export function NoticesSeen({ surveys, acts, onStart }: NoticesSeenProps) {
  const { t } = useDeskText();
  const ability = useAbility();
  const [open, setOpen] = useState(false);
  const flagged = new Map<Seen, SurveyRow[]>(
    BY_THEMSELVES.flatMap((code) => {
      const having = surveys.filter(
        (survey) =>
          survey.flags.some((flag) => flag.code === code) &&
          ability.can('update', asRecord('Survey', survey)),
      );
      return having.length > 0 ? [[code, having]] : [];
    }),
  );
  if (flagged.size === 0) return null;
  return (
    <>
      <Button variant="default" size="sm" onClick={() => setOpen(true)}>
        {t('bulk.seen')}
      </Button>
      {open ? <Ask flagged={flagged} acts={acts} onStart={onStart} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

interface AskProps extends Omit<NoticesSeenProps, 'surveys'> {
  flagged: ReadonlyMap<Seen, SurveyRow[]>;
  onClose(): void;
}

function Ask({ flagged, acts, onStart, onClose }: AskProps) {
  const { t } = useDeskText();
  const flagText = useFlagText();
  const nameOf = useInterviewName();
  const [reason, setReason] = useState('');
  const [code, setCode] = useState<string>([...flagged.keys()][0] ?? '');
  const start = async () => {
    onStart();
    void acts.run<SurveyRow, unknown>({
      items: flagged.get(code as Seen) ?? [],
      one: ({ id }) => request('PATCH', `/api/surveys/${id}`, { body: { clearFlags: [code], reason } }),
      name: nameOf,
      said: (done) => t('bulk.seenDone', { count: done.length }),
    });
  };
  return (
    <Dialog
      title={t('bulk.seen')}
      text={t('bulk.seenWhat')}
      yes={t('bulk.seen')}
      disabled={reason.trim() === ''}
      onYes={start}
      onClose={onClose}
    >
      <Radio.Group mt="md" label={t('bulk.whichNotice')} value={code} onChange={setCode}>
        <Stack gap="xs" mt="xs">
          {[...flagged].map(([one, having]) => (
            <Radio key={one} size="md" value={one} label={`${flagText(one)} (${having.length})`} />
          ))}
        </Stack>
      </Radio.Group>
      <ReasonInput required value={reason} onChange={setReason} />
    </Dialog>
  );
}
