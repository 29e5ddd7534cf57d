/** The chains of all seeds side by side. */
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { maxDotsPerChain } from '../../src/board/recruitment/chains/forest.ts';
import { type Body, insertSurvey } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';
import { chance, writeRandomStudy } from '../recruitment/random-study.ts';

const NOW = new Date('2027-03-22T19:00:00Z');
const world = worldOfFile();
let root: Person;
beforeAll(async () => {
  world.clock.set(NOW);
  root = await world.person({ role: 'SUPER_ADMIN' });
});
const get = async (path: string): Promise<Body> =>
  (await root.get(`/api/recruitment/${path}`).expect(200)).body;

test('each chain has the board’s figures and the shape of its tree', async () => {
  await writeRandomStudy(world, chance(7), { now: NOW, days: 30, surveys: 300, validDays: null });
  const { chains, chainsTotal } = await get('forest');
  const board = await get('summary');
  expect(chainsTotal).toBe(board.chainsTotal);
  expect(chains).toHaveLength(chainsTotal);
  expect(
    chains.slice(0, 50).map(({ parents: _, deleted: _d, truncated: _t, ...figures }: Body) => figures),
  ).toEqual(board.chains);
  let deleted = 0;
  for (const chain of chains.slice(0, 25)) {
    const { nodes } = await get(`tree?seed=${chain.seed}`);
    expect(chain.truncated).toBe(false);
    const places = new Map(nodes.map(({ id }: Body, place: number) => [id, place]));
    expect(chain.parents).toEqual(nodes.map(({ parent }: Body) => (parent ? places.get(parent) : -1)));
    expect(chain.deleted).toEqual(
      nodes.flatMap((node: Body, place: number) => (node.deleted ? [place] : [])),
    );
    deleted += chain.deleted.length;
    expect(chain.surveys).toBe(nodes.length - chain.deleted.length);
  }
  expect(deleted).toBeGreaterThan(0);
});

test('the reply for a large study is bounded: small chains are complete, large ones lose their later waves', async () => {
  const site = await world.place();
  const { body: seed } = await root.post('/api/seeds', { location: site }).expect(201);
  const { ObjectId } = mongoose.Types;
  const first = await insertSurvey(world, {
    location: site,
    seed: seed.id,
    wave: 0,
    createdBy: root.id,
    questionnaire: site,
  });
  const surveys = mongoose.connection.collection('surveys');
  const like = await surveys.findOne({ _id: new ObjectId(first) });
  if (!like) throw new Error('no survey');
  const { clientId: _, referralCode: _code, ...fields } = like;
  await surveys.insertMany(
    Array.from({ length: 5_500 }, () => ({
      ...fields,
      _id: new ObjectId(),
      clientId: crypto.randomUUID(),
      recruiter: like._id,
      wave: 1,
    })) as never,
  );
  let { chains } = await get('forest');
  // The study table follows what is stored.
  for (; chains[0].surveys < 5_501; { chains } = await get('forest')) await sleep(50);
  const [largest, ...others] = chains;
  expect(largest).toMatchObject({ seed: seed.id, surveys: 5_501, maxWave: 1, truncated: true });
  expect(others.every(({ truncated }: Body) => !truncated)).toBe(true);
  const drawn = chains.reduce((sum: number, { parents }: Body) => sum + parents.length, 0);
  expect(drawn).toBe(5_000);
});

test.each([
  [[1, 2, 3], 5_000],
  [[10_000], 5_000],
  [[10_000, 10_000], 2_500],
  [[1_000, 1_000, 10_000], 3_000],
  [Array(500).fill(100), 10],
])('chains of %j share the dots: at most %d each', (sizes, max) => {
  expect(maxDotsPerChain(sizes)).toBe(max);
});
