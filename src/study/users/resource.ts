import { fullName } from '../../platform/lib/text/full-name.ts';
import type { ResourceDeclaration } from '../../platform/rights/resource.ts';
import { type UserRecord, Users } from './model.ts';

export const users: ResourceDeclaration = {
  tags: [{ name: 'Users', description: 'Approving accounts, their roles and sites.' }],
  collections: [
    {
      model: Users,
      unique: { phone_live: 'PHONE_TAKEN' },
      auditLabel: {
        fields: ['firstName', 'lastName', 'role', 'location', 'createdAt', 'createdBy'],
        toName: (user: UserRecord) => ({ name: fullName(user) }),
      },
    },
  ],
  routes: async () => (await import('./routes.ts')).userRoutes,
};
