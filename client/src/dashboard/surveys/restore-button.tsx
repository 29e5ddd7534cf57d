/** Restores a deleted interview and opens it. */

import { useNavigate } from 'react-router';
import { request } from '../../session/api.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { currentQueryClient } from '../../session/records.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { refetchDashboard } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

export function RestoreSurveyButton({ id, about }: { id: string; about?: string }) {
  const { t } = useDashboardText();
  const navigate = useNavigate();
  const { submit, busy, error } = useSubmit(async () => {
    await request('POST', `/api/surveys/${id}/restore`);
    void refetchDashboard();
    void currentQueryClient().invalidateQueries({ queryKey: queryKeys.allSurveys });
    await navigate(`/desk/surveys/${id}`);
    return 'left';
  });
  return (
    <div>
      <PlainButton label={t('surveys.restore')} loading={busy} recordName={about} onClick={() => submit()} />
      <FormError error={error} />
    </div>
  );
}
