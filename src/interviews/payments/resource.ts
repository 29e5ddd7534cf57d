import type { ResourceDeclaration } from '../../platform/rights/resource.ts';

export const payments: ResourceDeclaration = {
  tags: [{ name: 'Incentives', description: 'What people are owed for interviews and recruits, paid once.' }],
  routes: async () => (await import('./routes.ts')).paymentRoutes,
};
