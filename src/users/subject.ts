import type { SubjectDeclaration } from '../rights/subject.ts';
import { type UserRecord, Users } from './model.ts';

export const users: SubjectDeclaration = {
  tags: [{ name: 'Users', description: 'Approving accounts, their roles and sites.' }],
  collections: [
    {
      model: Users,
      unique: { phone_live: 'PHONE_TAKEN' },
      auditLabel: {
        fields: ['firstName', 'lastName', 'role', 'location', 'createdAt', 'createdBy'],
        toName: ({ firstName, lastName }: UserRecord) => ({ name: `${firstName} ${lastName}` }),
      },
    },
  ],
  routes: async () => (await import('./routes.ts')).userRoutes,
};
