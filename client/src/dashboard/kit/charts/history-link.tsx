/** Links from a chart over time to the study's change history: coupons, incentives, sites. */
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useAbility } from '../../../session/session.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';

export function StudyHistoryLink() {
  const { t } = useDashboardText();
  if (!useAbility().can('read', 'AuditEvent')) return null;
  return (
    <Anchor component={Link} className="tall-link no-print" to="/desk/audit?subject=Study">
      {t('board.changesMeanwhile')}
    </Anchor>
  );
}
