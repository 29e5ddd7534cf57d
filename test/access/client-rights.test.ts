/**
 * The client applies the same rules as the service: for each role, what the client allows to be created at a site, or
 * changed in what it shows, is exactly what the service accepts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  abilityOf,
  asPermissionSubject,
  mayApproveNewUser,
  mayCreate,
} from '../../client/src/session/rights.ts';
import { ANSWERS, insertSurvey, SMALL_QUESTIONNAIRE, smallQuestionnaire } from '../make.ts';
import { type Grant, type Person, ROLES, type Role, worldOfFile } from '../people.ts';

const NOON = '2027-06-15T19:00:00Z';

let root: Person;
let here: string;
let there: string;

const world = worldOfFile();
beforeAll(async () => {
  world.clock.set(NOON);
  root = await world.person({ role: 'SUPER_ADMIN' });
  await smallQuestionnaire(world);
  here = await world.place();
  there = await world.place();
});

/** The session as the client stores it, on a phone whose clock is years off. */
async function sessionOf(person: Person) {
  const { body } = await person.get('/api/auth/session').expect(200);
  // In a browser the Date header has the time; the phone's own clock is years behind.
  return { ...body, at: world.clock.now().toISOString(), refreshedAt: Date.parse('2019-01-01T00:00:00Z') };
}

let counter = 0;
const unique = () => `Unheard of ${++counter}`;

/** The requests that create something, each with the client's check before it. */
const MAKES: [subject: string, path: string, body: (site: string | null) => object, role?: Role][] = [
  ['Survey', '/api/surveys', (location) => ({ location, responses: ANSWERS })],
  ['Seed', '/api/seeds', (location) => ({ location })],
  ['ReferralCode', '/api/referral-codes/batches', (location) => ({ location, count: 1 })],
  ['Location', '/api/locations', () => ({ name: unique(), type: 'STREET' })],
  ['Questionnaire', '/api/questionnaires', () => SMALL_QUESTIONNAIRE],
  ...ROLES.map(
    (role) =>
      [
        'User',
        '/api/users',
        (location: string | null) => ({ ...newcomer(), role, ...(location ? { location } : {}) }),
        role,
      ] as (typeof MAKES)[number],
  ),
];
const newcomer = () => ({ phone: world.newPhone(), firstName: 'Nora', lastName: 'Field' });

const PEOPLE: [who: string, role: Role, at: 'here' | 'nowhere', grants: Grant[]][] = [
  ...ROLES.flatMap((role) => [
    [`${role} at a site`, role, 'here', []] as never,
    [`${role} without a site`, role, 'nowhere', []] as never,
  ]),
  [
    'VOLUNTEER with grants',
    'VOLUNTEER',
    'here',
    [
      { action: 'create', subject: 'ReferralCode', conditions: ['IS_CREATED_BY_SELF', 'WAS_CREATED_TODAY'] },
      { action: 'create', subject: 'Location', conditions: ['IS_CREATED_BY_SELF'] },
      { action: 'create', subject: 'User', conditions: ['WAS_CREATED_TODAY'] },
    ],
  ],
];

test.each(PEOPLE)(
  'the client’s create permissions of %s match the API’s, also on the next day',
  async (_who, role, at, permissions) => {
    const location = at === 'here' ? here : null;
    const options = { role, location, permissions, locationAssignedAt: new Date('2027-06-20T00:00:00Z') };
    const person = await world.person(options);
    const asker = await sessionOf(person);
    // The phone has been offline since yesterday.
    for (const now of [NOON, '2027-06-16T19:00:00Z']) {
      world.clock.set(now);
      for (const [subject, path, body, newRole] of MAKES) {
        for (const site of subject === 'User' ? [here, there, null] : [here, there]) {
          // For a user without a site the service takes the manager's site, which the form requires instead.
          if (site === null && role === 'MANAGER') continue;
          const thinks = mayCreate(asker, subject, { location: site, ...(newRole ? { role: newRole } : {}) });
          const { status } = await person.post(path, body(site));
          const where = `${subject} ${newRole ?? ''} ${site === here ? 'here' : site ? 'there' : 'nowhere'}`;
          expect([where, status]).toEqual([where, thinks ? 201 : 403]);
        }
      }
    }
    world.clock.set(NOON);
  },
);

