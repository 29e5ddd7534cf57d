/**
 * Permissions: each row of table.ts, tested on the real service. The last tests require the table to be complete: a
 * documented route without a row fails, with what to add.
 */

import { apiRoutes } from '../../src/routes.ts';
import { smallQuestionnaire } from '../make.ts';
import { ROLES, type Role, type World, worldOfFile } from '../people.ts';
import { ACTS } from './acts.ts';
import { type Scene, situation } from './situation.ts';
import { MATRIX, OPEN, SIGNED_IN } from './table.ts';

interface Row {
  route: string;
  text: string;
  cells: Record<Role, string>;
}

const [HEAD, ...ROWS] = MATRIX.trim()
  .split('\n')
  .filter((line) => line.trim())
  .map((line) => line.split('|').map((cell) => cell.trim()));
const rows: Row[] = ROWS.map(([route = '', text = '', ...cells]) => ({
  route,
  text,
  cells: Object.fromEntries(cells.map((cell, at) => [HEAD?.[at + 2], cell])) as Record<Role, string>,
}));

/**
 * Five minutes after and before local midnight (Los Angeles, UTC-7 in June). Every other row is tested at the second, so
 * that each route with several is tested at both; days.test.ts has all edges of a day.
 */
const MOMENTS = {
  'at 00:05': {
    now: '2027-06-15T07:05:00Z',
    today: '2027-06-15T07:00:00Z',
    yesterday: '2027-06-15T06:55:00Z',
  },
  'at 23:55': {
    now: '2027-06-16T06:55:00Z',
    today: '2027-06-15T07:05:00Z',
    yesterday: '2027-06-15T06:59:59.999Z',
  },
};

let scene: Omit<Scene, 'now' | 'today' | 'yesterday'>;

const world = worldOfFile();
beforeAll(async () => {
  world.clock.set('2027-06-14T12:00:00Z');
  await world.person({ role: 'SUPER_ADMIN' });
  await smallQuestionnaire(world);
  scene = { world, here: await world.place(), there: await world.place() };
});

for (const [at, [moment, times]] of Object.entries(MOMENTS).entries()) {
  describe(`${moment} local time`, () => {
    const selectedRows = rows.filter((_, index) => index % 2 === at);
    test.each(selectedRows.map((row) => [row.route, row.text, row] as const))(
      '%s: %s',
      async (route, text, row) => {
        const { now, today, yesterday } = times;
        const full = { ...scene, now: new Date(now), today: new Date(today), yesterday: new Date(yesterday) };
        const act = ACTS[route];
        if (!act) throw new Error(`${route} has a row in table.ts and no act: add one to acts.ts`);
        world.clock.set(now);
        // Each role has separate records, and all act at the same time.
        const cells = await Promise.all(
          ROLES.map(async (role) => [role, await act(await situation(full, role, text))]),
        );
        expect(Object.fromEntries(cells)).toEqual(row.cells);
      },
    );
  });
}

/** `GET /api/users/:id` for everything that the service documents. */
async function documentedRoutes(): Promise<string[]> {
  const { body } = await world.anonymous.get('/documentation/openapi.json').expect(200);
  return Object.entries(body.paths as Record<string, object>)
    .flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((key) => ['get', 'post', 'put', 'patch', 'delete'].includes(key))
        .map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    )
    .filter((route) => route.includes(' /api/'));
}

describe('the table is complete', () => {
  test('every route has a row for every role or is listed as open', async () => {
    const missing = (await documentedRoutes()).filter(
      (route) => !OPEN.includes(route) && !rows.some((row) => row.route === route),
    );
    expect(
      missing.map((route) => `add a row "${route} | situation | … | … | … | …" to test/access/table.ts`),
    ).toEqual([]);
    expect(HEAD?.slice(2)).toEqual(ROLES);
    expect(rows.filter((row) => ROLES.some((role) => !row.cells[role]))).toEqual([]);
  });

  test('the table contains no route that does not exist', async () => {
    const documented = await documentedRoutes();
    const unknownRoutes = [...rows.map((row) => row.route), ...OPEN].filter(
      (route) => !documented.includes(route),
    );
    expect([...new Set(unknownRoutes)]).toEqual([]);
  });
});

describe('before permissions are checked', () => {
  const closed = async () => (await documentedRoutes()).filter((route) => !OPEN.includes(route));
  const send = (person: World['anonymous'], route: string) => {
    const [method = '', path = ''] = route.split(' ');
    const url = path.replace(/:\w+/g, '0123456789abcdef01234567');
    return person[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'](url);
  };

  async function refusesAll(person: World['anonymous'], expectedStatus: number): Promise<void> {
    const answers = (await closed()).map(async (route) => {
      const { status, body } = await send(person, route);
      return { route, status, keys: Object.keys(body) };
    });
    for (const answer of await Promise.all(answers))
      expect(answer).toEqual({ route: answer.route, status: expectedStatus, keys: ['message'] });
  }

  test('without a token every route that is not open returns 401', async () => {
    world.clock.real();
    await refusesAll(world.anonymous, 401);
  });

  for (const approvalStatus of ['PENDING', 'REJECTED'] as const) {
    test.each(ROLES)(`a ${approvalStatus} %s gets 403 from every route that is not open`, async (role) => {
      world.clock.real();
      const person = await world.person({ role, approvalStatus, location: scene.here });
      await refusesAll(person, 403);
    });
  }

  test('the list of locations and the health checks need no token', async () => {
    for (const url of ['/api/locations', '/api/health/live', '/api/health/ready']) {
      await world.anonymous.get(url).expect(200);
    }
  });

  test('the routes of one’s own sign-in are those that the service declares', () => {
    const declared = apiRoutes
      .filter(({ access }) => access === 'signed-in')
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(declared.toSorted()).toEqual(SIGNED_IN.toSorted());
  });

  test.each(SIGNED_IN)('%s needs a token but no approval', async (route) => {
    world.clock.real();
    expect((await send(world.anonymous, route)).status).toBe(401);
    for (const approvalStatus of ['PENDING', 'REJECTED', 'APPROVED'] as const) {
      const { status } = await send(await world.person({ approvalStatus }), route);
      expect([200, 201, 204, 400, 404]).toContain(status);
    }
  });
});
