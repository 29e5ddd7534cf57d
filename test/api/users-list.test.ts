/** The list of users: pages, order, filters and search. */
import mongoose from 'mongoose';
import { type Person, type PersonOptions, worldOfFile } from '../people.ts';
import { ids, NOBODY, USER_KEYS } from './user-kit.ts';

let root: Person;
const world = worldOfFile();

beforeEach(async () => {
  await mongoose.connection.collection('users').deleteMany({});
  world.clock.set('2027-06-15T19:00:00Z');
  root = await world.person({ role: 'SUPER_ADMIN', firstName: 'Root', lastName: 'Zero' });
});

describe('the list', () => {
  /** Seven volunteers, a minute apart, the first the oldest. */
  async function seven(): Promise<string[]> {
    const createdIds: string[] = [];
    for (let n = 0; n < 7; n++) {
      world.clock.advance(60_000);
      createdIds.push((await world.person({ firstName: `V${n}` })).id);
    }
    return [root.id, ...createdIds];
  }

  async function walk(query: string): Promise<string[]> {
    const listedIds: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await root.get(`/api/users?${query}${from}`).expect(200);
      listedIds.push(...ids(body));
      cursor = body.nextCursor;
    }
    return listedIds;
  }

  test('has data and nextCursor, and full user records without internal fields', async () => {
    const { body } = await root.get('/api/users').expect(200);
    expect(Object.keys(body).sort()).toEqual(['data', 'nextCursor']);
    expect(body.nextCursor).toBeNull();
    expect(Object.keys(body.data[0]).sort()).toEqual(USER_KEYS);
  });

  test('is newest first by default, and oldest first with sort=createdAt', async () => {
    const all = await seven();
    expect(ids((await root.get('/api/users').expect(200)).body)).toEqual([...all].reverse());
    expect(ids((await root.get('/api/users?sort=-createdAt').expect(200)).body)).toEqual([...all].reverse());
    expect(ids((await root.get('/api/users?sort=createdAt').expect(200)).body)).toEqual(all);
  });

  test.each([1, 3, 4, 8])('in pages of %i contains everyone once, in order', async (limit) => {
    const all = await seven();
    expect(await walk(`limit=${limit}`)).toEqual([...all].reverse());
    expect(await walk(`limit=${limit}&sort=createdAt`)).toEqual(all);
  });

  test('contains everyone once, even if all were created at the same time', async () => {
    const all = [root.id];
    for (let n = 0; n < 6; n++) all.push((await world.person()).id);
    for (const sort of ['createdAt', '-createdAt']) {
      const listedIds = await walk(`limit=2&sort=${sort}`);
      expect(listedIds).toHaveLength(7);
      expect([...listedIds].sort()).toEqual([...all].sort());
    }
  });

  test('sorted by first name is in dictionary order, across pages and in both directions', async () => {
    const names = [
      ['bo', 'Zander'],
      ['Ana', 'Field'],
      ['Bo', 'Adler'],
      ['ana', 'diaz'],
      ['Cy', 'Moss'],
      ['Ana', 'Field'],
    ] as const;
    const createdIds: string[] = [];
    for (const [firstName, lastName] of names)
      createdIds.push((await world.person({ firstName, lastName })).id);
    const [boZander, ana, boAdler, diaz, cy, otherAna] = createdIds;
    const sorted = [diaz, ...[ana, otherAna].sort(), boAdler, boZander, cy, root.id];
    for (const limit of [1, 2, 3, 50]) {
      expect(await walk(`limit=${limit}&sort=firstName`)).toEqual(sorted);
      expect(await walk(`limit=${limit}&sort=-firstName`)).toEqual([...sorted].reverse());
    }
  });

  test('has no next page after the last record', async () => {
    await seven();
    const { body } = await root.get('/api/users?limit=8').expect(200);
    expect(body.nextCursor).toBeNull();
  });

  test('has a total only with total=true, over all pages and with filters', async () => {
    await seven();
    const counted = await root.get('/api/users?limit=2&total=true&role=VOLUNTEER').expect(200);
    expect(counted.body).toMatchObject({ total: 7 });
    expect(counted.body.data).toHaveLength(2);
    expect((await root.get('/api/users?total=false').expect(200)).body).not.toHaveProperty('total');
  });

  test('filters by location, status and role, also combined', async () => {
    const [here, there] = [await world.place(), await world.place()];
    const a = await world.person({ location: here, approvalStatus: 'PENDING' });
    const b = await world.person({ location: here, role: 'MANAGER' });
    const c = await world.person({ location: there, approvalStatus: 'REJECTED' });
    const listIds = async (query: string) =>
      ids((await root.get(`/api/users?${query}`).expect(200)).body).sort();
    expect(await listIds(`location=${here}`)).toEqual([a.id, b.id].sort());
    expect(await listIds('status=PENDING')).toEqual([a.id]);
    expect(await listIds('status=REJECTED')).toEqual([c.id]);
    expect(await listIds('role=MANAGER')).toEqual([b.id]);
    expect(await listIds(`location=${here}&status=APPROVED&role=MANAGER`)).toEqual([b.id]);
    expect(await listIds(`location=${NOBODY}`)).toEqual([]);
  });

  test('with decidable=true contains only pending people whom the caller can approve', async () => {
    const [here, there] = [await world.place(), await world.place()];
    const waits = async (options: PersonOptions) =>
      (await world.person({ location: here, ...options, approvalStatus: 'PENDING' })).id;
    const early = await waits({ createdAt: new Date('2027-06-14T19:00:00Z') });
    const own = [await waits({}), await waits({})];
    const others = [
      ...[await waits({ location: there }), await waits({ location: null }), early],
      ...[await waits({ role: 'MANAGER' }), await waits({ role: 'ADMIN' })],
    ];
    const above = await waits({ role: 'SUPER_ADMIN' });
    await world.person({ location: here });
    const decidedBy = async (caller: Person) => {
      const { body } = await caller.get('/api/users?decidable=true&total=true').expect(200);
      const one = await caller.get('/api/users?decidable=true&limit=1&total=true').expect(200);
      expect([body.total, one.body.total]).toEqual([body.data.length, body.data.length]);
      return ids(body).sort();
    };
    const manager = await world.person({ role: 'MANAGER', location: here });
    expect(await decidedBy(manager)).toEqual(own.sort());
    expect(await decidedBy(await world.person({ role: 'MANAGER' }))).toEqual([]);
    expect(await decidedBy(await world.person({ role: 'ADMIN' }))).toEqual([...own, ...others].sort());
    expect(await decidedBy(root)).toEqual([...own, ...others, above].sort());
    for (const id of [...own, ...others, above])
      await manager
        .patch(`/api/users/${id}`, { approvalStatus: 'APPROVED' })
        .expect(own.includes(id) ? 200 : 403);
    expect(await decidedBy(manager)).toEqual([]);
    await (await world.person()).get('/api/users?decidable=true').expect(403);
  });

  test('leaves out deleted users', async () => {
    const deletedUser = await world.person();
    await root.delete(`/api/users/${deletedUser.id}`).expect(204);
    const { body } = await root.get('/api/users?total=true').expect(200);
    expect({ ids: ids(body), total: body.total }).toEqual({ ids: [root.id], total: 1 });
  });

  test.each([
    ['an unknown parameter', 'colour=red'],
    ['an unknown status', 'status=SLEEPING'],
    ['an unknown role', 'role=KING'],
    ['a limit of 0', 'limit=0'],
    ['a limit of 201', 'limit=201'],
    ['a limit that is no number', 'limit=many'],
    ['a limit with a fraction', 'limit=1.5'],
    ['an unknown order', 'sort=phone'],
    ['a broken cursor', 'cursor=nonsense'],
    ['a parameter given twice', 'status=PENDING&status=APPROVED'],
    ['an operator', 'status[$ne]=PENDING'],
    ['an array', 'role[]=ADMIN'],
    ['a prototype key', '__proto__=1'],
    ['a total that is neither true nor false', 'total=maybe'],
    ['a decidable that is neither true nor false', 'decidable=1'],
  ])('with %s is 400 INVALID_QUERY', async (_title, query) => {
    const { body } = await root.get(`/api/users?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'INVALID_QUERY', message: expect.any(String) });
  });
});

describe('the search', () => {
  beforeEach(async () => {
    await world.person({ firstName: 'María', lastName: 'Núñez', phone: '+12067009001' });
    await world.person({ firstName: 'Marcus', lastName: 'Cruz', phone: '+12067009002' });
    await world.person({ firstName: 'Dot', lastName: 'O’Hara', phone: '+13105557777' });
  });

  test.each([
    ['mar', ['Marcus', 'María']],
    ['MARC', ['Marcus']],
    ['maría', ['María']],
    ['cruz', ['Marcus']],
    ['marcus cru', ['Marcus']],
    ['cruz marcus', ['Marcus']],
    ['marcus núñez', []],
    ['arcus', []],
    ['7009', ['Marcus', 'María']],
    ['9002', ['Marcus']],
    ['+12067009001', ['María']],
    ['555', ['Dot']],
    ['dot 7777', ['Dot']],
    ['nobody', []],
    ['.*', []],
    ['mar(', []],
    ['^m', []],
    ['$where', []],
  ])('for "%s" finds %j', async (search, expected) => {
    const { body } = await root
      .get(`/api/users?role=VOLUNTEER&search=${encodeURIComponent(search)}`)
      .expect(200);
    expect(body.data.map((user: { firstName: string }) => user.firstName).sort()).toEqual(expected);
  });

  test('works with the other filters and with pages', async () => {
    const { body } = await root.get('/api/users?search=mar&limit=1&total=true').expect(200);
    expect(body).toMatchObject({ total: 2, nextCursor: expect.any(String) });
    expect((await root.get('/api/users?search=mar&role=ADMIN').expect(200)).body.data).toEqual([]);
  });
});
