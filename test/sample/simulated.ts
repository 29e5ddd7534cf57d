/** A simulated sample as interviews: people recruit each other, and answers depend on the recruiter's. */
import { createHash } from 'node:crypto';
import mongoose from 'mongoose';
import type { SurveyRecord } from '../../src/interviews/surveys/model.ts';
import { type Random, randomStream } from '../../src/statistics/estimators/draws/random.ts';
import { surveyRecord } from '../make.ts';
import { type Person, startWorld, type World } from '../people.ts';

const { ObjectId } = mongoose.Types;

export const QUESTIONNAIRE = {
  name: 'Questionnaire of the simulated sample',
  networkSizeQuestion: 'networkSize',
  definition: {
    calculatedValues: [{ name: 'isYoung', expression: '{score} < 40' }],
    elements: [
      { type: 'text', inputType: 'number', name: 'networkSize' },
      {
        type: 'radiogroup',
        name: 'status',
        title: { en: 'Positive?', es: '¿Positivo?' },
        choices: [
          { value: 'yes', text: { en: 'Yes', es: 'Sí' } },
          { value: 'no', text: { en: 'No', es: 'No' } },
        ],
        showRefuseItem: true,
        showDontKnowItem: true,
      },
      { type: 'dropdown', name: 'region', choices: ['north', 'south', 'east', 'west'] },
      { type: 'text', inputType: 'number', name: 'score' },
      {
        type: 'checkbox',
        name: 'services',
        choices: ['food', 'bed'],
        showNoneItem: true,
        showRefuseItem: true,
      },
      { type: 'boolean', name: 'agrees' },
      { type: 'rating', name: 'health' },
      { type: 'comment', name: 'words' },
      {
        type: 'radiogroup',
        name: 'recruiterRelation',
        choices: ['friend', 'stranger'],
        showRefuseItem: true,
      },
    ],
  },
};

export interface SimulatedPerson {
  id: string;
  recruiter: string | null;
  isSeed: boolean;
  size: number | null;
  startedAt: Date;
  location: string;
  responses: Record<string, unknown>;
  issued: number;
}

interface Wish {
  people: number;
  seeds: number;
  locations: readonly string[];
  start?: Date;
}

const idOf = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 24);

/** In order of interview date; some sizes and answers are missing. */
export function simulate(random: Random, { people, seeds, locations, start }: Wish): SimulatedPerson[] {
  const first = (start ?? new Date('2027-03-01T17:00:00Z')).getTime();
  const persons: SimulatedPerson[] = [];
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)] as T;
  for (let at = 0; at < people; at++) {
    const near = persons.slice(Math.max(0, at - 3 * seeds));
    const recruiter = at < seeds ? null : pick(near.filter((one) => one.issued < 3));
    if (recruiter) recruiter.issued++;
    const like = <T>(name: string, values: readonly T[]): T =>
      recruiter && recruiter.responses[name] !== undefined && random.uniform() < 0.5
        ? (recruiter.responses[name] as T)
        : pick(values);
    const chance = random.uniform();
    persons.push({
      id: idOf(`person ${at}`),
      recruiter: recruiter?.id ?? null,
      isSeed: recruiter === null,
      size: chance < 0.03 ? null : chance < 0.05 ? 0 : 1 + random.below(30),
      startedAt: new Date(first + at * 600_000),
      location: pick(locations),
      responses: {
        ...(chance < 0.9 ? { status: like('status', ['yes', 'no', 'no', 'refused', 'dontknow']) } : {}),
        region: like('region', ['north', 'south', 'east', 'east', 'west']),
        score: 20 + random.below(50),
        ...(chance < 0.95
          ? { services: pick([['food'], ['bed'], ['food', 'bed'], ['none'], ['refused']]) }
          : {}),
        agrees: random.uniform() < 0.3,
        health: 1 + random.below(5),
        words: `words of ${at}`,
        recruiterRelation: pick(['friend', 'friend', 'stranger']),
      },
      issued: 0,
    });
  }
  return persons;
}

