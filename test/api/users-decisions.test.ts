/** The decisions that an approver made, and which can still be undone. */
import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import { castOfFile, DAY, refused } from './kit.ts';

const cast = castOfFile();
const url = '/api/users/decisions';
const decisionsFor = async (by: Person, user?: Person): Promise<Body[]> =>
  (await by.get(user ? `${url}?user=${user.id}` : url).expect(200)).body.data;
const undone = async (by: Person, user?: Person) =>
  (await decisionsFor(by, user)).map(({ user: { id }, undo: { was, ...undo } }) => [id, undo]);
const newcomer = (role = 'VOLUNTEER') =>
  cast.world.person({ role: role as 'VOLUNTEER', location: cast.site, approvalStatus: 'PENDING' });
const patch = (by: Person, { id }: Person, body: object, status = 200) =>
  by.patch(`/api/users/${id}`, body).expect(status);

beforeEach(() => void cast.world.clock.real());

test('approvals and role changes can be undone with the listed values, until something else changed', async () => {
  const { admin, root } = cast;
  const [ann, ben, cy] = [await newcomer(), await newcomer(), await newcomer()];
  await patch(admin, ann, { approvalStatus: 'APPROVED' });
  await patch(admin, ben, { approvalStatus: 'APPROVED', role: 'MANAGER' });
  await patch(admin, cy, { approvalStatus: 'REJECTED' });
  await patch(admin, ann, { location: null });
  expect(await undone(admin)).toEqual([
    [ann.id, { location: cast.site }],
    [ben.id, { role: 'VOLUNTEER', approvalStatus: 'PENDING' }],
    [ann.id, { approvalStatus: 'PENDING' }],
  ]);
  // Only a super-admin can undo a rejection, on the person's page.
  expect(await undone(admin, cy)).toEqual([]);
  expect(await undone(root, cy)).toEqual([[cy.id, { approvalStatus: 'PENDING' }]]);
  expect(await undone(root)).toEqual([]);

  const [decision] = await decisionsFor(root, ben);
  expect(decision).toMatchObject({ by: admin.id, user: { id: ben.id, role: 'MANAGER' } });
  await patch(admin, ben, decision?.undo);
  await patch(root, ann, { role: 'ADMIN' });
  // Changes of the account do not depend on the site.
  await patch(admin, ann, { location: cast.site });
  expect(await undone(admin)).toEqual([
    [ann.id, { location: null }],
    [ann.id, { approvalStatus: 'PENDING' }],
  ]);
  expect(await undone(root, ann)).toEqual([
    [ann.id, { location: null }],
    [ann.id, { role: 'VOLUNTEER' }],
  ]);
  expect(await undone(root, ben)).toEqual([]);
});

test('the caller’s list has today’s decisions; a person’s list has those that can still be undone', async () => {
  const { admin, manager, world } = cast;
  const dee = await newcomer();
  await patch(manager, dee, { approvalStatus: 'APPROVED' });
  expect(await undone(manager)).toEqual([[dee.id, { approvalStatus: 'PENDING' }]]);
  world.clock.advance(2 * DAY);
  expect(await undone(manager)).toEqual([]);
  // A manager can change people who signed up today, an admin anyone.
  expect(await undone(manager, dee)).toEqual([]);
  expect(await undone(admin, dee)).toEqual([[dee.id, { approvalStatus: 'PENDING' }]]);
});

test('undoing a site assignment needs permission for the previous site, which must still exist', async () => {
  const { admin, manager, root, site, world } = cast;
  const sites = [await world.place(), await world.place()];
  const [fay, gus] = [await newcomer(), await newcomer()];
  await patch(admin, fay, { location: sites[0] });
  await patch(admin, fay, { location: sites[1] });
  await patch(manager, gus, { location: sites[0] });
  const [decision] = await decisionsFor(root, fay);
  expect(decision).toMatchObject({
    by: admin.id,
    changes: [{ path: 'location', before: sites[0], after: sites[1] }],
    undo: { location: sites[0], was: { location: sites[1] } },
  });
  // A manager who moved a person to another site cannot undo it.
  expect(await undone(manager, gus)).toEqual([]);
  expect(await undone(admin, gus)).toEqual([[gus.id, { location: site }]]);
  await root.delete(`/api/locations/${sites[0]}`).expect(204);
  expect(await undone(admin, fay)).toEqual([]);
  expect(await undone(root, fay)).toEqual([]);
});

test('an undo does not revert what someone else decided since', async () => {
  const { admin, root, site, world } = cast;
  const [hal, ida] = [await newcomer(), await newcomer()];
  const sites = [await world.place(), await world.place()];
  await patch(admin, hal, { location: sites[0] });
  await patch(admin, ida, { approvalStatus: 'APPROVED', role: 'MANAGER' });
  const [account, place] = (await decisionsFor(admin)).map(({ undo }) => undo);
  await patch(root, hal, { location: sites[1] });
  await patch(root, ida, { role: 'ADMIN' });
  refused(await root.patch(`/api/users/${hal.id}`, place), 409, 'EDIT_CONFLICT');
  refused(await root.patch(`/api/users/${ida.id}`, account), 409, 'EDIT_CONFLICT');
  const now = await Promise.all([hal, ida].map(({ id }) => root.get(`/api/users/${id}`)));
  expect(now.map(({ body }) => [body.location, body.role, body.approvalStatus])).toEqual([
    [sites[1], 'VOLUNTEER', 'PENDING'],
    [site, 'ADMIN', 'APPROVED'],
  ]);
  // Other decisions do not matter, and a changed condition alone is no change.
  await patch(root, hal, { approvalStatus: 'APPROVED' });
  await patch(root, hal, { location: null, was: { location: sites[1] } });
  await patch(root, hal, { location: site, was: { location: null, approvalStatus: 'APPROVED' } });
  refused(await root.patch(`/api/users/${hal.id}`, { was: { location: site } }), 400, 'VALIDATION_ERROR');
});

test('undo lists need permission to list people, and contain nothing about oneself', async () => {
  const { volunteer, root } = cast;
  refused(await volunteer.get(url), 403);
  await patch(root, volunteer, { role: 'MANAGER' });
  await patch(root, volunteer, { role: 'VOLUNTEER' });
  expect(await undone(volunteer, volunteer)).toEqual([]);
  refused(await volunteer.get(`${url}?user=${root.id}`), 403);
  refused(await root.get(`${url}?user=me`), 400, 'INVALID_QUERY');
});
