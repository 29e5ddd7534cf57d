/** Reads of interviews held by others are in the audit: one event an hour for each reader and record. */
import mongoose from 'mongoose';
import type { Body } from '../make.ts';
import { castOfFile, HOUR, submit } from './kit.ts';

const cast = castOfFile();

const reads = async (query: string): Promise<Body[]> =>
  (await cast.root.get(`/api/audit?action=read&${query}`).expect(200)).body.data;

test('reading an interview in any way is recorded as one read event per person and hour', async () => {
  const clock = cast.world.clock;
  clock.set(`${new Date().toISOString().slice(0, 10)}T10:10:00Z`);
  const { id, location } = await submit(cast);
  for (const path of ['', '/history', '/answers', '/comments', ''])
    await cast.manager.get(`/api/surveys/${id}${path}`).expect(200);
  expect(await reads(`record=${id}`)).toMatchObject([
    { by: cast.manager.id, subject: 'Survey', record: id, location, changes: [], action: 'read' },
  ]);
  clock.advance(HOUR);
  await cast.manager.get(`/api/surveys/${id}/history`).expect(200);
  await cast.admin.get(`/api/surveys/${id}/answers`).expect(200);
  const readers = (await reads(`record=${id}`)).map(({ by }) => by);
  expect(readers.sort()).toEqual([cast.manager.id, cast.manager.id, cast.admin.id].sort());
  clock.real();
});

test('a write that changes nothing is recorded as a read', async () => {
  const { id } = await submit(cast);
  const nothing = { clearFlags: ['SECOND_COPY'] };
  await cast.volunteer.patch(`/api/surveys/${id}`, nothing).expect(200);
  await cast.admin.patch(`/api/surveys/${id}`, nothing).expect(200);
  await cast.root.post(`/api/surveys/${id}/restore`).expect(200);
  const readers = (await reads(`record=${id}`)).map(({ by }) => by);
  expect(readers.sort()).toEqual([cast.admin.id, cast.root.id].sort());
});

test('a write that changes something is not recorded as a read', async () => {
  const { id } = await submit(cast);
  await cast.admin.post(`/api/surveys/${id}/review`, { state: 'APPROVED' }).expect(200);
  expect(await reads(`record=${id}`)).toEqual([]);
  await cast.admin.post(`/api/surveys/${id}/review`, { state: 'APPROVED' }).expect(200);
  expect(await reads(`record=${id}`)).toMatchObject([{ by: cast.admin.id }]);
});

test('answers read in the audit are recorded: of one interview as its own, of several as one list', async () => {
  const reader = await cast.world.person({ role: 'ADMIN', location: cast.site });
  const change = async () => {
    const { id, responses } = await submit(cast);
    await cast.volunteer
      .patch(`/api/surveys/${id}`, { responses: { ...responses, comment: 'Other' } })
      .expect(200);
    return id;
  };
  const [id] = [await change(), await change()];
  await cast.admin.post(`/api/surveys/${id}/review`, { state: 'APPROVED' }).expect(200);
  await cast.volunteer.get(`/api/surveys/${id}/history`).expect(200);
  await reader.get('/api/audit?subject=Survey&action=create').expect(200);
  expect(await reads(`by=${reader.id}`)).toEqual([]);
  await reader.get(`/api/audit?record=${id}`).expect(200);
  expect(await reads(`by=${reader.id}`)).toMatchObject([{ subject: 'Survey', record: id }]);
  await reader.get('/api/audit?subject=Survey').expect(200);
  await reader.get('/api/surveys?fields=full').expect(200);
  expect(
    (await reads(`by=${reader.id}&subject=Export`)).map(({ changes }) => changes[0].after).sort(),
  ).toEqual(['audit', 'surveys']);
});

test('reads by the interviewer and rejected reads are not recorded', async () => {
  const { id } = await submit(cast);
  await cast.volunteer.get(`/api/surveys/${id}`).expect(200);
  const stranger = await cast.world.person({ location: cast.site });
  await stranger.get(`/api/surveys/${id}`).expect(403);
  expect(await reads(`record=${id}`)).toEqual([]);
});

test('listing interviews of others with answers is recorded; without answers or of own ones it is not', async () => {
  const reader = await cast.world.person({ role: 'ADMIN', location: cast.site });
  await submit(cast, {}, reader);
  await reader.get('/api/surveys').expect(200);
  await reader.get(`/api/surveys?fields=full&createdBy=${reader.id}`).expect(200);
  expect(await reads(`by=${reader.id}`)).toEqual([]);
  await submit(cast);
  await reader.get('/api/surveys?fields=full').expect(200);
  await reader.get('/api/surveys?fields=full').expect(200);
  expect(await reads(`by=${reader.id}`)).toMatchObject([
    { subject: 'Export', changes: [{ path: 'file', before: null, after: 'surveys' }] },
  ]);
});

test.each(['interviews.csv', 'rds.csv'])(
  'downloading %s is recorded; a file without answers is not',
  async (name) => {
    const reader = await cast.world.person({ role: 'SUPER_ADMIN', location: cast.site });
    await submit(cast);
    await reader.get('/api/exports/codebook.csv').expect(200);
    expect(await reads(`by=${reader.id}`)).toEqual([]);
    await reader.get(`/api/exports/${name}`).expect(200);
    await reader.get(`/api/exports/${name}`).expect(200);
    expect(await reads(`by=${reader.id}`)).toMatchObject([
      { subject: 'Export', changes: [{ path: 'file', before: null, after: name }] },
    ]);
  },
);

test('downloading only own interviews is not recorded', async () => {
  const reader = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
  await submit(cast, {}, reader);
  await reader.get('/api/exports/interviews.csv').expect(200);
  expect(await reads(`by=${reader.id}`)).toEqual([]);
});

test('reads are not in an interview’s history, and `reads=false` leaves them out of the audit trail', async () => {
  const { id } = await submit(cast);
  await cast.admin.get(`/api/surveys/${id}`).expect(200);
  const history = await cast.admin.get(`/api/surveys/${id}/history`).expect(200);
  expect(history.body).toEqual([]);
  const actions = async (query: string) =>
    (await cast.root.get(`/api/audit?record=${id}${query}`).expect(200)).body.data.map(
      ({ action }: Body) => action,
    );
  expect(await actions('')).toEqual(['read', 'create']);
  expect(await actions('&reads=false')).toEqual(['create']);
  expect(await actions('&reads=false&subject=Survey')).toEqual(['create']);
  expect(await actions('&reads=false&action=read')).toEqual(['read']);
});

test('a read succeeds even if it cannot be recorded, and the next one is recorded', async () => {
  const { id } = await submit(cast);
  const path = `/api/surveys/${id}`;
  const validate = (validator: object) =>
    mongoose.connection.db?.command({ collMod: 'auditevents', validator });
  await validate({ action: { $ne: 'read' } });
  await cast.manager.get(path).expect(200);
  expect(await reads(`record=${id}`)).toEqual([]);
  await validate({});
  await cast.manager.get(path).expect(200);
  expect(await reads(`record=${id}`)).toHaveLength(1);
});
