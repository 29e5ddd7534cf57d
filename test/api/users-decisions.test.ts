/** What an approver has decided, and could take back now. */
import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import { castOfFile, DAY, refused } from './kit.ts';

const cast = castOfFile();
const url = '/api/users/decisions';
const asked = async (by: Person, user?: Person): Promise<Body[]> =>
  (await by.get(user ? `${url}?user=${user.id}` : url).expect(200)).body.data;
const undone = async (by: Person, user?: Person) =>
  (await asked(by, user)).map(({ user: { id }, undo: { was, ...undo } }) => [id, undo]);
const newcomer = (role = 'VOLUNTEER') =>
  cast.world.person({ role: role as 'VOLUNTEER', location: cast.site, approvalStatus: 'PENDING' });
const patch = (by: Person, { id }: Person, body: object, status = 200) =>
  by.patch(`/api/users/${id}`, body).expect(status);

beforeEach(() => void cast.world.clock.real());

test('an approval and a change of role can be taken back by what the list says, until something else came after', async () => {
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
  // A rejection is for a super-admin alone to take back, who finds it at the person.
  expect(await undone(admin, cy)).toEqual([]);
  expect(await undone(root, cy)).toEqual([[cy.id, { approvalStatus: 'PENDING' }]]);
  expect(await undone(root)).toEqual([]);

  const [told] = await asked(root, ben);
  expect(told).toMatchObject({ by: admin.id, user: { id: ben.id, role: 'MANAGER' } });
  await patch(admin, ben, told?.undo);
  await patch(root, ann, { role: 'ADMIN' });
  // What was done to the account has nothing to do with the site.
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

test('the own list is of today; at the person a decision stays as long as the rules let it be taken back', async () => {
  const { admin, manager, world } = cast;
  const dee = await newcomer();
  await patch(manager, dee, { approvalStatus: 'APPROVED' });
  expect(await undone(manager)).toEqual([[dee.id, { approvalStatus: 'PENDING' }]]);
  world.clock.advance(2 * DAY);
  expect(await undone(manager)).toEqual([]);
  // A manager changes who came today, an admin whoever came.
  expect(await undone(manager, dee)).toEqual([]);
  expect(await undone(admin, dee)).toEqual([[dee.id, { approvalStatus: 'PENDING' }]]);
});

test('people are sent back to the site that they had, by those who may send them there, and while there is such a site', async () => {
  const { admin, manager, root, site, world } = cast;
  const sites = [await world.place(), await world.place()];
  const [fay, gus] = [await newcomer(), await newcomer()];
  await patch(admin, fay, { location: sites[0] });
  await patch(admin, fay, { location: sites[1] });
  await patch(manager, gus, { location: sites[0] });
  const [told] = await asked(root, fay);
  expect(told).toMatchObject({
    by: admin.id,
    changes: [{ path: 'location', before: sites[0], after: sites[1] }],
    undo: { location: sites[0], was: { location: sites[1] } },
  });
  // Whoever gave a person to another site has none to take back.
  expect(await undone(manager, gus)).toEqual([]);
  expect(await undone(admin, gus)).toEqual([[gus.id, { location: site }]]);
  await root.delete(`/api/locations/${sites[0]}`).expect(204);
  expect(await undone(admin, fay)).toEqual([]);
  expect(await undone(root, fay)).toEqual([]);
});

test('what takes a decision back takes back nothing that someone else decided since', async () => {
  const { admin, root, site, world } = cast;
  const [hal, ida] = [await newcomer(), await newcomer()];
  const sites = [await world.place(), await world.place()];
  await patch(admin, hal, { location: sites[0] });
  await patch(admin, ida, { approvalStatus: 'APPROVED', role: 'MANAGER' });
  const [account, place] = (await asked(admin)).map(({ undo }) => undo);
  await patch(root, hal, { location: sites[1] });
  await patch(root, ida, { role: 'ADMIN' });
  refused(await root.patch(`/api/users/${hal.id}`, place), 409, 'EDIT_CONFLICT');
  refused(await root.patch(`/api/users/${ida.id}`, account), 409, 'EDIT_CONFLICT');
  const now = await Promise.all([hal, ida].map(({ id }) => root.get(`/api/users/${id}`)));
  expect(now.map(({ body }) => [body.location, body.role, body.approvalStatus])).toEqual([
    [sites[1], 'VOLUNTEER', 'PENDING'],
    [site, 'ADMIN', 'APPROVED'],
  ]);
  // What was decided about something else is no matter; nor is a condition alone a change.
  await patch(root, hal, { approvalStatus: 'APPROVED' });
  await patch(root, hal, { location: null, was: { location: sites[1] } });
  await patch(root, hal, { location: site, was: { location: null, approvalStatus: 'APPROVED' } });
  refused(await root.patch(`/api/users/${hal.id}`, { was: { location: site } }), 400, 'VALIDATION_ERROR');
});

test('who lists no people is refused, and of oneself nothing is to be taken back', async () => {
  const { volunteer, root } = cast;
  refused(await volunteer.get(url), 403);
  await patch(root, volunteer, { role: 'MANAGER' });
  await patch(root, volunteer, { role: 'VOLUNTEER' });
  expect(await undone(volunteer, volunteer)).toEqual([]);
  refused(await volunteer.get(`${url}?user=${root.id}`), 403);
  refused(await root.get(`${url}?user=me`), 400, 'INVALID_QUERY');
});
