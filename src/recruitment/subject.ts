import type { SubjectDeclaration } from '../rights/subject.ts';
import { LastAnswers } from './last-answers.ts';

export const recruitment: SubjectDeclaration = {
  tags: [{ name: 'Recruitment', description: 'How it goes: counts, chains, trees, alerts.' }],
  collections: [{ model: LastAnswers, ofItself: true }],
  routes: async () => (await import('./routes.ts')).recruitmentRoutes,
};
