/** Locations: a public list, unique names, and deletions that keep the records that refer to them. */
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { inTransaction } from '../../src/platform/db/transaction.ts';
import { LocationModel, lockSite, requireExistingLocation } from '../../src/study/locations/model.ts';
import { type Body, makeSeed } from '../make.ts';
import {
  castOfFile,
  draft,
  HEX_ID,
  ISO,
  NOBODY,
  read,
  refused,
  refusedAt,
  submit,
  times,
  uuid,
} from './kit.ts';

const cast = castOfFile();

const fresh = (fields: Record<string, unknown> = {}) => ({
  name: `Place ${uuid()}`,
  type: 'CLINIC',
  ...fields,
});
const create = async (fields: Record<string, unknown> = {}): Promise<Body> => {
  const answer = await cast.admin.post('/api/locations', fresh(fields));
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body;
};
const names = async (query = '') =>
  (await cast.world.anonymous.get(`/api/locations${query}`).expect(200)).body.data.map(
    (place: Body) => place.name,
  );

test('a location has exactly these fields, and reading returns the same as creating', async () => {
  const fields = fresh({
    address: ' 12 Pine St ',
    type: 'MEAL_SITE',
    coordinates: { latitude: 47.6, longitude: -122.3 },
  });
  const answer = await cast.admin.post('/api/locations', fields);
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.stringMatching(HEX_ID),
    ...fields,
    address: '12 Pine St',
    createdAt: expect.stringMatching(ISO),
    updatedAt: expect.stringMatching(ISO),
  });
  expect(answer.headers.location).toBe(`/api/locations/${answer.body.id}`);
  expect((await cast.volunteer.get(`/api/locations/${answer.body.id}`).expect(200)).body).toEqual(
    answer.body,
  );
});

test('address and coordinates default to null', async () => {
  expect(await create()).toMatchObject({ address: null, coordinates: null });
});

test.each(['SHELTER', 'MEAL_SITE', 'STREET', 'CLINIC', 'OFFICE', 'OTHER'])(
  '%s is a valid type',
  async (type) => {
    expect(await create({ type })).toMatchObject({ type });
  },
);

test.each([
  ['name', { name: undefined }],
  ['name', { name: '   ' }],
  ['name', { name: 'x'.repeat(101) }],
  ['name', { name: { $gt: '' } }],
  ['type', { type: 'PALACE' }],
  ['coordinates.latitude', { coordinates: { latitude: 90.1, longitude: 0 } }],
  ['coordinates.accuracy', { coordinates: { latitude: 0, longitude: 0, accuracy: 1 } }],
  ['createdAt', { createdAt: '2026-01-01T00:00:00Z' }],
  ['deletedAt', { deletedAt: null }],
  ['id', { id: NOBODY }],
])('an invalid %s is 400 at its path (%j)', async (path, fault) => {
  refusedAt(await cast.admin.post('/api/locations', fresh(fault)), path);
  const { id } = await create();
  if (!Object.values(fault).includes(undefined))
    refusedAt(await cast.admin.patch(`/api/locations/${id}`, fault), path);
});

test('the list is public; a single location needs an approved user', async () => {
  const { id } = await create();
  await cast.world.anonymous.get('/api/locations').expect(200);
  refused(await cast.world.anonymous.get(`/api/locations/${id}`), 401);
  refused(await (await cast.world.person({ approvalStatus: 'PENDING' })).get(`/api/locations/${id}`), 403);
  await cast.volunteer.get(`/api/locations/${id}`).expect(200);
});

test('the public list ignores an invalid token', async () => {
  await cast.world.bearer('nonsense').get('/api/locations').expect(200);
});

