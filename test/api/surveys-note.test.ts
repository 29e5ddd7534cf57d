/** The interviewer's note: who reads it, and where it must not be. */
import mongoose from 'mongoose';
import { castOfFile, draft, refused, refusedAt, submit, uuid } from './kit.ts';

const cast = castOfFile();
const NOTE = 'Interrupted twice by Quentin.';
const path = (id: string) => `/api/surveys/${id}`;

/** A person who may read and change every interview, and review none. */
async function editor() {
  const person = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
  const permissions = ['read', 'update'].map((action) => ({ action, subject: 'Survey', conditions: [] }));
  await cast.root.patch(`/api/users/${person.id}`, { permissions }).expect(200);
  return person;
}

test('the interviewer and reviewers read the note of an interview, others who read the interview do not', async () => {
  const survey = await submit(cast, { note: `  ${NOTE} ` });
  expect(survey.note).toBe(NOTE);
  for (const reader of [cast.volunteer, cast.manager, cast.admin, cast.root])
    expect((await reader.get(path(survey.id)).expect(200)).body.note).toBe(NOTE);
  const other = await editor();
  expect((await other.get(path(survey.id)).expect(200)).body).not.toHaveProperty('note');
  const changed = await other.patch(path(survey.id), { coordinates: null }).expect(200);
  expect(changed.body).not.toHaveProperty('note');
  refused(await other.patch(path(survey.id), { note: 'mine' }), 403);
});

test('a note has 1 to 500 characters, and can be changed and removed', async () => {
  for (const note of ['', ' ', 'x'.repeat(501), 5])
    refusedAt(await cast.volunteer.post('/api/surveys', draft(cast, { note })), 'note');
  const { id, version } = await submit(cast, { note: 'x'.repeat(500) });
  refusedAt(await cast.volunteer.patch(path(id), { note: '' }), 'note');
  const { body } = await cast.volunteer.patch(path(id), { note: NOTE }).expect(200);
  expect(body).toMatchObject({ note: NOTE, version: version + 1 });
  const again = await cast.volunteer.patch(path(id), { note: NOTE }).expect(200);
  expect(again.body.version).toBe(version + 1);
  await cast.volunteer.patch(path(id), { note: null }).expect(200);
  expect((await cast.volunteer.get(path(id)).expect(200)).body).not.toHaveProperty('note');
});

test('the note is in no list, history, audit event, copy or file', async () => {
  const clientId = uuid();
  const { id } = await submit(cast, { clientId, note: NOTE });
  await cast.volunteer.patch(path(id), { note: `${NOTE} Again.` }).expect(200);
  const other = draft(cast, { clientId, note: NOTE, coordinates: { latitude: 1, longitude: 1 } });
  refused(await cast.volunteer.post('/api/surveys', other), 409, 'EDIT_CONFLICT');
  const pages = [
    '/api/surveys?fields=full&limit=200',
    '/api/surveys?limit=200',
    `${path(id)}/history`,
    '/api/audit?limit=200',
    '/api/exports/interviews.csv',
    '/api/exports/interviews.json',
  ];
  for (const page of pages) {
    const { text, body } = await cast.root.get(page).expect(200);
    expect([page, `${text}${JSON.stringify(body)}`.includes('Quentin')]).toEqual([page, false]);
  }
  const history = await cast.root.get(`${path(id)}/history`).expect(200);
  expect(history.body[0].changes).toEqual([{ path: 'note', before: null, after: 'CHANGED' }]);
  for (const name of ['auditevents', 'surveycopies'])
    expect(JSON.stringify(await mongoose.connection.collection(name).find().toArray())).not.toContain(
      'Quentin',
    );
});

test('erasing an interview erases its note, and none is added afterwards', async () => {
  const { id } = await submit(cast, { note: NOTE });
  const { body } = await cast.root.post(`${path(id)}/erase`, { reason: 'Asked for.' }).expect(200);
  expect(body).not.toHaveProperty('note');
  expect(
    JSON.stringify(
      await mongoose.connection.collection('surveys').findOne({ _id: new mongoose.Types.ObjectId(id) }),
    ),
  ).not.toContain('Quentin');
  refused(await cast.root.patch(path(id), { note: NOTE }), 409, 'INVALID_TRANSITION');
});
