/**
 * Records that are valid by default: `makeSurvey(world, person, { location })`. A test sets only the fields that matter
 * to it. `make…` uses the API, `insert…` writes directly into the database.
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { SurveyModel, type SurveyRecord } from '../src/interviews/surveys/model.ts';
import { FIRST_ROUND_ID } from '../src/study/rounds/model.ts';
import type { Person, World } from './people.ts';

const { ObjectId } = mongoose.Types;

/** Valid answers for the small questionnaire below. */
export const ANSWERS = { networkSize: 12, comment: 'none' };

/** Of a new questionnaire; `text` is not finished. */
export const makeDraft = () => ({
  name: 'Draft',
  text: '{"pages":[{"name":',
  networkSizeQuestion: '',
  takesPartIf: '',
  identityQuestions: [] as string[],
});

/** One number and one text: enough for the statistics, quick to validate. */
export const SMALL_QUESTIONNAIRE = {
  name: 'Small test questionnaire',
  definition: {
    pages: [
      {
        name: 'all',
        elements: [
          {
            type: 'text',
            name: 'networkSize',
            title: 'How many people do you know?',
            inputType: 'number',
            min: 0,
            isRequired: true,
          },
          { type: 'text', name: 'comment', title: 'Anything else?' },
        ],
      },
    ],
  },
  networkSizeQuestion: 'networkSize',
};

const questionnaires = new WeakMap<World, Promise<string>>();

/** The world's active questionnaire, posted once by a super-admin; its id. */
export function smallQuestionnaire(world: World): Promise<string> {
  const creation = questionnaires.get(world) ?? postQuestionnaire(world);
  questionnaires.set(world, creation);
  return creation;
}

async function postQuestionnaire(world: World): Promise<string> {
  const root = await world.person({ role: 'SUPER_ADMIN' });
  // On a busy machine the validator's process may start too slowly, which is 503.
  let answer = await root.post('/api/questionnaires', SMALL_QUESTIONNAIRE);
  for (let tries = 0; answer.status === 503 && tries < 5; tries++)
    answer = await root.post('/api/questionnaires', SMALL_QUESTIONNAIRE);
  const { body, status } = answer;
  if (status !== 201) throw new Error(`the questionnaire was refused: ${status} ${JSON.stringify(body)}`);
  // Older than any interview of a test: one that began before it would have a wrong clock.
  const createdAt = new Date('2018-01-01T12:00:00Z');
  await mongoose.connection
    .collection('questionnaires')
    .updateOne({ _id: new ObjectId(body.id) }, { $set: { createdAt } });
  await root.patch(`/api/questionnaires/${body.id}`, { active: true, confirm: true }).expect(200);
  await mongoose.connection.collection('users').deleteOne({ _id: new ObjectId(root.id) });
  return body.id;
}

// biome-ignore lint/suspicious/noExplicitAny: replies are read as the tests please
export type Body = any;

/** Creates a completed survey through the API; the response's body. Fails the test if it is rejected. */
export async function makeSurvey(
  world: World,
  person: Person,
  fields: Record<string, unknown> = {},
): Promise<Body> {
  await smallQuestionnaire(world);
  const location = fields.location ?? (await world.place());
  const { body, status } = await person.post('/api/surveys', { responses: ANSWERS, ...fields, location });
  if (status !== 201) throw new Error(`a survey was refused: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** A seed through the API; `referralCode` is its coupon. */
export async function makeSeed(
  world: World,
  person: Person,
  fields: Record<string, unknown> = {},
): Promise<Body> {
  const location = fields.location ?? (await world.place());
  const { body, status } = await person.post('/api/seeds', { ...fields, location });
  if (status !== 201) throw new Error(`a seed was refused: ${status} ${JSON.stringify(body)}`);
  return body;
}

export interface SurveyFields {
  createdBy: string;
  location: string;
  createdAt?: Date;
  deletedAt?: Date | null;
  status?: 'IN_PROGRESS' | 'COMPLETED';
  responses?: Record<string, unknown>;
  questionnaire?: string;
  seed?: string | null;
  recruiter?: string | null;
  wave?: number | null;
}

/** A completed interview as it is stored. */
export const surveyRecord = (fields: Partial<SurveyRecord>, at: Date): SurveyRecord => ({
  _id: new ObjectId(),
  clientId: randomUUID(),
  requestHash: randomUUID(),
  referralCode: null,
  seed: null,
  recruiter: null,
  wave: null,
  issuedCodes: [],
  questionnaire: new ObjectId(),
  responses: ANSWERS,
  networkSize: 12,
  status: 'COMPLETED',
  flags: [],
  coordinates: null,
  location: new ObjectId(),
  round: FIRST_ROUND_ID,
  createdBy: new ObjectId(),
  startedAt: at,
  completedAt: at,
  heldAt: at,
  createdAt: at,
  updatedAt: at,
  version: 1,
  deletedAt: null,
  ...fields,
});

/** Writes a survey directly into the database, at any time and place; its id. No codes are issued. */
export async function insertSurvey(world: World, fields: SurveyFields): Promise<string> {
  const { createdAt = world.clock.now(), status = 'COMPLETED', wave = null, deletedAt = null } = fields;
  const record = surveyRecord(
    {
      seed: oid(fields.seed),
      recruiter: oid(fields.recruiter),
      wave,
      questionnaire: new ObjectId(fields.questionnaire ?? (await smallQuestionnaire(world))),
      responses: fields.responses ?? ANSWERS,
      status,
      location: new ObjectId(fields.location),
      createdBy: new ObjectId(fields.createdBy),
      completedAt: status === 'COMPLETED' ? createdAt : null,
      deletedAt,
    },
    createdAt,
  );
  await SurveyModel.collection.insertOne(record);
  return record._id.toHexString();
}

const oid = (id: string | null | undefined) => (id ? new ObjectId(id) : null);
