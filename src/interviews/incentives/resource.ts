import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { type IncentiveRecord, Incentives } from './model.ts';

/** The routes are in src/payments/, since rights on an incentive depend on its interview. */
export const incentives: ResourceDeclaration = {
  collections: [
    {
      model: Incentives,
      // A payer's clientId belongs to one incentive.
      unique: { incentive_once: null, payment_once: 'EDIT_CONFLICT' },
      guardsChanges: true,
      auditLabel: {
        fields: [
          ...['amount', 'currency', 'site', 'state', 'location', 'paidBy', 'recordedAt', 'createdAt'],
          'survey',
        ],
        toName: ({ amount, currency, site, survey }: IncentiveRecord) => ({
          name: `${amount} ${currency}`,
          location: site,
          interview: survey,
        }),
      },
    },
  ],
};
