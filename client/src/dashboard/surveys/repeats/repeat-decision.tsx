/** Two interviews that may be with the same person: a reviewer decides which ones count. */
import { Group } from '@mantine/core';
import { useState } from 'react';
import { ifMatchHeader, request } from '../../../session/api.ts';
import { asPermissionSubject } from '../../../session/rights.ts';
import { useAbility } from '../../../session/session.tsx';
import type { Survey } from '../../../wire.ts';
import { Dialog } from '../../kit/actions/dialog.tsx';
import { useToast } from '../../kit/actions/use-actions.ts';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { refetchDashboard, refreshAndThrow } from '../../kit/data/use-list.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { RejectionIncentives } from '../../payments/rejection-incentives.tsx';
import { surveyApiPath } from '../survey-paths.ts';

const DECISIONS = ['keepEarlier', 'keepThis', 'different', 'unsure'] as const;
type Decision = (typeof DECISIONS)[number];

/** The service's limits for a review comment and a reason. */
const MAX_LENGTHS = { comment: 2_000, reason: 400 };

interface RepeatDecisionProps {
  survey: Survey;
  /** The earlier interview; null if this person may not read it. */
  first: Survey | null;
}

export function RepeatDecision({ survey, first }: RepeatDecisionProps) {
  const { t } = useDashboardText();
  const ability = useAbility();
  const toast = useToast();
  const [asking, setAsking] = useState<Decision | null>(null);
  const may = (action: 'review' | 'update', one: Survey) =>
    ability.can(action, asPermissionSubject('Survey', one));
  const mayClear = may('review', survey) && may('update', survey);
  const offered: Record<Decision, boolean> = {
    keepEarlier: may('review', survey),
    keepThis: mayClear && first !== null && may('review', first),
    different: mayClear,
    unsure: mayClear,
  };
  const reject = (one: Survey, comment: string) =>
    request<Survey>('POST', `${surveyApiPath(one.id)}/review`, {
      body: { state: 'REJECTED', comment },
      headers: ifMatchHeader(one.version),
    });
  const store = async (decision: Decision, why: string) => {
    let { version } = survey;
    if (decision === 'keepEarlier') ({ version } = await reject(survey, why));
    if (decision === 'keepThis' && first) await reject(first, why);
    if (mayClear) {
      const inWords = t(`repeats.${decision}`);
      const reason = decision === 'different' && why ? `${inWords}: ${why}` : inWords;
      const body = { clearFlags: ['POSSIBLE_REPEAT'], reason };
      // Fails if another match was found since.
      await request('PATCH', surveyApiPath(survey.id), { body, headers: ifMatchHeader(version) });
    }
  };
  const decide = async (decision: Decision, why: string) => {
    await store(decision, why).catch(refreshAndThrow);
    toast(t(`repeats.said.${decision}`));
    void refetchDashboard();
  };
  const reasonOf: Record<Decision, { what: string; required: boolean; most: number } | undefined> = {
    keepEarlier: { what: t('repeats.commentWhat'), required: true, most: MAX_LENGTHS.comment },
    keepThis: { what: t('repeats.commentWhat'), required: true, most: MAX_LENGTHS.comment },
    different: { what: t('surveys.reasonChoice'), required: false, most: MAX_LENGTHS.reason },
    unsure: undefined,
  };
  return (
    <>
      <Group gap="sm" mt="md">
        {DECISIONS.filter((one) => offered[one]).map((one) => (
          <PlainButton key={one} label={t(`repeats.${one}`)} size="md" onClick={() => setAsking(one)} />
        ))}
      </Group>
      {asking ? (
        <Dialog
          title={t(`repeats.${asking}`)}
          text={
            <>
              {t(`repeats.what.${asking}`)}
              {asking === 'keepEarlier' ? <RejectionIncentives survey={survey} /> : null}
              {asking === 'keepThis' && first ? <RejectionIncentives survey={first} /> : null}
            </>
          }
          yes={t('repeats.decide')}
          reason={reasonOf[asking]}
          onYes={(why) => decide(asking, why)}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </>
  );
}