/** Written directly into the database, in the given order. */
export async function insertPeople(
  people: readonly SimulatedPerson[],
  { questionnaire, by }: { questionnaire: string; by: string },
  more: (one: SimulatedPerson) => object = () => ({}),
): Promise<void> {
  const byId = new Map(people.map((one) => [one.id, one]));
  const waveOf = (one: SimulatedPerson): number => {
    const recruiter = one.recruiter ? byId.get(one.recruiter) : undefined;
    return recruiter ? waveOf(recruiter) + 1 : 0;
  };
  const headOf = (one: SimulatedPerson): SimulatedPerson => {
    const recruiter = one.recruiter ? byId.get(one.recruiter) : undefined;
    return recruiter ? headOf(recruiter) : one;
  };
  const recordOf = (one: SimulatedPerson): Partial<SurveyRecord> => ({
    _id: new ObjectId(one.id),
    clientId: one.id,
    requestHash: one.id,
    seed: new ObjectId(idOf(`seed of ${headOf(one).id}`)),
    recruiter: one.recruiter === null ? null : new ObjectId(one.recruiter),
    wave: waveOf(one),
    issuedCodes: Array.from({ length: one.issued }, (_, at) => `${one.id.slice(0, 7)}${at}`),
    questionnaire: new ObjectId(questionnaire),
    responses: { ...one.responses, ...(one.size === null ? {} : { networkSize: one.size }) },
    networkSize: one.size,
    location: new ObjectId(one.location),
    createdBy: new ObjectId(by),
    startedAt: one.startedAt,
    completedAt: new Date(one.startedAt.getTime() + 300_000),
    heldAt: one.startedAt,
  });
  const documents = people.map((one) => ({
    ...surveyRecord(recordOf(one), new Date(one.startedAt.getTime() + 400_000)),
    ...more(one),
  }));
  if (documents.length > 0) await mongoose.connection.collection('surveys').insertMany(documents);
}

/** Posts and activates the questionnaire; its id. */
export async function activate(
  root: { post(url: string, body: object): unknown; patch(url: string, body: object): unknown },
  questionnaire: object = QUESTIONNAIRE,
): Promise<string> {
  const post = async () =>
    (await root.post('/api/questionnaires', questionnaire)) as { body: { id: string }; status: number };
  let reply = await post();
  // On a busy machine the validator's process may start too slowly.
  for (let tries = 0; reply.status === 503 && tries < 5; tries++) reply = await post();
  const { body, status } = reply;
  if (status !== 201) throw new Error(`the questionnaire was refused: ${JSON.stringify(body)}`);
  await root.patch(`/api/questionnaires/${body.id}`, { active: true, confirm: true });
  return body.id;
}

/** The current time for a study that started at `simulate`'s start. */
export const LATER = new Date('2027-06-15T19:00:00Z');

export interface SampleWorld {
  world: World;
  root: Person;
  questionnaire: string;
  /** Two of them. */
  sites: string[];
  people: SimulatedPerson[];
}

/** A world some months after a simulated study, which it contains. */
export async function startSampleWorld(
  seed: number,
  request: Pick<Wish, 'people' | 'seeds'>,
  {
    change = () => {},
    more,
  }: {
    change?(people: SimulatedPerson[]): void;
    more?(one: SimulatedPerson): object;
  } = {},
): Promise<SampleWorld> {
  const world = await startWorld();
  world.clock.set(LATER);
  // A name that is in no file by chance.
  const root = await world.person({ role: 'SUPER_ADMIN', firstName: 'Quetzalcoatl' });
  const questionnaire = await activate(root);
  const sites = [await world.place('North Hall'), await world.place('South Hall')];
  const people = simulate(randomStream(seed, 'people'), { ...request, locations: sites });
  change(people);
  await insertPeople(people, { questionnaire, by: root.id }, more);
  return { world, root, questionnaire, sites, people };
}
