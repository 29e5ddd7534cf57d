import mongoose from 'mongoose';
import type { Body } from '../make.ts';
import { type Cast, refused, refusedAt, startCast } from './kit.ts';

let cast: Cast;
beforeEach(async () => {
  cast = await startCast();
});
afterEach(() => cast.world.stop());

const send = async (locations: object[], more: object = {}): Promise<Body> =>
  (await cast.admin.post('/api/locations/import', { locations, ...more }).expect(200)).body;
const outcomes = (answer: Body) => answer.results.map((one: Body) => one.outcome);
const named = async (name: string): Promise<Body> =>
  (await cast.root.get('/api/locations').expect(200)).body.data.find((one: Body) => one.name === name);

test('locations are created or updated by name, and importing them again changes nothing', async () => {
  const rows = [
    {
      name: 'Pier 7',
      type: 'CLINIC',
      address: '7 Pier Road',
      coordinates: { latitude: 47.6, longitude: -122.3 },
    },
    { name: 'Chapel' },
  ];
  expect(await send(rows)).toEqual({
    stored: true,
    results: [
      { index: 0, name: 'Pier 7', outcome: 'created', message: null },
      { index: 1, name: 'Chapel', outcome: 'created', message: null },
    ],
  });
  expect(await named('Chapel')).toMatchObject({ type: 'OTHER', address: null, coordinates: null });
  const before = await named('Pier 7');
  expect(outcomes(await send(rows))).toEqual(['unchanged', 'unchanged']);
  expect(await named('Pier 7')).toEqual(before);

  const changed = await send([
    { name: ' chapel ', type: 'MEAL_SITE' },
    { name: 'Pier 7', address: null },
  ]);
  expect(outcomes(changed)).toEqual(['updated', 'updated']);
  expect(await named('Pier 7')).toMatchObject({ id: before.id, type: 'CLINIC', address: null });
});

test('one invalid row stops the import; the other rows say what would have been done', async () => {
  await send([{ name: 'Chapel' }]);
  const answer = await send([
    { name: 'Pier 7' },
    { name: 'Chapel', type: 'CLINIC' },
    { name: 'Tower', type: 'CASTLE' },
    { name: 'pier 7' },
    { address: 'nowhere' },
    { name: 'Bridge', owner: 'me' },
  ]);
  expect(answer.stored).toBe(false);
  expect(outcomes(answer)).toEqual(['created', 'updated', 'refused', 'refused', 'refused', 'refused']);
  for (const one of answer.results.slice(2)) expect(one.message).toMatch(/\S/);
  expect(answer.results.slice(2).map(({ errors: [first] }: Body) => [first.path, first.code])).toEqual([
    ['type', 'NOT_ONE_OF'],
    ['name', 'NAME_TWICE_IN_LIST'],
    ['name', 'MISSING'],
    ['owner', 'UNKNOWN_FIELD'],
  ]);
  expect(answer.results[3].errors[0].params).toEqual({ row: 1 });
  expect(await named('Pier 7')).toBeUndefined();
  expect(await named('Chapel')).toMatchObject({ type: 'OTHER' });
});

test('a thousand locations are imported with a dozen commands to the database, and changed with as many', async () => {
  const client = mongoose.connection.getClient();
  let commands = 0;
  const count = () => {
    commands += 1;
  };
  const rows = (address: string) =>
    Array.from({ length: 1_000 }, (_, at) => ({ name: `Bulk ${at}`, type: 'CLINIC', address }));
  client.on('connectionCheckedOut', count);
  try {
    for (const [address, outcome] of [
      ['Here', 'created'],
      ['There', 'updated'],
      ['There', 'unchanged'],
    ]) {
      commands = 0;
      const { body } = await cast.root
        .post('/api/locations/import', { locations: rows(String(address)) })
        .expect(200);
      expect(body.results.map((one: { outcome: string }) => one.outcome)).toEqual(
        new Array(1_000).fill(outcome),
      );
      expect(commands).toBeLessThan(20);
    }
  } finally {
    client.off('connectionCheckedOut', count);
  }
});

test('a dry run stores nothing and adds no audit event', async () => {
  expect(await send([{ name: 'Pier 7' }], { dryRun: true })).toMatchObject({
    stored: false,
    results: [{ outcome: 'created' }],
  });
  expect(await named('Pier 7')).toBeUndefined();
  const { body } = await cast.root.get('/api/audit?subject=Location').expect(200);
  expect(body.data).toEqual([]);
});

test('import needs permission to create locations, and a valid list of rows', async () => {
  const url = '/api/locations/import';
  refused(await cast.manager.post(url, { locations: [{ name: 'Pier 7' }] }), 403);
  refused(await cast.volunteer.post(url, { locations: [{ name: 'Pier 7' }] }), 403);
  refusedAt(await cast.admin.post(url, { locations: [] }), 'locations');
  refusedAt(await cast.admin.post(url, { locations: ['Pier 7'] }), 'locations.0');
  refusedAt(await cast.admin.post(url, { locations: [{ name: 'Pier 7' }], force: true }), 'force');
});

test('a caller who may only create locations cannot update them by importing', async () => {
  await send([{ name: 'Chapel' }]);
  const permissions = [{ action: 'create', subject: 'Location', conditions: [] }];
  const helper = await cast.world.person({ role: 'VOLUNTEER', permissions });
  const post = (locations: object[]) => helper.post('/api/locations/import', { locations });
  expect((await post([{ name: 'Pier 7' }]).expect(200)).body.stored).toBe(true);
  refused(await post([{ name: 'Tower' }, { name: 'Chapel', type: 'CLINIC' }]), 403);
  expect(await named('Tower')).toBeUndefined();
});
