/** What an interview's respondent is owed and was paid. */
import { Text } from '@mantine/core';
import { Link } from 'react-router';
import { withQuery } from '../../session/api.ts';
import { everPays } from '../../session/incentives.ts';
import { useStudy } from '../../session/records.ts';
import { asPermissionSubject, readsAll } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import { FormError } from '../../ui/form.tsx';
import { Tag } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { Flag, Incentive, ListOf, Survey } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { usePersonName } from '../people/person-names.ts';
import { PaymentActions } from './payment-actions.tsx';
import { STATE_TONES, usePaymentsText } from './payments-text.ts';

/** Only for people who may see all of it: a partial list would look complete. */
export function SurveyPayments({ survey }: { survey: Survey }) {
  const { t, word, money, moment } = usePaymentsText();
  const ability = useAbility();
  const pays = everPays(useStudy());
  const mayUpdate = ability.can('update', asPermissionSubject('Survey', survey));
  const nameOf = usePersonName();
  const enabled = pays && (readsAll(ability, 'Incentive') || mayUpdate);
  const path = withQuery('/api/incentives', { survey: survey.id, sort: 'createdAt', limit: '200' });
  const query = useGet<ListOf<Incentive>>(path, { enabled });
  const kind = ({ kind: of, recruit }: Incentive) =>
    recruit ? <Link to={`/desk/surveys/${recruit}`}>{word(of)}</Link> : word(of);
  /** "Cash, Ana Field, Nov 25", or why it was canceled. */
  const how = ({ state, method, reference, paidBy, paidAt, reason }: Incentive) =>
    state === 'PAID'
      ? [word(method), reference, nameOf(paidBy), paidAt && moment(paidAt)].filter(Boolean).join(', ')
      : (reason ?? '');
  if (!enabled) return null;
  return (
    <Card heading={t('card.title')}>
      <FormError error={query.error} />
      {query.data?.data.length === 0 ? <Text c="dimmed">{t('card.none')}</Text> : null}
      <ul className="pay-list">
        {(query.data?.data ?? []).map((incentive) => (
          <li key={incentive.id}>
            <span>
              <b>{money(incentive)}</b> {kind(incentive)}{' '}
              <Tag tone={STATE_TONES[incentive.state]}>{word(incentive.state)}</Tag>
              <Text size="sm" c="dimmed" component="span" display="block">
                {how(incentive)}
              </Text>
            </span>
            <PaymentActions incentive={incentive} mayPay={mayUpdate} claim={survey.referralCode} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** For a flag: what was handed over although nothing was due. */
export function useIncentiveNotDueText(): (flag: Flag) => string | null {
  const { word } = usePaymentsText();
  return ({ code, method, reference }) =>
    code === 'INCENTIVE_NOT_DUE' && method ? [word(method), reference].filter(Boolean).join(', ') : null;
}
