/** A link to the files for statistics, for people who may download them. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useReadsAll } from '../../../session/session.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';

export function ExportsLink() {
  const { t } = useDashboardText();
  // These files contain every site's data, so access to one site is not enough.
  if (!useReadsAll('Recruitment')) return null;
  return (
    <Button variant="default" component={Link} to="/desk/results/downloads">
      {t('lists.exports')}
    </Button>
  );
}
