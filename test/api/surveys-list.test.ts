/** Lists of surveys: filters, days, pages, and deleted surveys. */
import { type Body, insertSurvey } from '../make.ts';
import { castOfFile, draft, makeStudyOld, NOBODY, read, reasonOf, refused, submit, times } from './kit.ts';

const cast = castOfFile();
beforeAll(() => makeStudyOld());

const list = async (query: string, by = cast.root): Promise<Body> =>
  (await by.get(`/api/surveys?${query}`).expect(200)).body;
const ids = async (query: string) => (await list(query)).data.map((survey: Body) => survey.id).sort();

test('a list has data and nextCursor, newest first, and total only if requested', async () => {
  const location = await cast.world.place();
  const createdIds: string[] = [];
  for (const _ of times(3, Number)) createdIds.push((await submit(cast, { location })).id);
  const body = await list(`location=${location}`);
  expect(Object.keys(body).sort()).toEqual(['data', 'nextCursor']);
  expect(body.nextCursor).toBeNull();
  expect(body.data.map((survey: Body) => survey.id)).toEqual([...createdIds].reverse());
  const {
    responses: _,
    coordinates: __,
    networkSize: ___,
    contact: ____,
    ...listFields
  } = await read(cast, String(createdIds[2]));
  expect(body.data[0]).toEqual(listFields);
  expect((await list(`location=${location}&sort=createdAt`)).data.map((survey: Body) => survey.id)).toEqual(
    createdIds,
  );
  expect(await list(`location=${location}&total=true&limit=1`)).toMatchObject({ total: 3 });
});

test('a list leaves out coordinates and network sizes, also of own interviews; the full one has them and is recorded', async () => {
  const location = await cast.world.place();
  const coordinates = { latitude: 47.6, longitude: -122.3 };
  await submit(cast, { location, coordinates });
  for (const by of [cast.root, cast.volunteer]) {
    const [light] = (await list(`location=${location}`, by)).data;
    expect(light).not.toHaveProperty('coordinates');
    expect(light).not.toHaveProperty('networkSize');
  }
  const [full] = (await list(`location=${location}&fields=full`)).data;
  expect(full).toMatchObject({ coordinates, networkSize: 12 });
});

