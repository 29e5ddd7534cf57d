import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import { type Cast, DAY, draft, refused, startCast, submit } from './kit.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await startCast();
});
afterAll(() => cast.world.stop());

const audit = async (person: Person, query = ''): Promise<Body[]> =>
  (await person.get(`/api/audit${query}`).expect(200)).body.data;

test('each change is told once: who, what, which record, when, before and after', async () => {
  const { id } = (await cast.admin.post('/api/locations', { name: 'Pier 7', type: 'CLINIC' }).expect(201))
    .body;
  await cast.root.patch(`/api/locations/${id}`, { name: 'Pier 8' }).expect(200);
  await cast.admin.delete(`/api/locations/${id}`).expect(204);
  const events = await audit(cast.admin, `?record=${id}`);
  expect(events).toEqual([
    expect.objectContaining({ action: 'delete', by: cast.admin.id, changes: [], hidden: false }),
    expect.objectContaining({
      action: 'update',
      by: cast.root.id,
      subject: 'Location',
      record: id,
      changes: [{ path: 'name', before: 'Pier 7', after: 'Pier 8' }],
    }),
    expect.objectContaining({ action: 'create', by: cast.admin.id }),
  ]);
  expect(Object.keys(events[0]).sort()).toEqual(
    ['action', 'at', 'by', 'changes', 'hidden', 'id', 'record', 'subject'].sort(),
  );
});

test('the list is filtered by person, kind of record, action and time, and paged', async () => {
  const { world } = cast;
  const mine = await world.person({ role: 'ADMIN', location: cast.site });
  const made: string[] = [];
  for (let at = 0; at < 3; at++)
    made.unshift((await mine.post('/api/seeds', { location: cast.site }).expect(201)).body.id);
  await submit(cast, {}, mine);
  const by = `?by=${mine.id}`;
  const records = (events: Body[]) => events.map((one) => one.record);
  expect(records(await audit(cast.root, `${by}&subject=Seed`))).toEqual(made);
  expect(await audit(cast.root, `${by}&subject=User`)).toEqual([]);
  expect(await audit(cast.root, `${by}&action=delete`)).toEqual([]);
  expect((await audit(cast.root, by)).every((one) => one.by === mine.id)).toBe(true);
  const tomorrow = new Date(world.clock.now().getTime() + DAY).toISOString();
  expect(await audit(cast.root, `${by}&from=${tomorrow}`)).toEqual([]);
  expect((await audit(cast.root, `${by}&to=${tomorrow}`)).length).toBeGreaterThan(3);

  const first = (await cast.root.get(`/api/audit${by}&subject=Seed&limit=2&total=true`).expect(200)).body;
  expect([records(first.data), first.total]).toEqual([made.slice(0, 2), 3]);
  const next = await audit(cast.root, `${by}&subject=Seed&limit=2&cursor=${first.nextCursor}`);
  expect(records(next)).toEqual(made.slice(2));
});

test('what was changed in a survey is shown to whoever may read that survey', async () => {
  const { world } = cast;
  const survey = await submit(cast, { status: 'IN_PROGRESS' });
  await cast.volunteer.patch(`/api/surveys/${survey.id}`, draftAnswers()).expect(200);
  const update = async (person: Person) =>
    (await audit(person, `?record=${survey.id}&action=update`))[0] as Body;
  expect((await update(cast.admin)).changes).not.toEqual([]);
  expect((await update(cast.admin)).hidden).toBe(false);

  world.clock.advance(2 * DAY);
  expect(await update(cast.admin)).toMatchObject({ changes: [], hidden: true, subject: 'Survey' });
  expect((await update(cast.root)).changes).not.toEqual([]);
  world.clock.real();
});

const draftAnswers = () => ({ responses: { ...draft(cast).responses, networkSize: 31 } });

test('who is neither ADMIN nor SUPER_ADMIN is refused', async () => {
  refused(await cast.manager.get('/api/audit'), 403);
  refused(await cast.volunteer.get('/api/audit'), 403);
});

test('a wrong query is refused', async () => {
  for (const query of ['?by=me', '?subject=Password', '?action=read', '?from=soon', '?record[$ne]=1', '?x=1'])
    refused(await cast.root.get(`/api/audit${query}`), 400, 'INVALID_QUERY');
});
