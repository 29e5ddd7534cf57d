/** The current location: the latest own survey's, unless an administrator assigned one after it. */
import { insertSurvey, makeSurvey, smallQuestionnaire } from '../make.ts';
import { type Person, startWorld, type World } from '../people.ts';

const MINUTE = 60_000;
let world: World;
let here: string;
let there: string;
let admin: Person;

beforeAll(async () => {
  world = await startWorld();
  await smallQuestionnaire(world);
  [here, there] = [await world.place(), await world.place()];
});
afterAll(() => world.stop());

beforeEach(async () => {
  world.clock.set('2027-06-15T19:00:00Z');
  admin = await world.person({ role: 'ADMIN' });
});

const currentLocation = async (person: Person) =>
  (await person.get('/api/auth/session').expect(200)).body.currentLocation;

const ago = (minutes: number) => new Date(world.clock.now().getTime() - minutes * MINUTE);

test('nobody who has neither a survey nor an assigned location is anywhere', async () => {
  expect(await currentLocation(await world.person())).toBeNull();
});

test('without a survey it is the assigned location', async () => {
  expect(await currentLocation(await world.person({ location: here }))).toBe(here);
});

test('a survey moves its author there', async () => {
  const person = await world.person({ location: here });
  world.clock.advance(MINUTE);
  await makeSurvey(world, person, { location: there });
  expect(await currentLocation(person)).toBe(there);
});

test('the latest survey counts by the time at which the server received it, not by the order of writing', async () => {
  const person = await world.person();
  await insertSurvey(world, { createdBy: person.id, location: there, createdAt: ago(5) });
  await insertSurvey(world, { createdBy: person.id, location: here, createdAt: ago(10) });
  expect(await currentLocation(person)).toBe(there);
});

test('a survey of an earlier day still says where its author is', async () => {
  const person = await world.person();
  await insertSurvey(world, { createdBy: person.id, location: there, createdAt: ago(3 * 24 * 60) });
  expect(await currentLocation(person)).toBe(there);
});

test("another's survey moves nobody else", async () => {
  const person = await world.person({ location: here });
  await insertSurvey(world, { createdBy: admin.id, location: there });
  expect(await currentLocation(person)).toBe(here);
});

test('a deleted survey is left out', async () => {
  const person = await world.person();
  await insertSurvey(world, { createdBy: person.id, location: here, createdAt: ago(10) });
  const later = await insertSurvey(world, { createdBy: person.id, location: there, createdAt: ago(5) });
  expect(await currentLocation(person)).toBe(there);
  await admin.delete(`/api/surveys/${later}`).expect(204);
  expect(await currentLocation(person)).toBe(here);
});

test('a location that is assigned after the survey wins, and a survey after that wins again', async () => {
  const person = await world.person();
  await makeSurvey(world, person, { location: here });
  world.clock.advance(MINUTE);
  await admin.patch(`/api/users/${person.id}`, { location: there }).expect(200);
  expect(await currentLocation(person)).toBe(there);
  world.clock.advance(MINUTE);
  await makeSurvey(world, person, { location: here });
  expect(await currentLocation(person)).toBe(here);
});

test('the same location assigned again counts as assigned now', async () => {
  const person = await world.person({ location: here });
  world.clock.advance(MINUTE);
  await makeSurvey(world, person, { location: there });
  world.clock.advance(MINUTE);
  await admin.patch(`/api/users/${person.id}`, { location: here }).expect(200);
  expect(await currentLocation(person)).toBe(here);
});

test('null takes the assigned location away', async () => {
  const person = await world.person({ location: here });
  const { body } = await admin.patch(`/api/users/${person.id}`, { location: null }).expect(200);
  expect(body.location).toBeNull();
  expect(await currentLocation(person)).toBeNull();
});

test('a change of another field does not assign the location again', async () => {
  const person = await world.person({ location: here });
  world.clock.advance(MINUTE);
  await makeSurvey(world, person, { location: there });
  world.clock.advance(MINUTE);
  await person.patch(`/api/users/${person.id}`, { firstName: 'Renamed' }).expect(200);
  expect(await currentLocation(person)).toBe(there);
});

test('a current location that was deleted stays until it changes', async () => {
  const gone = await world.place();
  const person = await world.person({ location: gone });
  await admin.delete(`/api/locations/${gone}`).expect(204);
  expect(await currentLocation(person)).toBe(gone);
});

test('a volunteer who submits a survey elsewhere reads it, and no longer the one from before', async () => {
  const person = await world.person();
  const first = await makeSurvey(world, person, { location: here });
  await person.get(`/api/surveys/${first.id}`).expect(200);
  world.clock.advance(MINUTE);
  const second = await makeSurvey(world, person, { location: there });
  await person.get(`/api/surveys/${second.id}`).expect(200);
  await person.get(`/api/surveys/${first.id}`).expect(403);
});
