/** Approval: every transition between two states by every role, concurrent approvers, and the last super-admin. */
import mongoose from 'mongoose';
import { type ApprovalStatus, type Person, ROLES, type Role, type Test, worldOfFile } from '../people.ts';
import { approvalStatusOf } from './situation.ts';

const STATES = ['PENDING', 'APPROVED', 'REJECTED'] as const;
/** Roles that get 200. A volunteer never does: 403 comes before 409. */
const MOVES: Record<string, Role[]> = {
  'PENDING → APPROVED': ['SUPER_ADMIN', 'ADMIN', 'MANAGER'],
  'PENDING → REJECTED': ['SUPER_ADMIN', 'ADMIN', 'MANAGER'],
  'APPROVED → PENDING': ['SUPER_ADMIN', 'ADMIN', 'MANAGER'],
  'REJECTED → PENDING': ['SUPER_ADMIN'],
};

let site: string;
let people: Record<Role, Person>;

const world = worldOfFile();
beforeAll(async () => {
  world.clock.set('2027-06-15T19:00:00Z');
  site = await world.place();
  const entries = ROLES.map(async (role) => [role, await world.person({ role, location: site })] as const);
  people = Object.fromEntries(await Promise.all(entries)) as Record<Role, Person>;
});

const volunteer = (approvalStatus: ApprovalStatus) => world.person({ approvalStatus, location: site });

function expectedOf(role: Role, from: ApprovalStatus, to: ApprovalStatus): number {
  const allowed = MOVES[`${from} → ${to}`];
  if (role === 'VOLUNTEER') return 403;
  if (!allowed) return 409;
  return allowed.includes(role) ? 200 : 403;
}

const cases = STATES.flatMap((from) =>
  STATES.flatMap((to) => ROLES.map((role) => [role, from, to, expectedOf(role, from, to)] as const)),
);

test.each(cases)('a %s moves a volunteer from %s to %s: %i', async (role, from, to, expected) => {
  const target = await volunteer(from);
  const { status, body } = await people[role].patch(`/api/users/${target.id}`, { approvalStatus: to });
  expect(status).toBe(expected);
  if (expected === 409) expect(body.code).toBe('INVALID_TRANSITION');
  if (expected === 200) expect(body.approvalStatus).toBe(to);
  expect(await approvalStatusOf(target.id)).toBe(expected === 200 ? to : from);
});

test('approvedBy is the approver and set only by the server', async () => {
  const target = await volunteer('PENDING');
  const change = { approvalStatus: 'APPROVED', approvedBy: people.ADMIN.id };
  await people.MANAGER.patch(`/api/users/${target.id}`, change).expect(400);
  const { body } = await people.MANAGER.patch(`/api/users/${target.id}`, {
    approvalStatus: 'APPROVED',
  }).expect(200);
  expect(body.approvedBy).toBe(people.MANAGER.id);
});

test('an approval opens the protected routes immediately, and a reset closes them immediately', async () => {
  const target = await volunteer('PENDING');
  await target.get('/api/seeds').expect(403);
  await people.ADMIN.patch(`/api/users/${target.id}`, { approvalStatus: 'APPROVED' }).expect(200);
  await target.get('/api/seeds').expect(200);
  await people.ADMIN.patch(`/api/users/${target.id}`, { approvalStatus: 'PENDING' }).expect(200);
  await target.get('/api/seeds').expect(403);
});

test('an invalid transition rejects the whole change', async () => {
  const target = await volunteer('REJECTED');
  const changes = { approvalStatus: 'APPROVED', firstName: 'Changed' };
  await people.SUPER_ADMIN.patch(`/api/users/${target.id}`, changes).expect(409);
  const { body } = await people.SUPER_ADMIN.get(`/api/users/${target.id}`).expect(200);
  expect(body).toMatchObject({ firstName: 'Test', approvalStatus: 'REJECTED' });
});

