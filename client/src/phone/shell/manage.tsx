/** On a phone, the list of dashboard pages. */
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../../ui/icon.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { AllowedScreensContext } from './open-screens.ts';
import { usePendingUserCount, WaitingPeopleBadge } from './waiting-people.tsx';

export default function DashboardMenu() {
  const { t } = useTranslation();
  const screens = useContext(AllowedScreensContext);
  const waiting = usePendingUserCount();
  const sections = (['run', 'setup'] as const).filter((one) =>
    screens.some(({ nav }) => nav?.section === one),
  );
  return (
    <Page title={t('nav.dashboard')}>
      {sections.map((section) => (
        <Card key={section} label={t(section === 'run' ? 'nav.dashboard' : 'nav.setup')}>
          {screens.map(({ path, nav }) =>
            nav?.section === section ? (
              <Link key={path} className="row-link" to={path}>
                <Icon name={nav.icon} />
                <span style={{ flex: 1, fontWeight: 600 }}>{t(`nav.to.${nav.label}`)}</span>
                {nav.label === 'approvals' ? <WaitingPeopleBadge count={waiting} /> : null}
                <Icon name="next" size={20} />
              </Link>
            ) : null,
          )}
        </Card>
      ))}
    </Page>
  );
}