test('pages contain each record once, even if all were created at the same instant', async () => {
  const location = await cast.world.place();
  const createdAt = new Date('2026-03-03T12:00:00Z');
  const all: string[] = [];
  for (const _ of times(7, Number))
    all.push(await insertSurvey(cast.world, { location, createdBy: cast.volunteer.id, createdAt }));
  for (const sort of ['createdAt', '-createdAt']) {
    const listedIds: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 9; pages++) {
      const page: Body = await list(
        `location=${location}&limit=2&sort=${sort}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      listedIds.push(...page.data.map((survey: Body) => survey.id));
      cursor = page.nextCursor;
    }
    expect(listedIds).toHaveLength(7);
    expect([...listedIds].sort()).toEqual([...all].sort());
  }
});

test('pages sorted by interview date contain each record once, whenever received', async () => {
  const location = await cast.world.place();
  const hoursAgo = (hours: number) => new Date(+cast.world.clock.now() - hours * 3_600_000);
  const all: string[] = [];
  // The second to arrive was held first; two were held at the same time.
  for (const hours of [11, 15, 13, 13, 9]) {
    const times = { startedAt: hoursAgo(hours), completedAt: hoursAgo(hours - 1) };
    all.push((await submit(cast, { location, ...times })).id);
  }
  const alike = [all[2], all[3]].sort();
  const expected = [all[1], ...alike, all[0], all[4]];
  for (const [sort, order] of [
    ['heldAt', expected],
    ['-heldAt', [...expected].reverse()],
  ] as const) {
    const listedIds: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page: Body = await list(`location=${location}&limit=2&sort=${sort}${from}`);
      listedIds.push(...page.data.map((survey: Body) => survey.id));
      cursor = page.nextCursor;
    }
    expect(listedIds).toEqual(order);
  }
});

test('a page stays correct when a newer record is added in between', async () => {
  const location = await cast.world.place();
  const first = [(await submit(cast, { location })).id, (await submit(cast, { location })).id];
  const page = await list(`location=${location}&limit=1`);
  await submit(cast, { location });
  const next = await list(`location=${location}&limit=1&cursor=${encodeURIComponent(page.nextCursor)}`);
  expect([page.data[0].id, next.data[0].id]).toEqual([first[1], first[0]]);
});

test('filters by location, seed, recruiter, status and createdBy, also combined', async () => {
  const location = await cast.world.place();
  const other = await cast.world.person({ location });
  const root = await submit(cast, { location });
  const child = await submit(cast, { location, referralCode: root.issuedCodes[0] }, other);
  const open = await submit(cast, { location, status: 'IN_PROGRESS', responses: {} }, other);
  expect(await ids(`location=${location}`)).toEqual([root.id, child.id, open.id].sort());
  expect(await ids(`seed=${root.seed}`)).toEqual([root.id, child.id].sort());
  expect(await ids(`recruiter=${root.id}`)).toEqual([child.id]);
  expect(await ids(`createdBy=${other.id}`)).toEqual([child.id, open.id].sort());
  expect(await ids(`location=${location}&status=IN_PROGRESS`)).toEqual([open.id]);
  expect(await ids(`createdBy=${other.id}&status=COMPLETED&seed=${root.seed}`)).toEqual([child.id]);
});

test.each(['location', 'seed', 'recruiter', 'createdBy'])(
  '%s that matches nothing is an empty list',
  async (name) => {
    expect(await list(`${name}=${NOBODY}`)).toEqual({ data: [], nextCursor: null });
  },
);

describe('from and to', () => {
  let location: string;
  const at: Record<string, string> = {};
  // The clocks of Los Angeles go back on the 1st of November 2026: that day has 25 hours.
  const INSTANTS = {
    'the last of October': '2026-11-01T06:59:59.999Z',
    'the first instant of November': '2026-11-01T07:00:00.000Z',
    'the last instant of the 1st': '2026-11-02T07:59:59.999Z',
    'the first of the 2nd': '2026-11-02T08:00:00.000Z',
  };
  beforeAll(async () => {
    location = await cast.world.place();
    for (const [name, instant] of Object.entries(INSTANTS))
      at[name] = await insertSurvey(cast.world, {
        location,
        createdBy: cast.volunteer.id,
        createdAt: new Date(instant),
      });
  });
  const within = async (query: string) => {
    const listedIds = await ids(`location=${location}&${query}`);
    return Object.keys(INSTANTS).filter((name) => listedIds.includes(at[name]));
  };

  test('days are days in TIME_ZONE, both inclusive, with 25 hours where the clocks go back', async () => {
    expect(await within('from=2026-11-01&to=2026-11-01')).toEqual([
      'the first instant of November',
      'the last instant of the 1st',
    ]);
    expect(await within('to=2026-10-31')).toEqual(['the last of October']);
    expect(await within('from=2026-11-02')).toEqual(['the first of the 2nd']);
  });

  test('instants are inclusive at both ends', async () => {
    expect(await within('from=2026-11-01T07:00:00.000Z&to=2026-11-02T07:59:59.999Z')).toEqual([
      'the first instant of November',
      'the last instant of the 1st',
    ]);
    expect(await within('from=2026-11-01T07:00:00.001Z&to=2026-11-02T07:59:59.998Z')).toEqual([]);
  });

  test.each(['from=2026-02-30', 'to=2026-13-01', 'from=today', 'to=1', 'from=', 'from=2026-11-01T99:00:00Z'])(
    '%s is 400 INVALID_QUERY',
    async (query) => {
      refused(await cast.root.get(`/api/surveys?${query}`), 400, 'INVALID_QUERY');
    },
  );
});

test('an unknown status is 400 INVALID_QUERY', async () => {
  refused(await cast.root.get('/api/surveys?status=DONE'), 400, 'INVALID_QUERY');
});

test('a filter never widens what the caller may see', async () => {
  const mine = await submit(cast);
  const theirs = await submit(cast, {}, await cast.world.person({ location: cast.site }));
  const { data } = await list(`createdBy=${theirs.createdBy}`, cast.volunteer);
  expect(data).toEqual([]);
  const own = await list('limit=200', cast.volunteer);
  expect(own.data.map((survey: Body) => survey.id)).toContain(mine.id);
  expect(own.data.every((survey: Body) => survey.createdBy === cast.volunteer.id)).toBe(true);
});

describe('a deleted survey', () => {
  test('is gone from reads and lists, and cannot be changed or deleted again', async () => {
    const { id } = await submit(cast);
    const response = await cast.admin.delete(`/api/surveys/${id}`).expect(204);
    expect(response.text).toBe('');
    for (const answer of [
      await cast.root.get(`/api/surveys/${id}`),
      await cast.root.get(`/api/surveys/${id}/history`),
      await cast.root.patch(`/api/surveys/${id}`, { responses: { networkSize: 1 } }),
      await cast.root.delete(`/api/surveys/${id}`),
    ])
      refused(answer, 404);
    expect(await ids(`createdBy=${cast.volunteer.id}&limit=200`)).not.toContain(id);
  });

  test('keeps the tree below it, and its code stays used', async () => {
    const root = await submit(cast);
    const middle = await submit(cast, { referralCode: root.issuedCodes[0] });
    const leaf = await submit(cast, { referralCode: middle.issuedCodes[0] });
    await cast.admin.delete(`/api/surveys/${middle.id}`).expect(204);
    expect(await read(cast, leaf.id)).toMatchObject({ recruiter: middle.id, seed: root.seed, wave: 2 });
    expect(await reasonOf(cast, root.issuedCodes[0])).toBe('USED');
    refused(
      await cast.volunteer.post('/api/surveys', draft(cast, { referralCode: root.issuedCodes[0] })),
      409,
      'REFERRAL_CODE_USED',
    );
  });

  test('keeps its issued codes valid: a recruit joins its chain', async () => {
    const root = await submit(cast);
    await cast.admin.delete(`/api/surveys/${root.id}`).expect(204);
    const child = await submit(cast, { referralCode: root.issuedCodes[0] });
    expect(child).toMatchObject({ recruiter: root.id, seed: root.seed, wave: 1 });
  });
});

describe('the search', () => {
  const search = async (text: string, by = cast.root) =>
    (await list(`search=${encodeURIComponent(text)}`, by)).data.map((survey: Body) => survey.id).sort();

  test('by coupon code finds the survey with it, the recruiter and later ones presenting it, in any spelling', async () => {
    const giver = await submit(cast);
    const [code = ''] = giver.issuedCodes;
    const recruit = await submit(cast, { referralCode: code });
    const late = await submit(cast, { referralCode: code, onCodeProblem: 'FLAG' });
    await submit(cast, { referralCode: giver.issuedCodes[1] });
    const expected = [giver.id, recruit.id, late.id].sort();
    const spelled = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase().replaceAll('0', 'o');
    expect(await search(code)).toEqual(expected);
    expect(await search(` ${spelled} `)).toEqual(expected);
    expect(await list(`search=${code}&total=true&limit=1`)).toMatchObject({ total: 3 });
    expect(await ids(`search=${code}&flag=any`)).toEqual([late.id]);
    expect(await search(`${code.slice(0, 7)}${code.endsWith('2') ? '3' : '2'}`)).toEqual([]);
  });

  test('finds a survey by id, and an interviewer’s surveys by the beginning of their names', async () => {
    const quinn = await cast.world.person({ firstName: 'Quinn', lastName: 'Ösler', location: cast.site });
    const one = await submit(cast, {}, quinn);
    const other = await submit(cast, {}, quinn);
    expect(await search(one.id.toUpperCase())).toEqual([one.id]);
    expect(await search('quinn ös')).toEqual([one.id, other.id].sort());
    expect(await search('ösler')).toEqual([one.id, other.id].sort());
    expect(await search('uinn')).toEqual([]);
    expect(await search('.*')).toEqual([]);
    expect(await search(NOBODY)).toEqual([]);
  });

  test('finds only interviews that the caller may read, and by name only if the caller may list users', async () => {
    const elsewhere = await cast.world.place();
    const quora = await cast.world.person({ firstName: 'Quora', location: elsewhere });
    const away = await submit(cast, { location: elsewhere }, quora);
    const mine = await submit(cast, { referralCode: away.issuedCodes[0] }, cast.volunteer);
    expect(await search(String(away.issuedCodes[0]), cast.volunteer)).toEqual([mine.id]);
    expect(await search(away.id, cast.volunteer)).toEqual([]);
    expect(await search('quora', cast.manager)).toEqual([]);
    expect(await search('quora', cast.admin)).toEqual([away.id]);
    const own = await cast.world.person({ firstName: 'Quill', location: cast.site });
    const byOwn = await submit(cast, {}, own);
    expect(await search('quill', own)).toEqual([]);
    expect(await search('quill', cast.manager)).toEqual([byOwn.id]);
    refused(await cast.root.get('/api/surveys?search=%20'), 400, 'INVALID_QUERY');
  });
});
