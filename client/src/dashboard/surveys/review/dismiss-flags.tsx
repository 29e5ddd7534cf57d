/** Dismisses one kind of flag on several interviews, with a reason for their histories. */
import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { formatCode } from '../../../../../src/coupons/referral-codes/code.ts';
import { interviewTimeOf } from '../../../phone/work/interview-date.ts';
import { ifMatchHeader, request } from '../../../session/api.ts';
import { asPermissionSubject } from '../../../session/rights.ts';
import { useAbility } from '../../../session/session.tsx';
import type { SurveyListItem } from '../../../wire.ts';
import { Dialog } from '../../kit/actions/dialog.tsx';
import { useSurroundingPageActions } from '../../kit/actions/use-actions.ts';
import { OpenButton } from '../../kit/buttons/open-button.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { SINGLE_SURVEY_FLAGS, useFlagText } from '../survey-flags.ts';
import { useReasonField } from '../use-reason-field.ts';

export function useInterviewLabel(): (survey: SurveyListItem) => string {
  const { t, shortMoment } = useDashboardText();
  return (survey) =>
    survey.referralCode
      ? t('lists.interviewOf', { code: formatCode(survey.referralCode) })
      : t('bulk.interviewAt', { at: shortMoment(interviewTimeOf(survey)) });
}

interface DismissFlagsProps {
  surveys: SurveyListItem[];
  onStart(): void;
}

export function DismissFlags({ surveys, onStart }: DismissFlagsProps) {
  const { t } = useDashboardText();
  const ability = useAbility();
  const flagged = new Map<string, SurveyListItem[]>(
    SINGLE_SURVEY_FLAGS.flatMap((code) => {
      const having = surveys.filter(
        (survey) =>
          survey.flags.some((flag) => flag.code === code) &&
          ability.can('update', asPermissionSubject('Survey', survey)),
      );
      return having.length > 0 ? [[code, having]] : [];
    }),
  );
  return flagged.size > 0 ? (
    <OpenButton variant="default" size="sm" label={t('bulk.seen')}>
      {(close) => <Ask flagged={flagged} onStart={onStart} onClose={close} />}
    </OpenButton>
  ) : null;
}

interface AskProps {
  flagged: ReadonlyMap<string, SurveyListItem[]>;
  onStart(): void;
  onClose(): void;
}

function Ask({ flagged, onStart, onClose }: AskProps) {
  const { t } = useDashboardText();
  const { run } = useSurroundingPageActions();
  const flagText = useFlagText();
  const nameOf = useInterviewLabel();
  const [code, setCode] = useState<string>([...flagged.keys()][0] ?? '');
  const start = async (reason: string) => {
    onStart();
    void run<SurveyListItem, unknown>({
      items: flagged.get(code) ?? [],
      // Fails if a flag was added since.
      one: ({ id, version }) =>
        request('PATCH', `/api/surveys/${id}`, {
          body: { clearFlags: [code], reason },
          headers: ifMatchHeader(version),
        }),
      name: nameOf,
      messageOf: (results) => t('bulk.seenDone', { count: results.length }),
    });
  };
  return (
    <Dialog
      title={t('bulk.seen')}
      text={t('bulk.seenWhat')}
      yes={t('bulk.seen')}
      reason={useReasonField()}
      onYes={start}
      onClose={onClose}
    >
      <Radio.Group mt="md" label={t('bulk.whichNotice')} value={code} onChange={setCode}>
        <Stack gap="xs" mt="xs">
          {[...flagged].map(([one, having]) => (
            <Radio
              key={one}
              size="md"
              value={one}
              label={`${flagText(one as (typeof SINGLE_SURVEY_FLAGS)[number])} (${having.length})`}
            />
          ))}
        </Stack>
      </Radio.Group>
    </Dialog>
  );
}
