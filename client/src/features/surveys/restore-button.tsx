/** Restores a deleted interview and opens it. */

import { useNavigate } from 'react-router';
import { request } from '../../api.ts';
import { DeskButton } from '../../desk/desk-button.tsx';
import { useDeskText } from '../../desk/desk-text.ts';
import { refreshDesk } from '../../desk/use-list.tsx';
import { keys } from '../../query-keys.ts';
import { queriesNow } from '../../records.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';

export function RestoreButton({ id, about }: { id: string; about?: string }) {
  const { t } = useDeskText();
  const navigate = useNavigate();
  const { submit, busy, error } = useSubmit(async () => {
    await request('POST', `/api/surveys/${id}/restore`);
    void refreshDesk();
    void queriesNow().invalidateQueries({ queryKey: keys.allSurveys });
    await navigate(`/desk/surveys/${id}`);
    return 'left';
  });
  return (
    <div>
      <DeskButton label={t('surveys.restore')} loading={busy} about={about} onClick={() => submit()} />
      <FormError error={error} />
    </div>
  );
}
