/**
 * Records that are valid by default: `makeSurvey(world, person, { location })`. A test sets only the fields that matter
 * to it. `make…` uses the API, `insert…` writes directly into the database.
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import type { Person, World } from './people.ts';

/** Valid answers for the small questionnaire below. */
export const ANSWERS = { networkSize: 12, comment: 'none' };

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
  const known = questionnaires.get(world) ?? postQuestionnaire(world);
  questionnaires.set(world, known);
  return known;
}

async function postQuestionnaire(world: World): Promise<string> {
  const root = await world.person({ role: 'SUPER_ADMIN' });
  const { body } = await root.post('/api/questionnaires', SMALL_QUESTIONNAIRE).expect(201);
  await root.patch(`/api/questionnaires/${body.id}`, { active: true }).expect(200);
  await mongoose.connection.collection('users').deleteOne({ _id: new mongoose.Types.ObjectId(root.id) });
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

/** Writes a survey directly into the database, at any time and place; its id. No codes are issued. */
export async function insertSurvey(world: World, fields: SurveyFields): Promise<string> {
  const questionnaire = fields.questionnaire ?? (await smallQuestionnaire(world));
  const createdAt = fields.createdAt ?? world.clock.now();
  const status = fields.status ?? 'COMPLETED';
  const { insertedId } = await mongoose.connection.collection('surveys').insertOne({
    clientId: randomUUID(),
    requestHash: randomUUID().replaceAll('-', ''),
    referralCode: null,
    seed: oid(fields.seed),
    recruiter: oid(fields.recruiter),
    wave: fields.wave ?? null,
    issuedCodes: [],
    questionnaire: oid(questionnaire),
    responses: fields.responses ?? ANSWERS,
    networkSize: 12,
    status,
    flags: [],
    coordinates: null,
    location: oid(fields.location),
    createdBy: oid(fields.createdBy),
    startedAt: createdAt,
    completedAt: status === 'COMPLETED' ? createdAt : null,
    heldAt: createdAt,
    createdAt,
    updatedAt: createdAt,
    version: 1,
    deletedAt: fields.deletedAt ?? null,
  });
  return insertedId.toHexString();
}

const oid = (id: string | null | undefined) => (id ? new mongoose.Types.ObjectId(id) : null);
