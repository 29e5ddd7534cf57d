/** Seeds: the starting points of recruitment. */
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { type Body, makeSeed } from '../make.ts';
import { CODE, castOfFile, draft, HEX_ID, ISO, NOBODY, reasonOf, refused, refusedAt, submit } from './kit.ts';

const cast = castOfFile();

test('a seed has exactly these fields, and reading returns the same as creating', async () => {
  const answer = await cast.volunteer.post('/api/seeds', {
    location: cast.site,
    note: '  knows many people ',
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.stringMatching(HEX_ID),
    referralCode: expect.stringMatching(CODE),
    kind: 'PLANNED',
    round: FIRST_ROUND_ID.toHexString(),
    location: cast.site,
    note: 'knows many people',
    survey: null,
    createdBy: cast.volunteer.id,
    createdAt: expect.stringMatching(ISO),
  });
  expect(answer.headers.location).toBe(`/api/seeds/${answer.body.id}`);
  expect((await cast.volunteer.get(`/api/seeds/${answer.body.id}`).expect(200)).body).toEqual(answer.body);
  expect(await reasonOf(cast, answer.body.referralCode)).toBeNull();
});

test('a seed without a note has note null', async () => {
  expect(await makeSeed(cast.world, cast.manager, { location: cast.site })).toMatchObject({ note: null });
});

test('every role can create and read seeds', async () => {
  for (const person of [cast.root, cast.admin, cast.manager, cast.volunteer]) {
    const seed = await makeSeed(cast.world, person, { location: cast.site });
    await cast.volunteer.get(`/api/seeds/${seed.id}`).expect(200);
  }
});

test.each([
  ['location', { location: undefined }],
  ['location', { location: NOBODY }],
  ['location', { location: 'x' }],
  ['location', { location: { $ne: null } }],
  ['note', { note: 'x'.repeat(1001) }],
  ['note', { note: 5 }],
  ['kind', { kind: 'WALK_IN' }],
  ['referralCode', { referralCode: 'ABCDEFGC' }],
  ['createdBy', { createdBy: NOBODY }],
  ['survey', { survey: NOBODY }],
])('an invalid %s is 400 at its path (%j)', async (path, fault) => {
  refusedAt(await cast.root.post('/api/seeds', { location: cast.site, ...fault }), path);
});

test('a note of 1,000 characters is accepted', async () => {
  await makeSeed(cast.world, cast.volunteer, { location: cast.site, note: 'x'.repeat(1000) });
});

test('deleting an unused seed removes it and voids its code', async () => {
  const seed = await makeSeed(cast.world, cast.volunteer, { location: cast.site });
  await cast.admin.delete(`/api/seeds/${seed.id}`).expect(204);
  expect(await reasonOf(cast, seed.referralCode)).toBe('VOID');
  refused(await cast.root.get(`/api/seeds/${seed.id}`), 404);
  refused(await cast.root.delete(`/api/seeds/${seed.id}`), 404);
  const { body } = await cast.root.get('/api/seeds?limit=200').expect(200);
  expect(body.data.map((item: Body) => item.id)).not.toContain(seed.id);
  refused(
    await cast.volunteer.post('/api/surveys', draft(cast, { referralCode: seed.referralCode })),
    409,
    'REFERRAL_CODE_VOID',
  );
});

test('deleting a used or walk-in seed is 409 SEED_IN_USE, even after its survey is deleted', async () => {
  const planned = await makeSeed(cast.world, cast.volunteer, { location: cast.site });
  const survey = await submit(cast, { referralCode: planned.referralCode });
  refused(await cast.admin.delete(`/api/seeds/${planned.id}`), 409, 'SEED_IN_USE');
  refused(await cast.admin.delete(`/api/seeds/${(await submit(cast)).seed}`), 409, 'SEED_IN_USE');
  await cast.admin.delete(`/api/surveys/${survey.id}`).expect(204);
  refused(await cast.admin.delete(`/api/seeds/${planned.id}`), 409, 'SEED_IN_USE');
  await cast.volunteer.get(`/api/seeds/${planned.id}`).expect(200);
});

