/** How correcting an interview's site affects the money: what is owed moves along, what was paid stays. */
import { withQuery } from '../../session/api.ts';
import { everPays } from '../../session/incentives.ts';
import { useStudy } from '../../session/records.ts';
import { asPermissionSubject, readsAll } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import { sumOfAmounts } from '../../texts/money.ts';
import { FormError } from '../../ui/form.tsx';
import type { Incentive, ListOf, Survey } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { usePaymentsText } from './payments-text.ts';

/** Renders list items. */
export function IncentivesAfterSiteChange({ survey }: { survey: Survey }) {
  const { t, money } = usePaymentsText();
  const ability = useAbility();
  const pays = everPays(useStudy());
  const sees = readsAll(ability, 'Incentive') || ability.can('update', asPermissionSubject('Survey', survey));
  const path = withQuery('/api/incentives', { survey: survey.id, sort: 'createdAt', limit: '200' });
  const query = useGet<ListOf<Incentive>>(path, { enabled: pays && sees, keepPrevious: false });
  const total = (state: Incentive['state']) => {
    const some = query.data?.data.filter((one) => one.state === state) ?? [];
    return some[0] ? money({ amount: sumOfAmounts(some), currency: some[0].currency }) : null;
  };
  if (!pays) return null;
  const [due, paid] = [total('DUE'), total('PAID')];
  return (
    <>
      {query.error ? (
        <li>
          <FormError error={query.error} />
        </li>
      ) : null}
      {due ? <li>{t('move.due', { amount: due })}</li> : null}
      {paid ? <li>{t('move.paid', { amount: paid })}</li> : null}
      {sees ? null : <li>{t('move.hidden')}</li>}
    </>
  );
}
