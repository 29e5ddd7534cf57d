import type { SubjectDeclaration } from '../rights/subject.ts';

export const payments: SubjectDeclaration = {
  tags: [{ name: 'Incentives', description: 'What people are owed for interviews and recruits, paid once.' }],
  routes: async () => (await import('./routes.ts')).paymentRoutes,
};
