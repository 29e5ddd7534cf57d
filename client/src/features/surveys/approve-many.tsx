/** Approves those of the selected interviews that wait for this person's review. */
import { Button } from '@mantine/core';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { useActs } from '../../desk/use-acts.ts';
import { asRecord } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import type { SurveyRow } from '../../wire.ts';
import { useInterviewName } from './notices-seen.tsx';

interface ApproveManyProps {
  surveys: SurveyRow[];
  onStart(): void;
}

export function ApproveMany({ surveys, onStart }: ApproveManyProps) {
  const { t, number } = useDeskText();
  const { run } = useActs();
  const ability = useAbility();
  const nameOf = useInterviewName();
  const open = surveys.filter(
    (survey) =>
      survey.status === 'COMPLETED' &&
      survey.review.state !== 'APPROVED' &&
      ability.can('review', asRecord('Survey', survey)),
  );
  if (open.length === 0) return null;
  const approve = () => {
    onStart();
    void run<SurveyRow, unknown>({
      items: open,
      one: ({ id, version }) =>
        request('POST', `/api/surveys/${id}/review`, {
          body: { state: 'APPROVED' },
          headers: { 'If-Match': `"${version}"` },
        }),
      name: nameOf,
      said: (done) => t('review.approved', { count: done.length }),
    });
  };
  return (
    <Button size="sm" onClick={approve}>
      {t('review.approveMany', { shown: number(open.length) })}
    </Button>
  );
}
