import type { SubjectDeclaration } from '../rights/subject.ts';
import { Users } from './model.ts';

export const users: SubjectDeclaration = {
  tags: [{ name: 'Users', description: 'Approving accounts, their roles and sites.' }],
  collections: [{ model: Users, unique: { phone_live: 'PHONE_TAKEN' } }],
  routes: async () => (await import('./routes.ts')).userRoutes,
};
