/** How rejecting an interview affects the money: which incentives it cancels, and what was already paid. */
import { Text } from '@mantine/core';
import { withQuery } from '../../session/api.ts';
import { everPays } from '../../session/incentives.ts';
import { useStudy } from '../../session/records.ts';
import { asPermissionSubject, readsAll } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import { FormError } from '../../ui/form.tsx';
import type { Incentive, ListOf, Survey } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { usePaymentsText } from './payments-text.ts';

const pathOf = (survey: string) => withQuery('/api/incentives', { survey, sort: 'createdAt', limit: '200' });

export function RejectionIncentives({ survey }: { survey: Survey }) {
  const { t, money } = usePaymentsText();
  const ability = useAbility();
  const { recruiter } = survey;
  const pays = everPays(useStudy()) && survey.takesPart !== false;
  const readsEvery = readsAll(ability, 'Incentive');
  const seesOwn = pays && (readsEvery || ability.can('update', asPermissionSubject('Survey', survey)));
  const own = useGet<ListOf<Incentive>>(pathOf(survey.id), { enabled: seesOwn, keepPrevious: false });
  const above = useGet<ListOf<Incentive>>(pathOf(recruiter ?? ''), {
    enabled: pays && recruiter !== null,
    keepPrevious: false,
  });
  if (!pays) return null;
  const interview = own.data?.data.find(({ kind }) => kind === 'INTERVIEW');
  const recruit = above.data?.data.find((one) => one.recruit === survey.id);
  const line = (incentive: Incentive | undefined, whose: 'person' | 'recruiter') =>
    incentive && incentive.state !== 'WITHDRAWN' ? (
      <li>{t(`reject.${whose}.${incentive.state}`, { amount: money(incentive) })}</li>
    ) : null;
  const isHidden = !seesOwn || (recruiter !== null && !recruit && !readsEvery);
  return (
    <>
      <FormError error={own.error ?? above.error} />
      <Text component="ul" mt="xs" className="reject-money">
        {line(interview, 'person')}
        {line(recruit, 'recruiter')}
        {isHidden ? <li>{t('reject.hidden')}</li> : null}
      </Text>
    </>
  );
}
