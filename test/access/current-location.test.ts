/** The current location: the latest own survey's, unless an administrator assigned one after it. */
import mongoose from 'mongoose';
import { insertSurvey, makeSurvey, smallQuestionnaire } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';

const MINUTE = 60_000;
let here: string;
let there: string;
let admin: Person;

const world = worldOfFile();
beforeAll(async () => {
  await smallQuestionnaire(world);
  [here, there] = [await world.place(), await world.place()];
});

beforeEach(async () => {
  world.clock.set('2027-06-15T19:00:00Z');
  admin = await world.person({ role: 'ADMIN' });
});

const currentLocation = async (person: Person) =>
  (await person.get('/api/auth/session').expect(200)).body.currentLocation;

const ago = (minutes: number) => new Date(world.clock.now().getTime() - minutes * MINUTE);

test('a person with neither a survey nor an assigned location has no current location', async () => {
  expect(await currentLocation(await world.person())).toBeNull();
});

test('without a survey the current location is the assigned one', async () => {
  expect(await currentLocation(await world.person({ location: here }))).toBe(here);
});

test('a survey sets its author’s current location', async () => {
  const person = await world.person({ location: here });
  world.clock.advance(MINUTE);
  await makeSurvey(world, person, { location: there });
  expect(await currentLocation(person)).toBe(there);
});

test('the latest survey is the one held last, whatever the order of writing', async () => {
  const person = await world.person();
  await insertSurvey(world, { createdBy: person.id, location: there, createdAt: ago(5) });
  await insertSurvey(world, { createdBy: person.id, location: here, createdAt: ago(10) });
  expect(await currentLocation(person)).toBe(there);
});

/** What a phone that was offline sends now. */
const send = async (person: Person, location: string, minutes: number) =>
  await makeSurvey(world, person, { location, startedAt: ago(minutes + 10), completedAt: ago(minutes) });

test('an old interview that arrives now moves nobody: neither from a later interview’s site nor from an assigned one', async () => {
  const since = { createdAt: ago(10_000) };
  const person = await world.person(since);
  await send(person, there, 60);
  await send(person, here, 7 * 24 * 60);
  expect(await currentLocation(person)).toBe(there);

  const moved = await world.person(since);
  await send(moved, here, 30);
  await admin.patch(`/api/users/${moved.id}`, { location: there }).expect(200);
  world.clock.advance(MINUTE);
  await send(moved, here, 7 * 24 * 60);
  expect(await currentLocation(moved)).toBe(there);
});

test('with a clock that must be wrong, the arrival of an interview decides', async () => {
  const person = await world.person({ location: here });
  world.clock.advance(MINUTE);
  await send(person, there, 7 * 24 * 60);
  expect(await currentLocation(person)).toBe(there);
});

test('an imported interview moves nobody', async () => {
  const person = await world.person({ location: here });
  world.clock.advance(MINUTE);
  const id = await insertSurvey(world, { createdBy: person.id, location: there });
  expect(await currentLocation(person)).toBe(there);
  await mongoose.connection
    .collection('surveys')
    .updateOne({ _id: new mongoose.Types.ObjectId(id) }, { $set: { importedAt: new Date() } });
  expect(await currentLocation(person)).toBe(here);
});

test('a survey of an earlier day still sets its author’s current location', async () => {
  const person = await world.person();
  await insertSurvey(world, { createdBy: person.id, location: there, createdAt: ago(3 * 24 * 60) });
  expect(await currentLocation(person)).toBe(there);
});

test('a survey does not change anyone else’s current location', async () => {
  const person = await world.person({ location: here });
  await insertSurvey(world, { createdBy: admin.id, location: there });
  expect(await currentLocation(person)).toBe(here);
});

test('a deleted survey does not set the current location', async () => {
  const person = await world.person();
  await insertSurvey(world, { createdBy: person.id, location: here, createdAt: ago(10) });
  const later = await insertSurvey(world, { createdBy: person.id, location: there, createdAt: ago(5) });
  expect(await currentLocation(person)).toBe(there);
  await admin.delete(`/api/surveys/${later}`).expect(204);
  expect(await currentLocation(person)).toBe(here);
});

test('the current location is the latest of assignments and surveys', async () => {
  const person = await world.person();
  await makeSurvey(world, person, { location: here });
  world.clock.advance(MINUTE);
  await admin.patch(`/api/users/${person.id}`, { location: there }).expect(200);
  expect(await currentLocation(person)).toBe(there);
  world.clock.advance(MINUTE);
  await makeSurvey(world, person, { location: here });
  expect(await currentLocation(person)).toBe(here);
});

test('assigning the same location again renews the assignment', async () => {
  const person = await world.person({ location: here });
  world.clock.advance(MINUTE);
  await makeSurvey(world, person, { location: there });
  world.clock.advance(MINUTE);
  await admin.patch(`/api/users/${person.id}`, { location: here }).expect(200);
  expect(await currentLocation(person)).toBe(here);
});

test('assigning null clears the assigned location', async () => {
  const person = await world.person({ location: here });
  const { body } = await admin.patch(`/api/users/${person.id}`, { location: null }).expect(200);
  expect(body.location).toBeNull();
  expect(await currentLocation(person)).toBeNull();
});

test('changing another field does not renew the assignment', async () => {
  const person = await world.person({ location: here });
  world.clock.advance(MINUTE);
  await makeSurvey(world, person, { location: there });
  world.clock.advance(MINUTE);
  await person.patch(`/api/users/${person.id}`, { firstName: 'Renamed' }).expect(200);
  expect(await currentLocation(person)).toBe(there);
});

test('a deleted location stays the current one until it changes', async () => {
  const place = await world.place();
  const person = await world.person({ location: place });
  await admin.delete(`/api/locations/${place}`).expect(204);
  expect(await currentLocation(person)).toBe(place);
});

test('a volunteer who submits a survey elsewhere can read it, but no longer the earlier one', async () => {
  const person = await world.person();
  const first = await makeSurvey(world, person, { location: here });
  await person.get(`/api/surveys/${first.id}`).expect(200);
  world.clock.advance(MINUTE);
  const second = await makeSurvey(world, person, { location: there });
  await person.get(`/api/surveys/${second.id}`).expect(200);
  await person.get(`/api/surveys/${first.id}`).expect(403);
});