test('deleting a seed is 403 for a VOLUNTEER or a MANAGER, used or not; an unknown one is 404', async () => {
  const unused = await makeSeed(cast.world, cast.volunteer, { location: cast.site });
  const { seed: used } = await submit(cast);
  for (const person of [cast.volunteer, cast.manager]) {
    refused(await person.delete(`/api/seeds/${unused.id}`), 403);
    refused(await person.delete(`/api/seeds/${used}`), 403);
    refused(await person.delete(`/api/seeds/${NOBODY}`), 404);
  }
  expect(await reasonOf(cast, unused.referralCode)).toBeNull();
});

test('a seed cannot be changed: PATCH and PUT are 405', async () => {
  const seed = await makeSeed(cast.world, cast.volunteer, { location: cast.site });
  for (const answer of [
    await cast.root.patch(`/api/seeds/${seed.id}`, { note: 'x' }),
    await cast.root.put(`/api/seeds/${seed.id}`, { note: 'x' }),
  ]) {
    refused(answer, 405);
    expect(answer.headers.allow).toContain('DELETE');
  }
});

test('the list is paged, newest first', async () => {
  const seedIds: string[] = [];
  for (const _ of [1, 2, 3])
    seedIds.unshift((await makeSeed(cast.world, cast.volunteer, { location: cast.site })).id);
  const first = (await cast.volunteer.get('/api/seeds?limit=2').expect(200)).body;
  expect(Object.keys(first).sort()).toEqual(['data', 'nextCursor']);
  const next = (
    await cast.volunteer.get(`/api/seeds?limit=1&cursor=${encodeURIComponent(first.nextCursor)}`).expect(200)
  ).body;
  expect([...first.data, ...next.data].map((seed: Body) => seed.id)).toEqual(seedIds);
});

test('unused=true lists and counts only unused seeds', async () => {
  const location = await cast.world.place();
  const [first, second] = [
    await makeSeed(cast.world, cast.volunteer, { location }),
    await makeSeed(cast.world, cast.volunteer, { location }),
  ];
  const listSeeds = async (query: string) => {
    const { body } = await cast.volunteer.get(`/api/seeds?location=${location}&${query}`).expect(200);
    return { ids: body.data.map((seed: Body) => seed.id), total: body.total };
  };
  await submit(cast, { referralCode: first.referralCode });
  expect(await listSeeds('unused=true&limit=1&total=true')).toEqual({ ids: [second.id], total: 1 });
  await submit(cast, { referralCode: second.referralCode });
  expect(await listSeeds('unused=true&limit=1&total=true')).toEqual({ ids: [], total: 0 });
  expect((await listSeeds('unused=false&total=true')).total).toBe(2);
});

test('many unused seeds are deleted at once, and each that can’t be is named', async () => {
  const seeds = [];
  for (let index = 0; index < 3; index++)
    seeds.push(await makeSeed(cast.world, cast.volunteer, { location: cast.site }));
  const used = await makeSeed(cast.world, cast.admin, { location: cast.site });
  await submit(cast, { referralCode: used.referralCode });
  const ids = [...seeds, used].map(({ id }) => id);
  refused(await cast.volunteer.post('/api/seeds/delete', { ids }), 403);
  refusedAt(await cast.admin.post('/api/seeds/delete', { ids: [] }), 'ids');
  const { body } = await cast.admin.post('/api/seeds/delete', { ids: [...ids, NOBODY] }).expect(200);
  expect(body).toMatchObject({ done: 3, refused: [{ id: used.id, code: 'SEED_IN_USE' }, { id: NOBODY }] });
  for (const { id, referralCode } of seeds) {
    refused(await cast.admin.get(`/api/seeds/${id}`), 404);
    expect(await reasonOf(cast, referralCode)).toBe('VOID');
  }
});

test('a volunteer creates 20 seeds a day, walk-ins not counted; others are not limited', async () => {
  cast.world.deps.config.rateLimits = true;
  try {
    const volunteer = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
    for (let index = 0; index < 3; index++) await submit(cast, {}, volunteer);
    const create = (by: typeof volunteer) => by.post('/api/seeds', { location: cast.site });
    for (let index = 0; index < 20; index++) await create(volunteer).expect(201);
    refused(await create(volunteer), 429, 'RATE_LIMITED');
    await submit(cast, {}, volunteer);
    for (let index = 0; index < 21; index++) await create(cast.manager).expect(201);
  } finally {
    cast.world.deps.config.rateLimits = false;
  }
});