const tally = async (tests: Test[]) => {
  const answers = await Promise.all(tests);
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = body?.code ? `${status} ${body.code}` : String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

test('exactly one of 20 concurrent approvals is 200, the others are 409', async () => {
  const target = await volunteer('PENDING');
  const url = `/api/users/${target.id}`;
  const approvals = Array.from({ length: 20 }, (_, n) =>
    (n % 2 ? people.ADMIN : people.MANAGER).patch(url, { approvalStatus: 'APPROVED' }),
  );
  expect(await tally(approvals)).toEqual({ 200: 1, '409 INVALID_TRANSITION': 19 });
});

test('exactly one of a concurrent approval and rejection is 200', async () => {
  for (let round = 0; round < 5; round++) {
    const target = await volunteer('PENDING');
    const url = `/api/users/${target.id}`;
    const counts = await tally([
      people.ADMIN.patch(url, { approvalStatus: 'APPROVED' }),
      people.MANAGER.patch(url, { approvalStatus: 'REJECTED' }),
    ]);
    expect(counts).toEqual({ 200: 1, '409 INVALID_TRANSITION': 1 });
  }
});

describe('the last approved super admin', () => {
  const users = () => mongoose.connection.collection('users');
  const approvedRoots = () =>
    users().countDocuments({ role: 'SUPER_ADMIN', approvalStatus: 'APPROVED', deletedAt: null });
  const root = () => world.person({ role: 'SUPER_ADMIN' });
  const remover = () =>
    world.person({ permissions: [{ action: 'delete', subject: 'User', conditions: [] }] });

  beforeEach(async () => {
    await users().deleteMany({ role: 'SUPER_ADMIN' });
  });

  test('cannot be deleted with a grant to delete users: 409', async () => {
    const [only, pending] = [
      await root(),
      await world.person({ role: 'SUPER_ADMIN', approvalStatus: 'PENDING' }),
    ];
    const { body } = await (await remover()).delete(`/api/users/${only.id}`).expect(409);
    expect(body.code).toBe('LAST_SUPER_ADMIN');
    expect(await approvedRoots()).toBe(1);
    await only.delete(`/api/users/${pending.id}`).expect(204);
  });

  test('does not prevent removing another super admin', async () => {
    const boss = await root();
    await boss.delete(`/api/users/${(await root()).id}`).expect(204);
    await boss.patch(`/api/users/${(await root()).id}`, { approvalStatus: 'PENDING' }).expect(200);
    await boss.patch(`/api/users/${(await root()).id}`, { role: 'ADMIN' }).expect(200);
    expect(await approvedRoots()).toBe(1);
  });

  test('survives when the last two are deleted at the same time', async () => {
    const people = [await remover(), await remover()];
    for (let round = 0; round < 5; round++) {
      await users().deleteMany({ role: 'SUPER_ADMIN' });
      const roots = [await root(), await root()];
      const counts = await tally(roots.map((one, at) => people[at]?.delete(`/api/users/${one.id}`) as Test));
      expect(counts).toEqual({ 204: 1, '409 LAST_SUPER_ADMIN': 1 });
      expect(await approvedRoots()).toBe(1);
    }
  });

  test.each([
    ['delete each other', (by: Person, other: Person) => by.delete(`/api/users/${other.id}`)],
    [
      'reset each other',
      (by: Person, other: Person) => by.patch(`/api/users/${other.id}`, { approvalStatus: 'PENDING' }),
    ],
    [
      'make each other an admin',
      (by: Person, other: Person) => by.patch(`/api/users/${other.id}`, { role: 'ADMIN' }),
    ],
  ])('remains when two %s at the same time', async (_title, act) => {
    for (let round = 0; round < 8; round++) {
      await users().deleteMany({ role: 'SUPER_ADMIN' });
      const [a, b] = [await root(), await root()];
      const answers = await Promise.all([act(a, b), act(b, a)]);
      expect(await approvedRoots()).toBe(1);
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    }
  });
});
