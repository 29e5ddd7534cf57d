/**
 * Every value that a questionnaire calculated used to be an outcome, even one that an admin had added to find out a few
 * people's answers. Calculated values of versions that a super-admin or a command stored remain outcomes, and the
 * study's own outcomes may use them. The others are outcomes only once a super-admin names them.
 */
import type { mongo } from 'mongoose';
import { formulaTextsByName } from '../../lib/text/formula-texts.ts';
import { hashFormulas } from '../../lib/text/formulas.ts';
import type { Migration } from '../migrate.ts';

const MAX_OUTCOMES = 50;
const NAME = /^(?!\$)[^.\s\0](?:[^.\0]{0,98}[^.\s\0])?$/;

interface Outcome {
  name: string;
}

export const approvedFormulasMigration: Migration = {
  name: '2026-11-28-approve-formulas',
  run: async ({ db }) => {
    const open = { approvedFormulas: { $exists: false } };
    const study = await db.collection('studies').findOne(open);
    if (!study) return;
    const outcomes: Outcome[] = Array.isArray(study.outcomes) ? study.outcomes : [];
    const usedNames = new Set(outcomes.map(({ name }) => name.toLowerCase()));
    const approved = new Map<string, { name: string; hash: string }>();
    for await (const definition of trustedDefinitions(db)) {
      for (const [name, hash] of hashFormulas(definition)) approved.set(`${hash} ${name}`, { name, hash });
      for (const [key, { name, isStored }] of formulaTextsByName(definition)) {
        if (!isStored || usedNames.has(key) || outcomes.length >= MAX_OUTCOMES || !NAME.test(name)) continue;
        usedNames.add(key);
        outcomes.push({ name, fromQuestionnaire: true } as Outcome);
      }
    }
    await db
      .collection('studies')
      .updateOne(
        { _id: study._id, ...open },
        { $set: { outcomes, approvedFormulas: [...approved.values()] } },
      );
  },
};

async function* trustedDefinitions(db: mongo.Db): AsyncGenerator<object> {
  const questionnaires = db
    .collection('questionnaires')
    .find({}, { projection: { definition: 1, createdBy: 1 }, sort: { _id: 1 } });
  for await (const { definition, createdBy } of questionnaires) {
    const by = createdBy ? await db.collection('users').findOne({ _id: createdBy }) : null;
    if (definition && (!createdBy || by?.role === 'SUPER_ADMIN')) yield definition as object;
  }
}
