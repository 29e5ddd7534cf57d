/**
 * A list and a single read follow the same rules: for any people, surveys and grants, all pages of the list that a
 * caller gets have exactly the records whose GET /:id is 200. For surveys both are also compared with this file's own
 * version of the rules, because the same mistake in both would agree.
 */

import mongoose from 'mongoose';
import fc from '../fast-check.ts';
import { insertSurvey, smallQuestionnaire } from '../make.ts';
import { type ApprovalStatus, type Grant, type Person, ROLES, type Role, worldOfFile } from '../people.ts';

/** Five minutes after local midnight in Los Angeles. */
const NOW = new Date('2027-06-15T07:05:00Z');
const MIDNIGHT = NOW.getTime() - 5 * 60_000;
const MINUTES_AGO = [1, 4, 5, 10, 60, 24 * 60 + 1] as const;

interface UserPlan {
  role: Role;
  place: number | null;
  minutesAgo: number;
  approvalStatus: ApprovalStatus;
  grants: Grant[];
}
interface SurveyPlan {
  author: number;
  place: number;
  minutesAgo: number;
  deleted: boolean;
}
interface StoredSurvey {
  id: string;
  createdBy: string;
  location: string;
  createdAt: Date;
  deleted: boolean;
}

const subset = (conditions: string[]) => fc.subarray(conditions, { maxLength: 2 });
const surveyGrant = subset(['IS_CREATED_BY_SELF', 'WAS_CREATED_TODAY', 'HAS_SAME_LOCATION']).map(
  (conditions) => ({
    action: 'read',
    subject: 'Survey',
    conditions,
  }),
);
const userGrant = subset([
  'IS_SELF',
  'WAS_CREATED_TODAY',
  'HAS_SAME_LOCATION',
  'HAS_VOLUNTEER_ROLE',
  'HAS_MANAGER_ROLE',
  'HAS_ADMIN_ROLE',
]).map((conditions) => ({ action: 'read', subject: 'User', conditions }));
const listGrant = fc.constant<Grant>({ action: 'list', subject: 'User', conditions: [] });

const userPlan: fc.Arbitrary<UserPlan> = fc.record({
  role: fc.constantFrom(...ROLES),
  place: fc.option(fc.nat(2), { nil: null }),
  minutesAgo: fc.constantFrom(...MINUTES_AGO),
  approvalStatus: fc.constant('APPROVED' as const),
  grants: fc.array(fc.oneof<fc.Arbitrary<Grant>[]>(surveyGrant, userGrant, listGrant), { maxLength: 3 }),
});
const surveyPlan: fc.Arbitrary<SurveyPlan> = fc.record({
  author: fc.nat(4),
  place: fc.nat(2),
  minutesAgo: fc.constantFrom(...MINUTES_AGO),
  deleted: fc.nat(4).map((n) => n === 0),
});

let places: string[];

const world = worldOfFile();
beforeAll(async () => {
  await smallQuestionnaire(world);
  world.clock.set(NOW);
  places = [await world.place(), await world.place(), await world.place()];
});

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
const ago = (minutes: number, plus = 0) => new Date(NOW.getTime() - minutes * 60_000 + plus);

async function populate(users: UserPlan[], surveys: SurveyPlan[]): Promise<[Person[], StoredSurvey[]]> {
  await mongoose.connection.collection('users').deleteMany({});
  await mongoose.connection.collection('surveys').deleteMany({});
  const people: Person[] = [];
  for (const plan of users) {
    const createdAt = ago(plan.minutesAgo);
    const location = plan.place === null ? null : at(places, plan.place);
    const { role, approvalStatus, grants: permissions } = plan;
    people.push(await world.person({ role, approvalStatus, permissions, location, createdAt }));
  }
  const perAuthor = new Map<string, number>();
  const stored: StoredSurvey[] = [];
  for (const plan of surveys) {
    const createdBy = at(people, plan.author).id;
    // Surveys of different authors have equal times, so that pages end between equals; one author's never do.
    const nth = perAuthor.get(createdBy) ?? 0;
    perAuthor.set(createdBy, nth + 1);
    const fields = { createdBy, location: at(places, plan.place), createdAt: ago(plan.minutesAgo, nth) };
    const id = await insertSurvey(world, { ...fields, deletedAt: plan.deleted ? NOW : null });
    stored.push({ id, deleted: plan.deleted, ...fields });
  }
  return [people, stored];
}

