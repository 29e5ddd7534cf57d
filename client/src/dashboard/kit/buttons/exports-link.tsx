/** A link to the files for statistics, for people who may download them. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useReadsAll } from '../../../session/session.tsx';
import { useDeskText } from '../words/desk-text.ts';

export function ExportsLink() {
  const { t } = useDeskText();
  // Those files tell of everybody: a right to some of it opens none.
  if (!useReadsAll('Recruitment')) return null;
  return (
    <Button variant="default" component={Link} to="/desk/results/downloads">
      {t('lists.exports')}
    </Button>
  );
}