test('the list is sorted by name and complete without limit; with a limit it is paged in either direction', async () => {
  for (const index of times(60, Number)) await create({ name: `Many ${String(index).padStart(2, '0')}` });
  const all = await names();
  expect(all.length).toBeGreaterThan(60);
  expect((await cast.world.anonymous.get('/api/locations')).body.nextCursor).toBeNull();
  const many = times(60, (index) => `Many ${String(index).padStart(2, '0')}`);
  expect(all.filter((name: string) => name.startsWith('Many'))).toEqual(many);
  expect((await names('?sort=-name')).filter((name: string) => name.startsWith('Many'))).toEqual(
    [...many].reverse(),
  );

  const listedNames: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null && listedNames.length < all.length + 10) {
    const query = `?limit=13${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { body }: Body = await cast.world.anonymous.get(`/api/locations${query}`).expect(200);
    listedNames.push(...body.data.map((place: Body) => place.name));
    cursor = body.nextCursor;
  }
  expect(listedNames).toEqual(all);
  const { body } = await cast.world.anonymous.get('/api/locations?limit=1&total=true').expect(200);
  expect(body.total).toBe(all.length);
});

test('the list is sorted case-insensitively', async () => {
  const mark = uuid();
  for (const name of [`${mark} b`, `${mark} C`, `${mark} a`]) await create({ name });
  expect((await names()).filter((name: string) => name.startsWith(mark))).toEqual([
    `${mark} a`,
    `${mark} b`,
    `${mark} C`,
  ]);
});

test('names are unique ignoring case and outer spaces: 409 NAME_TAKEN for POST and PATCH', async () => {
  const { id, name } = await create({ name: `Étoile ${uuid()}` });
  for (const same of [name, `  ${name} `, name.toUpperCase(), name.toLowerCase()])
    refused(await cast.admin.post('/api/locations', fresh({ name: same })), 409, 'NAME_TAKEN');
  const other = await create();
  refused(
    await cast.admin.patch(`/api/locations/${other.id}`, { name: name.toUpperCase() }),
    409,
    'NAME_TAKEN',
  );
  const { body } = await cast.admin
    .patch(`/api/locations/${id}`, { name: ` ${name.toUpperCase()} ` })
    .expect(200);
  expect(body.name).toBe(name.toUpperCase());
});

test('PATCH changes only the fields sent; null clears address and coordinates', async () => {
  const place = await create({ address: 'Here', coordinates: { latitude: 1, longitude: 2 } });
  const { body } = await cast.admin.patch(`/api/locations/${place.id}`, { type: 'STREET' }).expect(200);
  expect(body).toEqual({ ...place, type: 'STREET', updatedAt: expect.stringMatching(ISO) });
  const bare = await cast.admin
    .patch(`/api/locations/${place.id}`, { address: null, coordinates: null })
    .expect(200);
  expect(bare.body).toMatchObject({ address: null, coordinates: null, type: 'STREET' });
  refused(await cast.admin.patch(`/api/locations/${place.id}`, {}), 400, 'VALIDATION_ERROR');
});

test('only admins and super admins can create, change and delete', async () => {
  const { id } = await create();
  for (const person of [cast.volunteer, cast.manager]) {
    refused(await person.post('/api/locations', fresh()), 403);
    refused(await person.patch(`/api/locations/${id}`, { type: 'OTHER' }), 403);
    refused(await person.delete(`/api/locations/${id}`), 403);
  }
  await cast.root.post('/api/locations', fresh()).expect(201);
  await cast.root.delete(`/api/locations/${id}`).expect(204);
});

describe('a deleted location', () => {
  test('is 404, and its name can be used again', async () => {
    const place = await create();
    await cast.admin.delete(`/api/locations/${place.id}`).expect(204);
    expect(await names()).not.toContain(place.name);
    for (const answer of [
      await cast.volunteer.get(`/api/locations/${place.id}`),
      await cast.admin.patch(`/api/locations/${place.id}`, { type: 'OTHER' }),
      await cast.admin.delete(`/api/locations/${place.id}`),
    ])
      refused(answer, 404);
    const again = await create({ name: place.name });
    expect(again.id).not.toBe(place.id);
    await cast.admin.delete(`/api/locations/${again.id}`).expect(204);
    await create({ name: place.name });
  });

  test('stays in the records that refer to it', async () => {
    const place = await create();
    const survey = await submit(cast, { location: place.id });
    const seed = await makeSeed(cast.world, cast.admin, { location: place.id });
    await cast.admin.delete(`/api/locations/${place.id}`).expect(204);
    expect((await read(cast, survey.id)).location).toBe(place.id);
    expect((await cast.admin.get(`/api/seeds/${seed.id}`).expect(200)).body.location).toBe(place.id);
  });

  test('accepts no new records: 400 at location', async () => {
    const { id } = await create();
    await cast.admin.delete(`/api/locations/${id}`).expect(204);
    refusedAt(await cast.volunteer.post('/api/surveys', draft(cast, { location: id })), 'location');
    refusedAt(await cast.volunteer.post('/api/seeds', { location: id }), 'location');
    refusedAt(await cast.admin.post('/api/referral-codes/batches', { count: 1, location: id }), 'location');
    refusedAt(
      await cast.admin.post('/api/users', {
        phone: cast.world.newPhone(),
        firstName: 'A',
        lastName: 'B',
        role: 'VOLUNTEER',
        location: id,
      }),
      'location',
    );
    refusedAt(await cast.admin.patch(`/api/users/${cast.volunteer.id}`, { location: id }), 'location');
  });
});

test.each(['xyz', NOBODY, 'abcdefghijkl', '%00', 'null'])('no location at id %s: 404', async (id) => {
  refused(await cast.admin.get(`/api/locations/${id}`), 404);
});

describe('storing at a location and deleting it at the same time', () => {
  const isOpen = async (work: Promise<unknown>) =>
    await Promise.race([work.then(() => false), sleep(300).then(() => true)]);

  test('wins against 40 people who store records there all the time', async () => {
    const place = await create();
    let stored = 0;
    const last = Array.from({ length: 40 }, async () => {
      for (;;) {
        const { status } = await cast.root.post('/api/seeds', { location: place.id });
        if (status === 201) stored += 1;
        else if (status !== 503) return status;
      }
    });
    while (stored < 40) await sleep(20);
    await cast.admin.delete(`/api/locations/${place.id}`).expect(204);
    expect(new Set(await Promise.all(last))).toEqual(new Set([400]));
  }, 60_000);

  test('a deletion waits for a transaction that stores a record there', async () => {
    const { id } = await create();
    let deletion: Promise<{ status: number }> | undefined;
    await inTransaction(async (session) => {
      await requireExistingLocation(id, session);
      deletion ??= Promise.resolve(cast.admin.delete(`/api/locations/${id}`));
      expect(await isOpen(deletion)).toBe(true);
    });
    expect((await deletion)?.status).toBe(204);
  });

  test.each([
    ['a seed', '/api/seeds', {}],
    ['a batch of codes', '/api/referral-codes/batches', { count: 2 }],
    [
      'an account',
      '/api/users',
      { phone: '+12065550177', firstName: 'Vera', lastName: 'Field', role: 'VOLUNTEER' },
    ],
  ])('%s waits for a running deletion and is rejected', async (_, path, fields) => {
    const { id } = await create();
    await expectToWait(id, () => cast.root.post(path, { ...fields, location: id }));
  });

  test('moving an interview there waits for a running deletion and is rejected', async () => {
    const { id } = await create();
    const survey = await submit(cast);
    const body = { location: id, reason: 'The wrong site was chosen.' };
    await expectToWait(id, () => cast.root.patch(`/api/surveys/${survey.id}`, body));
    expect((await read(cast, survey.id)).location).toBe(cast.site);
  });

  async function expectToWait(id: string, store: () => PromiseLike<unknown>): Promise<void> {
    let storing: Promise<unknown> | undefined;
    await inTransaction(async (session) => {
      await lockSite(session, new mongoose.Types.ObjectId(id));
      await LocationModel.collection.updateOne(
        { _id: new mongoose.Types.ObjectId(id) },
        { $set: { deletedAt: new Date() } },
        { session },
      );
      storing ??= Promise.resolve(store());
      expect(await isOpen(storing)).toBe(true);
    });
    refusedAt((await storing) as never, 'location');
  }
});

test('closing a site can be undone: it is listed again, can be used, and its history says so', async () => {
  const { root, volunteer, manager } = cast;
  const name = `Reopened pier ${uuid()}`;
  const { id } = (await root.post('/api/locations', { name }).expect(201)).body;
  const reopen = (by = root) => by.post(`/api/locations/${id}/reopen`);
  const listed = async (query: string) => {
    const { body } = await root.get(`/api/locations${query}`).expect(200);
    return body.data.some((one: { id: string }) => one.id === id);
  };
  await root.delete(`/api/locations/${id}`).expect(204);
  expect([await listed(''), await listed('?closed=true')]).toEqual([false, true]);
  refused(await root.get(`/api/locations/${id}`), 404);
  for (const person of [volunteer, manager]) refused(await reopen(person), 403);
  const { body } = await reopen().expect(200);
  expect(body).toMatchObject({ id, name });
  expect((await reopen().expect(200)).body).toEqual(body);
  expect([await listed(''), await listed('?closed=true')]).toEqual([true, false]);
  const { body: audit } = await root.get(`/api/audit?record=${id}`).expect(200);
  expect(audit.data.map(({ action }: { action: string }) => action)).toEqual(['update', 'delete', 'create']);
  refused(await root.post(`/api/locations/${NOBODY}/reopen`), 404);
});

test('a site whose name was taken cannot be reopened', async () => {
  const name = `Taken pier ${uuid()}`;
  const { id } = (await cast.root.post('/api/locations', { name }).expect(201)).body;
  await cast.root.delete(`/api/locations/${id}`).expect(204);
  await cast.root.post('/api/locations', { name }).expect(201);
  refused(await cast.root.post(`/api/locations/${id}/reopen`), 409, 'NAME_TAKEN');
});
