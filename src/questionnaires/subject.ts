import type { SubjectDeclaration } from '../rights/subject.ts';
import { type QuestionnaireRecord, Questionnaires } from './model.ts';
import { prepareQuestionnaires } from './prepare.ts';

export const questionnaires: SubjectDeclaration = {
  tags: [{ name: 'Questionnaires', description: 'The questions, in versions; one is active.' }],
  collections: [
    {
      model: Questionnaires,
      unique: { version_once: null, one_active: null },
      // Each change of one leaves an event behind.
      isCreatedByService: true,
      auditLabel: {
        fields: ['name', 'version'],
        toName: ({ name, version }: QuestionnaireRecord) => ({ name: `${name} ${version}` }),
      },
    },
  ],
  routes: async () => (await import('./routes.ts')).questionnaireRoutes,
  prepare: prepareQuestionnaires,
};