test.each(ROLES)(
  'the client offers a %s to approve a new account at once exactly when the API allows it',
  async (role) => {
    const person = await world.person({ role, location: here });
    const asker = await sessionOf(person);
    for (const newRole of ROLES) {
      const fields = { role: newRole, location: here };
      if (!mayCreate(asker, 'User', fields)) continue;
      const body = { ...newcomer(), ...fields, approvalStatus: 'APPROVED' };
      const { status } = await person.post('/api/users', body);
      expect([newRole, status]).toEqual([newRole, mayApproveNewUser(asker, fields) ? 201 : 403]);
    }
  },
);

test.each(ROLES)('the client’s update and delete permissions of a %s match the API’s', async (role) => {
  const person = await world.person({ role, location: here, locationAssignedAt: new Date('2027-06-20') });
  const ability = abilityOf((await sessionOf(person)).rules);
  const today = new Date(NOON);
  const yesterday = new Date('2027-06-14T19:00:00Z');
  for (const createdBy of [person, root]) {
    for (const [location, createdAt] of [
      [here, today],
      [there, today],
      [here, yesterday],
    ] as const) {
      const id = await insertSurvey(world, { createdBy: createdBy.id, location, createdAt });
      const { body: survey } = await root.get(`/api/surveys/${id}`).expect(200);
      const record = asPermissionSubject('Survey', survey);
      const update = await person.patch(`/api/surveys/${id}`, { coordinates: null });
      expect(update.status).toBe(ability.can('update', record) ? 200 : 403);
      const response = await person.delete(`/api/surveys/${id}`);
      expect(response.status).toBe(ability.can('delete', record) ? 204 : 403);
    }
  }
  for (const other of ROLES) {
    for (const location of [here, there]) {
      const { id } = await world.person({
        role: other,
        location,
        approvalStatus: 'PENDING',
        createdAt: today,
      });
      const { body: user } = await root.get(`/api/users/${id}`).expect(200);
      const record = asPermissionSubject('User', user);
      for (const change of [{ firstName: 'Noor' }, { location: here }, { approvalStatus: 'APPROVED' }]) {
        const [field = ''] = Object.keys(change);
        const { status } = await person.patch(`/api/users/${id}`, change);
        expect([other, field, status]).toEqual([
          other,
          field,
          ability.can('update', record, field) ? 200 : 403,
        ]);
      }
    }
  }
});

test('a grant to review opens interviews of others, of any day and site, on the client and in the API', async () => {
  const options = { role: 'VOLUNTEER', location: here, locationAssignedAt: new Date('2027-06-20') } as const;
  const reviewer = await world.person({
    ...options,
    permissions: [{ action: 'review', subject: 'Survey', conditions: [] }],
  });
  const plain = await world.person(options);
  const pages = async (person: Person) => abilityOf((await sessionOf(person)).rules).can('review', 'Survey');
  expect([await pages(reviewer), await pages(plain)]).toEqual([true, false]);
  const ability = abilityOf((await sessionOf(reviewer)).rules);
  for (const createdBy of [reviewer, plain]) {
    for (const createdAt of [new Date(NOON), new Date('2027-06-10T19:00:00Z')]) {
      const id = await insertSurvey(world, { createdBy: createdBy.id, location: there, createdAt });
      const { body: survey } = await root.get(`/api/surveys/${id}`).expect(200);
      const record = asPermissionSubject('Survey', survey);
      const isOthers = createdBy === plain;
      expect([ability.can('read', record), ability.can('review', record)]).toEqual([isOthers, isOthers]);
      await reviewer.get(`/api/surveys/${id}`).expect(isOthers ? 200 : 403);
      const review = { state: 'APPROVED' };
      await reviewer.post(`/api/surveys/${id}/review`, review).expect(isOthers ? 200 : 403);
    }
  }
});

const CLIENT = join(process.cwd(), 'client/src');
const PAGES = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' })
  .filter((one) => /\.tsx?$/.test(one) && one !== 'session/rights.ts')
  .map((one) => [one, readFileSync(join(CLIENT, one), 'utf8')] as const);

test('everything that a page offers to create has a row in MAKES', () => {
  const offered = PAGES.flatMap(([, text]) => [...text.matchAll(/ayCreate\((?:\w+, )?'(\w+)'/g)]);
  const lacking = new Set(offered.map(([, subject]) => subject ?? ''));
  for (const [subject] of MAKES) lacking.delete(subject);
  expect(offered.length).toBeGreaterThan(2);
  expect([...lacking]).toEqual([]);
});

test('no page builds its own draft record for a create check', () => {
  const own = PAGES.filter(([, text]) => /can\('create', (asRecord\(|draft)/.test(text)).map(
    ([page]) => page,
  );
  // Use `mayCreate` of rights.ts: it knows every field that a rule may look at.
  expect(own).toEqual([]);
});
