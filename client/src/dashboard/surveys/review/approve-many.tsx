/**
 * Approves the selected interviews that are waiting for this person's review. Lists their findings first; can be
 * undone.
 */
import { useState } from 'react';
import { ifMatchHeader, request } from '../../../session/api.ts';
import { asPermissionSubject } from '../../../session/rights.ts';
import { useAbility } from '../../../session/session.tsx';
import { FormError, useSubmit } from '../../../ui/form.tsx';
import type { Survey, SurveyListItem } from '../../../wire.ts';
import { Dialog } from '../../kit/actions/dialog.tsx';
import { useSurroundingPageActions } from '../../kit/actions/use-actions.ts';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { type Finding, fetchFindings, useMayReadQualityFindings } from '../../quality/fetch-findings.ts';
import { surveyApiPath } from '../survey-paths.ts';
import { useInterviewLabel } from './dismiss-flags.tsx';

interface ApproveManyProps {
  surveys: SurveyListItem[];
  onStart(): void;
}

export function ApproveManySurveys({ surveys, onStart }: ApproveManyProps) {
  const { t, number } = useDashboardText();
  const ability = useAbility();
  const sees = useMayReadQualityFindings();
  const approveAll = useApproveAll();
  const [findings, setFindings] = useState<Finding[] | null>(null);
  const open = surveys.filter(
    (survey) =>
      survey.status === 'COMPLETED' &&
      survey.review.state === 'RECEIVED' &&
      ability.can('review', asPermissionSubject('Survey', survey)),
  );
  const approve = () => {
    onStart();
    void approveAll(open);
  };
  const { submit, busy, error } = useSubmit(async () => {
    const findings = sees ? await fetchFindings(open.map(({ id }) => id)) : [];
    if (findings.length > 0) setFindings(findings);
    else approve();
  });
  if (open.length === 0) return null;
  const label = t('review.approveMany', { shown: number(open.length) });
  return (
    <>
      <PlainButton label={label} variant="filled" loading={busy} onClick={() => submit()} />
      <FormError error={error} />
      {findings ? (
        <Dialog
          title={label}
          text={<FindingsNote findings={findings} surveys={open} />}
          yes={label}
          onYes={async () => approve()}
          onClose={() => setFindings(null)}
        />
      ) : null}
    </>
  );
}

/** How many interviews have findings, and which. */
function FindingsNote({ findings, surveys }: { findings: Finding[]; surveys: SurveyListItem[] }) {
  const { t, number } = useDashboardText();
  const nameOf = useInterviewLabel();
  const bySurvey = new Map<string, string[]>();
  for (const { survey, check } of findings)
    if (survey) bySurvey.set(survey, [...(bySurvey.get(survey) ?? []), t(`checks.${check}`)]);
  const suspect = surveys.filter(({ id }) => bySurvey.has(id));
  return (
    <>
      {t('review.suspects', { count: suspect.length, shown: number(suspect.length) })}
      <ul className="suspect-list">
        {suspect.map((survey) => (
          <li key={survey.id}>
            {nameOf(survey)}: {bySurvey.get(survey.id)?.join(t('common.comma'))}
          </li>
        ))}
      </ul>
    </>
  );
}

function useApproveAll(): (surveys: SurveyListItem[]) => Promise<void> {
  const { t } = useDashboardText();
  const { run } = useSurroundingPageActions();
  const name = useInterviewLabel();
  const undo = (approved: Survey[]) =>
    run<Survey, Survey>({
      items: approved,
      one: ({ id, version }) =>
        request('POST', `${surveyApiPath(id)}/review/undo`, { headers: ifMatchHeader(version) }),
      name,
      messageOf: (results) => t('review.undoneMany', { count: results.length }),
    });
  return (surveys) =>
    run<SurveyListItem, Survey>({
      items: surveys,
      one: ({ id, version }) =>
        request('POST', `${surveyApiPath(id)}/review`, {
          body: { state: 'APPROVED' },
          headers: ifMatchHeader(version),
        }),
      name,
      messageOf: (results) => t('review.approved', { count: results.length }),
      undo: (results) => () => void undo(results),
    });
}