/** The ids of all pages; null if the list is rejected. */
async function pages(caller: Person, url: string): Promise<string[] | null> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await caller.get(`${url}${url.includes('?') ? '&' : '?'}limit=3${from}`);
    if (status === 403) return null;
    expect({ url, status }).toEqual({ url, status: 200 });
    ids.push(...body.data.map((item: { id: string }) => item.id));
    cursor = body.nextCursor;
  }
  return ids;
}

async function readable(caller: Person, url: string, ids: string[]): Promise<string[]> {
  const answers = await Promise.all(ids.map((id) => caller.get(`${url}/${id}`)));
  return ids.filter((_id, index) => answers[index]?.status === 200);
}

const siteOf = async (caller: Person): Promise<string | null> =>
  (await caller.get('/api/auth/session').expect(200)).body.currentLocation;

/** An independent version of the rules for reading surveys, for a caller at this site. */
function mayRead(
  caller: Person,
  plan: UserPlan,
  currentLocation: string | null,
  survey: StoredSurvey,
): boolean {
  if (survey.deleted) return false;
  const holds: Record<string, boolean> = {
    IS_CREATED_BY_SELF: survey.createdBy === caller.id,
    WAS_CREATED_TODAY: survey.createdAt.getTime() >= MIDNIGHT,
    HAS_SAME_LOCATION: currentLocation !== null && survey.location === currentLocation,
  };
  const ways: Record<Role, string[]> = {
    SUPER_ADMIN: [],
    ADMIN: ['WAS_CREATED_TODAY'],
    MANAGER: ['WAS_CREATED_TODAY', 'HAS_SAME_LOCATION'],
    VOLUNTEER: ['IS_CREATED_BY_SELF', 'WAS_CREATED_TODAY', 'HAS_SAME_LOCATION'],
  };
  const granted = plan.grants.filter((grant) => grant.subject === 'Survey').map((grant) => grant.conditions);
  return [ways[plan.role], ...granted].some((conditions) => conditions.every((name) => holds[name]));
}

test('the survey list contains exactly the surveys that can be read one by one and that the rules allow', async () => {
  const plans = [
    fc.array(userPlan, { minLength: 5, maxLength: 5 }),
    fc.array(surveyPlan, { minLength: 8, maxLength: 16 }),
    fc.option(fc.nat(2), { nil: null }),
  ] as const;
  await fc.assert(
    fc.asyncProperty(...plans, async (users, surveys, filter) => {
      const [people, stored] = await populate(users, surveys);
      for (const [index, caller] of people.entries()) {
        const place = filter === null ? null : at(places, filter);
        const surveysAtPlace = stored.filter((survey) => place === null || survey.location === place);
        const url = place ? `/api/surveys?location=${place}` : '/api/surveys';
        const listed = await pages(caller, url);
        const read = await readable(
          caller,
          '/api/surveys',
          surveysAtPlace.map((survey) => survey.id),
        );
        const site = await siteOf(caller);
        const allowed = surveysAtPlace
          .filter((survey) => mayRead(caller, at(users, index), site, survey))
          .map((survey) => survey.id);
        expect({ listed: [...(listed ?? ['refused'])].sort(), read: read.sort() }).toEqual({
          listed: [...allowed].sort(),
          read: [...allowed].sort(),
        });
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

test('the user list contains exactly the users that can be read one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(userPlan, { minLength: 4, maxLength: 9 }), async (users) => {
      const [people] = await populate(users, []);
      const ids = people.map((person) => person.id);
      for (const [index, caller] of people.entries()) {
        const plan = at(users, index);
        const mayList = plan.role !== 'VOLUNTEER' || plan.grants.some((grant) => grant.action === 'list');
        const listed = await pages(caller, '/api/users');
        const expected = mayList ? (await readable(caller, '/api/users', ids)).sort() : null;
        expect(listed && [...listed].sort()).toEqual(expected);
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
});
