import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { type CashDayRecord, CashDays } from './model.ts';

export const cashDays: ResourceDeclaration = {
  tags: [{ name: 'Cash', description: 'Cash boxes of sites: what was counted at the end of each day.' }],
  collections: [
    {
      model: CashDays,
      unique: { cash_day_once: 'DAY_CLOSED' },
      guardsChanges: true,
      auditLabel: {
        fields: ['day', 'location'],
        toName: ({ day, location }: CashDayRecord) => ({ name: day, location }),
      },
    },
  ],
  routes: async () => (await import('./routes.ts')).cashDayRoutes,
};
