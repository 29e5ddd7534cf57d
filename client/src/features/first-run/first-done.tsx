/** The end of the first run: where volunteers sign up, and what can be done next. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AddressWarning, useStudyAddress } from '../../desk/public-address.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';

const WAYS = [
  { to: '/start', key: 'start', icon: 'walk' },
  { to: '/desk/people', key: 'people', icon: 'people' },
  { to: '/desk/questionnaires', key: 'questions', icon: 'question' },
  { to: '/desk/coupons', key: 'coupons', icon: 'ticket' },
  { to: '/desk/study', key: 'study', icon: 'settings' },
] as const;

export function FirstDone() {
  const { t: own } = useTranslation('first-run');
  const { url } = useStudyAddress();
  return (
    <>
      <Notice tone="info" title={own('signUp')}>
        <b className="desk-address">{url}/sign-up</b>
      </Notice>
      <AddressWarning />
      <Card>
        {WAYS.map(({ to, key, icon }) => (
          <Link key={key} className="row-link" to={to}>
            <Icon name={icon} />
            <span style={{ flex: 1 }}>
              <b>{own(`ways.${key}.title`)}</b>
              <br />
              <Text component="span" size="sm" c="dimmed">
                {own(`ways.${key}.what`)}
              </Text>
            </span>
            <Icon name="next" size={20} />
          </Link>
        ))}
      </Card>
    </>
  );
}
