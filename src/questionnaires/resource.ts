import mongoose from 'mongoose';
import { violatedIndex } from '../platform/http/problems/errors.ts';
import type { ResourceDeclaration } from '../platform/rights/resource.ts';
import { type QuestionnaireRecord, Questionnaires } from './model.ts';
import { DEFAULT_QUESTIONNAIRE } from './shipped/default-questionnaire.ts';

export const questionnaires: ResourceDeclaration = {
  tags: [
    { name: 'Questionnaires', description: 'Questionnaires and their versions, one of which is active.' },
  ],
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

/** Stores the included questionnaire if there is none yet. */
async function prepareQuestionnaires(now: Date): Promise<void> {
  if (await Questionnaires.findOne({}, { _id: 1 }).lean()) return;
  try {
    await Questionnaires.collection.insertOne({
      _id: new mongoose.Types.ObjectId(),
      ...DEFAULT_QUESTIONNAIRE,
      version: 1,
      active: true,
      createdBy: null,
      createdAt: now,
      deletedAt: null,
    });
  } catch (error) {
    if (violatedIndex(error) === null) throw error; // another process was faster
  }
}
