/** What the person of one interview is owed and was paid. */
import { Link } from 'react-router';
import type { Column } from '../../desk/columns.tsx';
import { List } from '../../desk/list.tsx';
import { everPays } from '../../incentives.ts';
import { useStudy } from '../../records.ts';
import { asRecord, readsAll } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { Tag } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { Flag, Incentive, Survey } from '../../wire.ts';
import { usePersonName } from '../people/person-names.ts';
import { PaymentActs } from './payment-acts.tsx';
import { STATE_TONES, usePaymentsText } from './payments-text.ts';

/** Others would be shown only a part, as if nothing else were owed. */
export function SurveyPayments({ survey }: { survey: Survey }) {
  const { t, word, money } = usePaymentsText();
  const ability = useAbility();
  const pays = everPays(useStudy());
  const mayUpdate = ability.can('update', asRecord('Survey', survey));
  const columns = useColumns();
  if (!pays || !(readsAll(ability, 'Incentive') || mayUpdate)) return null;
  return (
    <Card heading={t('card.title')}>
      <List<Incentive>
        name="incentives"
        label={t('card.title')}
        minimal
        path="/api/incentives"
        query={{ survey: survey.id, sort: 'createdAt' }}
        noTotal
        subject="Incentive"
        columns={columns}
        rowName={(incentive) => `${word(incentive.kind)}, ${money(incentive)}`}
        rowEnd={(incentive) => (
          <PaymentActs incentive={incentive} mayPay={mayUpdate} claim={survey.referralCode} />
        )}
        empty={t('card.none')}
      />
    </Card>
  );
}

function useColumns(): Column<Incentive>[] {
  const { t, word, money, moment } = usePaymentsText();
  const nameOf = usePersonName();
  const kind = (incentive: Incentive) =>
    incentive.recruit ? (
      <Link to={`/desk/surveys/${incentive.recruit}`}>{word(incentive.kind)}</Link>
    ) : (
      word(incentive.kind)
    );
  /** "Cash, by Ana Field, Nov 25"; or why it is withdrawn. */
  const how = ({ state, method, reference, paidBy, paidAt, reason }: Incentive) =>
    state === 'PAID'
      ? [word(method), reference, nameOf(paidBy), paidAt && moment(paidAt)].filter(Boolean).join(', ')
      : (reason ?? '');
  return [
    { field: 'kind', cell: kind },
    { field: 'amount', cell: money, numeric: true, oneLine: true },
    { field: 'state', cell: ({ state }) => <Tag tone={STATE_TONES[state]}>{word(state)}</Tag> },
    { head: t('card.how'), cell: how, roomy: true },
  ];
}

/** Of a flag: what was handed over although nothing was due. */
export function useHandedOverText(): (flag: Flag) => string | null {
  const { word } = usePaymentsText();
  return ({ code, method, reference }) =>
    code === 'INCENTIVE_NOT_DUE' && method ? [word(method), reference].filter(Boolean).join(', ') : null;
}
