/**
 * Each query of the service uses an index, with 25,000 surveys in the database. mongod's profiler records every
 * operation while the routes are called; then its records are checked. A failure prints the query, which shows the
 * missing index.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import mongoose from 'mongoose';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { generateCode } from '../../src/coupons/referral-codes/code.ts';
import { isoDateAt } from '../../src/platform/lib/day.ts';
import { apiRoutes } from '../../src/routes.ts';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { ANSWERS, makeDraft, makeSeed, makeSurvey, smallQuestionnaire, surveyRecord } from '../make.ts';
import { type Person, ROLES, type Role, startWorld, type World } from '../people.ts';
import { database, type Profiled, prepareProfiler, profiled, stopProfiler } from '../profiled.ts';

const { ObjectId } = mongoose.Types;
const SURVEYS = 25_000;
const TODAY = 200;
const LIMIT = 20;

let world: World;
let people: Record<Role, Person>;
let site: string;
const ids = Array.from({ length: SURVEYS }, () => new ObjectId());

beforeAll(async () => {
  world = await startWorld({ fresh: true });
  site = await world.place();
  // Later than all surveys, so that this is everyone's current location.
  const later = new Date(Date.now() + 3_600_000);
  const persons = await Promise.all(
    ROLES.map((role) => world.person({ role, location: site, locationAssignedAt: later })),
  );
  people = Object.fromEntries(ROLES.map((role, i) => [role, persons[i]])) as Record<Role, Person>;
  await smallQuestionnaire(world);
  await insertStudy();
  await prepareProfiler(64);
}, 120_000);

afterAll(async () => {
  await stopProfiler();
  await world.stop();
});

const described = ({ op, ns, command, planSummary, docsExamined, nreturned, hasSortStage }: Profiled) => {
  const { lsid: _, $clusterTime: __, $db: ___, txnNumber: ____, ...query } = command;
  const what = JSON.stringify(query).slice(0, 700);
  return `${op} ${ns.replace(/^[^.]*\./, '')}: ${planSummary}, read ${docsExamined} for ${nreturned}, sort in memory: ${hasSortStage ?? false}\n  ${what}`;
};

/** No collection scan and no sort in memory (except of no records). */
function faults(operations: Profiled[], mostExamined: number): string[] {
  const isFault = ({ planSummary, hasSortStage, docsExamined = 0 }: Profiled) =>
    planSummary?.includes('COLLSCAN') || (hasSortStage && docsExamined > 0) || docsExamined > mostExamined;
  return operations.filter(isFault).map(described);
}

async function insertStudy(): Promise<void> {
  const questionnaire = new ObjectId(await smallQuestionnaire(world));
  const now = Date.now();
  const sites = [new ObjectId(site), ...manyIds(9)];
  const creators = [...Object.values(people).map((one) => new ObjectId(one.id)), ...manyIds(59)];
  const seeds = manyIds(250);
  const collection = (name: string) => database().collection(name);
  for (let from = 0; from < SURVEYS; from += 5_000) {
    const surveys = ids.slice(from, from + 5_000).map((_id, k) => {
      const i = from + k;
      const fromEnd = SURVEYS - i;
      const createdAt = new Date(now - (fromEnd <= TODAY ? fromEnd * 10 : 86_400_000 + fromEnd * 200_000));
      const of = {
        _id,
        seed: seeds[i % seeds.length] as mongoose.Types.ObjectId,
        recruiter:
          i < seeds.length ? null : (ids[Math.floor((i - seeds.length) / 2)] as mongoose.Types.ObjectId),
        wave: 1,
        questionnaire,
        status: i % 50 === 0 ? ('IN_PROGRESS' as const) : ('COMPLETED' as const),
        ...(i % 40 === 0
          ? {
              review: {
                state: 'HAS_ISSUES' as const,
                by: creators[0] as mongoose.Types.ObjectId,
                at: createdAt,
              },
            }
          : {}),
        location: sites[(i * 7) % sites.length] as mongoose.Types.ObjectId,
        createdBy: creators[(i * 11) % creators.length] as mongoose.Types.ObjectId,
        deletedAt: i % 100 === 0 ? createdAt : null,
      };
      return surveyRecord(of, createdAt);
    });
    const codes = surveys.map(({ _id: survey, seed: chain, createdAt }, k) => ({
      ...blankCode(from + k),
      state: ['LIVE', 'USED', 'VOID'][k % 3],
      survey,
      chain,
      round: FIRST_ROUND_ID,
      createdAt,
    }));
    const events = surveys.map(({ _id: record, createdBy: by, location, createdAt }) => ({
      by,
      action: 'create',
      subject: 'Survey',
      record,
      location,
      changes: [],
      createdAt,
    }));
    await Promise.all([
      collection('surveys').insertMany(surveys, { ordered: false }),
      collection('referralcodes').insertMany(codes, { ordered: false }),
      collection('auditevents').insertMany(events, { ordered: false }),
    ]);
  }
  await collection('seeds').insertMany(
    seeds.map((_id, i) => ({
      _id,
      referralCode: 'none',
      kind: i % 5 ? 'PLANNED' : 'WALK_IN',
      location: sites[i % sites.length],
      round: FIRST_ROUND_ID,
      note: null,
      survey: ids[i],
      createdBy: creators[0],
      createdAt: new Date(now - i * 60_000),
      deletedAt: null,
    })),
  );
  await Promise.all(
    Array.from({ length: 250 }, (_, i) =>
      world.person({
        role: i % 20 ? 'VOLUNTEER' : 'MANAGER',
        approvalStatus: i % 10 ? 'APPROVED' : 'PENDING',
        location: String(sites[i % sites.length]),
        createdAt: new Date(now - i * 60_000),
      }),
    ),
  );
}

/** Two of three are paid, one a minute, by four people at 20 sites. */
async function insertIncentives(count: number): Promise<void> {
  const payers = Object.values(people).map((one) => new ObjectId(one.id));
  const sites = [new ObjectId(site), ...manyIds(19)];
  const incentives = Array.from({ length: count }, (_, i) => {
    const createdAt = new Date(Date.now() - i * 60_000);
    const isPaid = i % 3 > 0;
    return {
      ...{ survey: ids[i], kind: i % 2 ? 'RECRUIT' : 'INTERVIEW', recruit: i % 2 ? ids[i + 1] : null },
      ...{ amount: '20.00', currency: 'USD', state: isPaid ? 'PAID' : 'DUE', byHand: false, payments: [] },
      ...{ method: isPaid ? 'CASH' : null, reference: null, reason: null, site: sites[i % 20] },
      ...{ paidBy: isPaid ? payers[i % 4] : null, location: isPaid ? sites[i % 20] : null },
      ...{ paidAt: isPaid ? createdAt : null, recordedAt: isPaid ? createdAt : null },
      ...{ round: FIRST_ROUND_ID, createdAt, updatedAt: createdAt },
    };
  });
  await database()
    .collection('incentives')
    .insertMany(incentives as never[]);
}

const manyIds = (length: number) => Array.from({ length }, () => new ObjectId());

function blankCode(n: number) {
  return {
    code: generateCode((bytes) => Uint8Array.from({ length: bytes }, (_, i) => Math.floor(n / 32 ** i) % 32)),
    seed: null,
    reservedBy: null,
    batch: null,
    redeemedBy: null,
    redeemedAt: null,
    validFrom: null,
    expiresAt: null,
    voidedAt: null,
    voidReason: null,
  };
}

/** Each filter alone, and each pair. */
function combinations(filters: Record<string, string>): string[] {
  const parts = Object.entries(filters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const pairs = parts.flatMap((one, i) => parts.slice(i + 1).map((other) => `${one}&${other}`));
  return ['', ...parts, ...pairs];
}

/** The first two pages of a list, as each role: newest first, with one filter in both directions. */
async function pages(
  path: string,
  queries: string[],
  roles: readonly Role[],
  by = 'createdAt',
): Promise<void> {
  for (const query of queries) {
    for (const sort of query.includes('&') ? [`-${by}`] : [by, `-${by}`]) {
      await Promise.all(
        roles.map(async (role) => {
          const url = `${path}?limit=${LIMIT}&sort=${sort}${query && `&${query}`}`;
          const first = await people[role].get(url).expect(200);
          const { nextCursor } = first.body;
          if (nextCursor) await people[role].get(`${url}&cursor=${nextCursor}`).expect(200);
        }),
      );
    }
  }
}

it('every list route has a test in this file', () => {
  const own = readFileSync('test/db/indexes.test.ts', 'utf8');
  // The board's tables are aggregates, for which there is no index.
  const lists = apiRoutes.filter(
    ({ path, query }) => query?.shape.cursor && !path.startsWith('/api/recruitment/'),
  );
  const requestPattern = (path: string) => new RegExp(`${path.replace(/:\w+/g, '\\$\\{[^}]+}')}['\`?]`);
  const lacking = lists.filter(({ path }) => !requestPattern(path).test(own));
  expect(lists.length).toBeGreaterThan(10);
  expect(lacking.map(({ path }) => `add ${path}, with each of its filters, to a test below`)).toEqual([]);
});

describe('lists read little more than they return, in index order', () => {
  // With two filters the narrower one's index is used: at most all interviews of one interviewer.
  const MOST = SURVEYS / 50;

  it('surveys, by each filter, each pair of filters, and each role', async () => {
    const [early, late] = [ids[1], ids[SURVEYS - 1]].map(
      (_, i) => new Date(Date.now() - (i ? 0 : 40) * 86_400_000),
    );
    const queries = combinations({
      location: site,
      seed: String(
        (
          await database()
            .collection('surveys')
            .findOne({ _id: ids[700] as never })
        )?.seed,
      ),
      recruiter: String(ids[SURVEYS / 4]),
      status: 'COMPLETED',
      review: 'RECEIVED',
      createdBy: people.VOLUNTEER.id,
      from: early?.toISOString() ?? '',
      to: late?.toISOString() ?? '',
    });
    const operations = await profiled(() =>
      pages('/api/surveys', [...queries, 'status=IN_PROGRESS', 'review=HAS_ISSUES'], ROLES),
    );
    expect(operations.length).toBeGreaterThan(queries.length * 8);
    expect(faults(operations, MOST)).toEqual([]);
  }, 60_000);

  it('surveys by interview date, and people by name, sort at most one chain in memory', async () => {
    const filters = combinations({ location: site, createdBy: people.VOLUNTEER.id, status: 'COMPLETED' });
    const operations = await profiled(async () => {
      await pages('/api/surveys', ['', `location=${site}`, 'status=COMPLETED'], ['SUPER_ADMIN'], 'heldAt');
      await pages('/api/users', combinations({ role: 'VOLUNTEER' }), ['ADMIN', 'MANAGER'], 'firstName');
    });
    expect(faults(operations, MOST)).toEqual([]);
    // If few match, the database may find them first and then sort, whichever is cheaper.
    const few = await profiled(() =>
      pages('/api/surveys', [...filters, `seed=${ids[3]}`, 'status=IN_PROGRESS'], ROLES, 'heldAt'),
    );
    const unsorted = few.map((one) => ({ ...one, hasSortStage: false }));
    expect(faults(unsorted, 2 * MOST)).toEqual([]);
  }, 60_000);

  it('a search by coupon or id reads only the matches; by name at most a page', async () => {
    const code = generateCode(() => Uint8Array.from([9, 0, 0, 0, 0, 0, 0]));
    const operations = await profiled(() =>
      pages('/api/surveys', [`search=${code}`, `search=${ids[9]}`], ['SUPER_ADMIN', 'MANAGER']),
    );
    const ofSurveys = operations
      .filter(({ ns }) => ns.endsWith('.surveys'))
      .map((one) => ({ ...one, hasSortStage: false }));
    expect(ofSurveys.length).toBeGreaterThan(0);
    expect(faults(ofSurveys, 10)).toEqual([]);
    const ofInterviewer = { _id: new ObjectId(people.VOLUNTEER.id) };
    await database()
      .collection('users')
      .updateOne(ofInterviewer, { $set: { firstName: 'Quill' } });
    const named = await profiled(() =>
      pages('/api/surveys', ['search=quill', `search=quill&location=${site}`], ['SUPER_ADMIN', 'ADMIN']),
    );
    expect(faults(named, MOST)).toEqual([]);
    // With hundreds of people who have few interviews each, these are found first.
    const many = await profiled(() => pages('/api/surveys', ['search=person'], ['SUPER_ADMIN', 'ADMIN']));
    const unsorted = many.map((one) => ({ ...one, hasSortStage: false }));
    expect(faults(unsorted, MOST)).toEqual([]);
  }, 60_000);

  it('surveys, codes, seeds and incentives of a round, and rounds', async () => {
    const operations = await profiled(async () => {
      for (const path of ['/api/surveys', '/api/referral-codes', '/api/seeds', '/api/incentives'])
        await pages(path, [`round=${FIRST_ROUND_ID}`], ['SUPER_ADMIN']);
      await pages('/api/rounds', [''], ROLES);
      await people.ADMIN.get(`/api/rounds/${FIRST_ROUND_ID}`).expect(200);
    });
    expect(faults(operations, MOST)).toEqual([]);
  }, 60_000);

  it('referral codes, seeds, users, questionnaires and locations', async () => {
    const operations = await profiled(async () => {
      const codes = ['state=LIVE', 'state=USED', 'state=VOID', 'state=RESERVED', `survey=${ids[9]}`];
      await pages(
        '/api/referral-codes',
        ['', ...codes, `seed=${ids[3]}`, `batch=${ids[3]}`, 'code=ABCDEFGC'],
        ['ADMIN'],
      );
      await pages('/api/seeds', combinations({ location: site, kind: 'PLANNED' }), ROLES);
      const users = combinations({ location: site, status: 'PENDING', role: 'VOLUNTEER' });
      await pages('/api/users', users, ['SUPER_ADMIN', 'ADMIN', 'MANAGER']);
      await pages('/api/questionnaires', [''], ROLES);
      await pages('/api/questionnaire-drafts', ['', `base=${ids[3]}`], ['ADMIN']);
      for (const sort of ['name', '-name', 'createdAt', '-createdAt'])
        await world.anonymous.get(`/api/locations?sort=${sort}`).expect(200);
      await world.anonymous.get('/api/study/public').expect(200);
      await world.anonymous.get('/api/status/ABCDEFGHJKMNPQRS').expect(404);
    });
    expect(faults(operations, MOST)).toEqual([]);
  }, 60_000);

  it('the audit trail, by each filter, and batches', async () => {
    const { referralCode: seedCode } = await makeSeed(world, people.VOLUNTEER, { location: site });
    // Admins may not review their own interviews, so this event is left out for them.
    const own = { createdBy: new ObjectId(people.ADMIN.id), deletedAt: null };
    const flagged = await database()
      .collection('surveys')
      .findOne(own, { sort: { createdAt: -1 } });
    await database()
      .collection('auditevents')
      .insertOne({
        ...{ by: null, action: 'update', subject: 'Survey', record: flagged?._id, location: null },
        ...{ changes: [{ path: 'repeat', before: {}, after: null }], createdAt: new Date() },
      });
    const operations = await profiled(async () => {
      const audit = combinations({
        by: people.VOLUNTEER.id,
        record: String(ids[9]),
        subject: 'Survey',
        location: site,
        from: new Date(Date.now() - 40 * 86_400_000).toISOString(),
      });
      await pages(
        '/api/audit',
        [...audit, 'subject=Seed&action=create', 'action=delete', `code=${seedCode}`],
        ['SUPER_ADMIN', 'ADMIN'],
      );
      const { body } = await people.ADMIN.get(`/api/audit?record=${flagged?._id}&action=update`).expect(200);
      expect(body.data).toEqual([]);
      await people.ADMIN.get('/api/users/decisions').expect(200);
      await people.ADMIN.get(`/api/users/decisions?user=${people.VOLUNTEER.id}`).expect(200);
      await pages('/api/referral-codes/batches', [''], ['ADMIN']);
      await pages('/api/analysis/runs', combinations({ state: 'DONE', outcome: 'veteran' }), ['ADMIN']);
      await pages('/api/analysis/counts', [''], ['ADMIN']);
    });
    expect(operations.map(({ planSummary }) => planSummary)).toContain('IXSCAN { changes.path: 1 }');
    expect(faults(operations, MOST)).toEqual([]);
  }, 60_000);

  it('devices, by each filter, and read tokens', async () => {
    const users = [new ObjectId(people.VOLUNTEER.id), ...manyIds(250)];
    const devices = manyIds(5_000).map((_id, i) => {
      const isPending = i % 10 === 0;
      const since = isPending ? new Date(Date.now() - i * 1_000) : null;
      return {
        ...{ _id, device: `device ${i}`, user: users[i % users.length], appVersion: '1', codesLeft: 3 },
        ...{
          location: i % 50 === 0 ? new ObjectId(site) : ids[i % 50],
          drafts: 0,
          refused: 0,
          persisted: true,
        },
        ...{ unsent: isPending ? 1 : 0, oldestUnsentAt: since, reportedAt: new Date(), expiresAt: null },
        pendingSince: since ?? new Date('9999-01-01T00:00:00Z'),
      };
    });
    await database().collection('devices').insertMany(devices);
    const operations = await profiled(async () => {
      const queries = combinations({ location: site, user: people.VOLUNTEER.id, pending: 'true' });
      await pages('/api/devices', queries, ['SUPER_ADMIN', 'ADMIN', 'MANAGER'], 'oldestUnsentAt');
      await pages('/api/tokens', [''], ['SUPER_ADMIN']);
    });
    expect(operations.length).toBeGreaterThan(20);
    expect(faults(operations, MOST)).toEqual([]);
  }, 60_000);

  it('texts, by each filter', async () => {
    const messages = manyIds(5_000).map((_id, i) => ({
      ...{ _id, survey: ids[i], incentive: _id, language: 'en', error: null, tries: 1, day: null, sid: null },
      kind: i % 10 === 0 ? 'CARD' : 'MONEY_DUE',
      state: i % 25 === 0 ? 'FAILED' : 'DELIVERED',
      ...{ createdAt: new Date(Date.now() - i * 60_000), sendAt: new Date(), claimedAt: null },
      ...{ wordsHash: null, sentAt: null, deliveredAt: null },
    }));
    await database().collection('messages').insertMany(messages);
    const operations = await profiled(() =>
      pages(
        '/api/messages',
        combinations({
          state: 'FAILED',
          kind: 'CARD',
          from: new Date(Date.now() - 2 * 86_400_000).toISOString(),
          to: new Date().toISOString(),
        }),
        ['SUPER_ADMIN', 'ADMIN'],
      ),
    );
    expect(operations.length).toBeGreaterThan(20);
    expect(faults(operations, MOST)).toEqual([]);
  }, 60_000);

  it('gift cards, by each filter', async () => {
    const cards = manyIds(5_000).map((_id, i) => ({
      ...{ _id, sealed: '', hashes: [`card ${i}`], lastFour: String(1_000 + (i % 500)), currency: 'USD' },
      ...{ amount: i % 40 === 0 ? '10.00' : '20.00', expiresOn: null, reason: null },
      ...(i % 10 === 0
        ? { state: 'GIVEN', incentive: _id, delivery: 'SHOWN' }
        : { state: 'FREE', incentive: null, delivery: null }),
      givenBy: i % 40 === 0 ? new ObjectId(people.VOLUNTEER.id) : null,
      givenAt: i % 10 === 0 ? new Date(Date.now() - i * 60_000) : null,
      createdAt: new Date(Date.now() - i * 1_000),
    }));
    await database().collection('cards').insertMany(cards);
    const operations = await profiled(() =>
      pages(
        '/api/cards',
        combinations({
          state: 'GIVEN',
          amount: '10.00',
          lastFour: '1040',
          givenBy: people.VOLUNTEER.id,
        }),
        ['SUPER_ADMIN'],
      ),
    );
    expect(operations.length).toBeGreaterThan(20);
    expect(faults(operations, MOST)).toEqual([]);
  }, 60_000);

  it('incentives, by each filter and each role', async () => {
    await insertIncentives(10_000);
    const code = generateCode(() => Uint8Array.from([9, 0, 0, 0, 0, 0, 0]));
    const queries = combinations({
      location: site,
      state: 'PAID',
      kind: 'RECRUIT',
      paidBy: people.VOLUNTEER.id,
    });
    const operations = await profiled(() =>
      pages('/api/incentives', [...queries, 'state=DUE', `survey=${ids[9]}`, `search=${code}`], ROLES),
    );
    // Payments of a few days, or at one site today, may be found first and then sorted.
    const unsorted = operations.map((one) => ({ ...one, hasSortStage: false }));
    expect(faults(unsorted, 2 * MOST)).toEqual([]);
    // By a name: what is due for at most the newest 2,000 interviews of these people.
    const ofInterviewer = { _id: new ObjectId(people.VOLUNTEER.id) };
    await database()
      .collection('users')
      .updateOne(ofInterviewer, { $set: { firstName: 'Quill' } });
    const named = await profiled(() =>
      pages('/api/incentives', ['search=quill'], ['SUPER_ADMIN', 'MANAGER']),
    );
    expect(
      faults(
        named.map((one) => ({ ...one, hasSortStage: false })),
        4_000,
      ),
    ).toEqual([]);
    // A period by time of payment, sorted by when they became due.
    const from = new Date(Date.now() - 5 * 86_400_000).toISOString();
    const totals = await profiled(async () => {
      await pages('/api/incentives', [`from=${from}`, `from=${from}&location=${site}`], ROLES);
      await people.VOLUNTEER.get('/api/incentives/summary').expect(200);
      await people.MANAGER.get('/api/incentives/summary').expect(200);
      await people.ADMIN.get('/api/incentives/summary?from=2020-01-01').expect(200);
    });
    const unsortedTotals = totals.map((one) => ({ ...one, hasSortStage: false }));
    expect(faults(unsortedTotals, 10_000)).toEqual([]);
    const files = await profiled(async () => {
      for (const days of [`paidFrom=${from}`, `paidTo=${from}`, `paidFrom=${from}&paidBy=${ids[9]}`])
        await people.ADMIN.get(`/api/exports/incentives.csv?${days}`).expect(200);
    });
    // The names of all sites are read as well.
    const ofIncentives = files.filter(({ ns }) => ns.endsWith('.incentives'));
    expect(ofIncentives.length).toBeGreaterThan(2);
    expect(faults(ofIncentives, 10_000)).toEqual([]);
  }, 60_000);

  it('closed days, by each filter and each role', async () => {
    const sites = [new ObjectId(site), ...manyIds(19)];
    const day = (at: number) => isoDateAt(new Date(Date.now() - at * 86_400_000), 'America/Los_Angeles');
    const closedDays = Array.from({ length: 4_000 }, (_, at) => ({
      ...{ location: sites[at % 20], day: day(Math.floor(at / 20)), currency: 'USD' },
      ...{ opening: '100.00', counted: '60.00', paid: '40.00', difference: '0.00', byMethod: [] },
      ...{ state: at % 9 ? 'CLOSED' : 'REOPENED', closedBy: new ObjectId(people.ADMIN.id) },
      createdAt: new Date(Date.now() - at * 60_000),
      ...{ reopenedBy: null, reopenedAt: null, reason: null },
    }));
    await database()
      .collection('cashdays')
      .insertMany(closedDays as never[]);
    const queries = combinations({ location: site, state: 'CLOSED' });
    const roles = ['SUPER_ADMIN', 'ADMIN', 'MANAGER'] as const;
    const days = [`from=${day(3)}`, `from=${day(3)}&to=${day(1)}`, `location=${site}&from=${day(3)}`];
    const ofDays = (profile: Awaited<ReturnType<typeof profiled>>) =>
      profile.filter(({ ns }) => ns.endsWith('.cashdays'));
    const seen = await profiled(() => pages('/api/cash-days', queries, roles));
    expect(ofDays(seen).length).toBeGreaterThan(10);
    expect(faults(ofDays(seen), 2 * MOST)).toEqual([]);
    // Some days of all sites, sorted by when they were closed.
    const some = await profiled(() => pages('/api/cash-days', days, roles));
    expect(
      faults(
        ofDays(some).map((one) => ({ ...one, hasSortStage: false })),
        2 * MOST,
      ),
    ).toEqual([]);
    const payments = [...seen, ...some].filter(({ ns }) => ns.endsWith('.incentives'));
    expect(payments.length).toBeGreaterThan(0);
    expect(
      faults(
        payments.map((one) => ({ ...one, hasSortStage: false })),
        10_000,
      ),
    ).toEqual([]);
  }, 60_000);

  it('counts and searches use an index', async () => {
    const operations = await profiled(async () => {
      await people.SUPER_ADMIN.get('/api/surveys?limit=1&total=true').expect(200);
      await people.MANAGER.get('/api/surveys?limit=1&total=true').expect(200);
      await people.ADMIN.get('/api/users?search=person%20555').expect(200);
    });
    expect(faults(operations, SURVEYS)).toEqual([]);
  });
});

describe('other routes read a handful of records', () => {
  const MOST = 20;

  it('interviews: submit, replay, change, read, delete', async () => {
    const { SUPER_ADMIN: root, VOLUNTEER: volunteer } = people;
    const seed = await makeSeed(world, volunteer, { location: site });
    const operations = await profiled(async () => {
      const clientId = randomUUID();
      const submission = { location: site, referralCode: seed.referralCode, clientId, responses: ANSWERS };
      const { body: first } = await volunteer.post('/api/surveys', submission).expect(201);
      await volunteer.post('/api/surveys', submission).expect(200);
      await volunteer.post('/api/surveys', { ...submission, responses: { networkSize: 3 } }).expect(409);
      const next = { location: site, referralCode: first.issuedCodes[0] };
      const { body: second } = await volunteer
        .post('/api/surveys', { ...next, status: 'IN_PROGRESS', responses: {} })
        .expect(201);
      await volunteer
        .patch(`/api/surveys/${second.id}`, { status: 'COMPLETED', responses: ANSWERS })
        .expect(200);
      const flagged = { ...next, onCodeProblem: 'FLAG', responses: ANSWERS };
      const { body: third } = await volunteer.post('/api/surveys', flagged).expect(201);
      await volunteer.patch(`/api/surveys/${third.id}`, { referralCode: first.issuedCodes[1] }).expect(200);
      await makeSurvey(world, volunteer, { location: site });
      await volunteer.get(`/api/surveys/${first.id}`).expect(200);
      await volunteer.get(`/api/surveys/${second.id}/history`).expect(200);
      await root.delete(`/api/surveys/${third.id}`).expect(204);
      await root.post(`/api/surveys/${third.id}/restore`).expect(200);
      const { body: fourth } = await volunteer.post('/api/surveys', flagged).expect(201);
      const takeOver = { from: second.id, reason: 'The coupon had been copied.' };
      await root.post(`/api/surveys/${fourth.id}/take-code`, takeOver).expect(200);
      const { body: block } = await volunteer.post('/api/referral-codes/blocks', { count: 1 }).expect(201);
      await volunteer.patch(`/api/surveys/${fourth.id}`, { issuedCodes: block.codes }).expect(200);
      const surveys = [{ clientId: randomUUID(), location: site, responses: ANSWERS }];
      const { body: come } = await root
        .post('/api/surveys/import', { owner: volunteer.id, surveys })
        .expect(200);
      expect(come.data[0].status).toBe(201);
      const comment = { text: 'She was in a hurry.' };
      await volunteer.post(`/api/surveys/${fourth.id}/comments`, comment).expect(201);
      await root.post(`/api/surveys/${fourth.id}/review`, { state: 'APPROVED' }).expect(200);
      await root.post('/api/surveys/review', { ids: [third.id], state: 'APPROVED' }).expect(200);
      await volunteer.get(`/api/surveys/${fourth.id}/comments`).expect(200);
      await volunteer.get('/api/surveys?fields=full').expect(200);
      await volunteer.get(`/api/validate-referral-code/${first.issuedCodes[2]}`).expect(200);
    });
    expect(operations.length).toBeGreaterThan(40);
    expect(faults(operations, MOST)).toEqual([]);
  });

  it('an interview needs no extra queries without incentives', async () => {
    const operations = await profiled(async () => {
      const { issuedCodes } = await makeSurvey(world, people.VOLUNTEER, { location: site });
      await makeSurvey(world, people.VOLUNTEER, { location: site, referralCode: issuedCodes[0] });
    });
    const collections = operations.map(({ ns }) => ns.replace(/^[^.]*\./, ''));
    expect(collections).toContain('surveys');
    expect(collections.filter((name) => name === 'incentives' || name === 'locks')).toEqual([]);
    // Each of the two reads the study at most once for its time zone and once for its coupons.
    expect(collections.filter((name) => name === 'studies').length).toBeLessThanOrEqual(4);
  });

  it('incentives: due, claim, pay, withdraw, reopen', async () => {
    const { ADMIN: admin, VOLUNTEER: volunteer } = people;
    await admin
      .patch('/api/study', { incentives: { currency: 'USD', interview: '20.00', recruit: '10.00' } })
      .expect(200);
    const operations = await profiled(async () => {
      const first = await makeSurvey(world, volunteer, { location: site });
      const [code] = first.issuedCodes;
      const second = await makeSurvey(world, volunteer, { location: site, referralCode: code });
      const { body } = await volunteer.get(`/api/incentives/claim/${first.referralCode}`).expect(200);
      const [own, ofRecruit] = body.due.map((one: { id: string }) => `/api/incentives/${one.id}`);
      await volunteer.post(`${own}/pay`, { method: 'CASH', clientId: randomUUID() }).expect(200);
      await admin.post(`${own}/reopen`, { reason: 'a mistake' }).expect(200);
      await admin.post(`${ofRecruit}/withdraw`, { reason: 'sold' }).expect(200);
      await people.SUPER_ADMIN.delete(`/api/surveys/${second.id}`).expect(204);
    });
    expect(operations.length).toBeGreaterThan(40);
    expect(faults(operations, MOST)).toEqual([]);
    await admin.patch('/api/study', { incentives: { currency: 'USD' } }).expect(200);
  });

  it('reserved codes, and a recruiter that arrives after its recruits', async () => {
    const { ADMIN: admin, VOLUNTEER: volunteer } = people;
    const operations = await profiled(async () => {
      const blockRequest = { count: 5, requestId: randomUUID() };
      const { body: block } = await volunteer.post('/api/referral-codes/blocks', blockRequest).expect(201);
      await volunteer.post('/api/referral-codes/blocks', blockRequest).expect(200);
      await volunteer.get('/api/referral-codes/blocks').expect(200);
      await volunteer.post('/api/referral-codes/blocks/give-up', { codes: [block.codes[4]] }).expect(200);
      const [one, two] = block.codes;
      const recruit = await makeSurvey(world, volunteer, { location: site, referralCode: one });
      await makeSurvey(world, volunteer, { location: site, referralCode: recruit.issuedCodes[0] });
      await makeSurvey(world, volunteer, { location: site, issuedCodes: [one, two] });
      await admin.patch(`/api/referral-codes/${block.codes[3]}`, { void: true, reason: 'lost' }).expect(200);
      await admin.post('/api/referral-codes/batches', { count: 3, location: site }).expect(201);
    });
    expect(faults(operations, MOST)).toEqual([]);
  });

  it('printed batches and seeds, sites in a list, one recruitment tree', async () => {
    const { ADMIN: admin, VOLUNTEER: volunteer } = people;
    const begun = await database().collection('seeds').find().limit(200).toArray();
    const many = begun.map(({ _id }) => `seed=${_id}`).join('&');
    // The first number reads the whole study once; later ones read only what changed.
    await admin.get('/api/recruitment/summary').expect(200);
    const operations = await profiled(async () => {
      const { body: batch } = await admin
        .post('/api/referral-codes/batches', { count: 3, location: site })
        .expect(201);
      const path = `/api/referral-codes/batches/${batch.id}`;
      await admin.post(`${path}/print`, { layout: 'cards' }).expect(200);
      await admin.post(`${path}/void`, { reason: 'lost' }).expect(200);
      const seed = await makeSeed(world, volunteer, { location: site });
      await volunteer.post('/api/seeds/print', { seeds: [seed.id] }).expect(200);
      await volunteer.get('/api/referral-codes/blocks').expect(200);
      const locations = [{ name: 'A pier' }, { name: 'A bridge' }];
      await people.SUPER_ADMIN.post('/api/locations/import', { locations }).expect(200);
      const start = { location: site, referralCode: seed.referralCode, responses: ANSWERS };
      await volunteer.post('/api/surveys', start).expect(201);
      await admin.get(`/api/recruitment/tree?seed=${seed.id}`).expect(200);
      const { body: chains } = await admin.get(`/api/recruitment/chains?${many}`).expect(200);
      const { body: findings } = await admin.get('/api/quality').expect(200);
      await admin.get('/api/quality/groups').expect(200);
      await admin.get(`/api/quality?survey=${ids[9]}`).expect(200);
      expect(findings.data).toEqual([]);
      expect(chains.data.length).toBeGreaterThan(190);
    });
    // The seeds of one printout and the interviews of one tree, thousands at most, are sorted after they are found.
    expect(
      faults(
        operations.map((one) => ({ ...one, hasSortStage: false })),
        MOST,
      ),
    ).toEqual([]);
  });

  it('seeds, locations, questionnaires, the study', async () => {
    const { ADMIN: admin } = people;
    const operations = await profiled(async () => {
      const { body: seed } = await admin.post('/api/seeds', { location: site }).expect(201);
      await admin.get(`/api/seeds/${seed.id}`).expect(200);
      await admin.delete(`/api/seeds/${seed.id}`).expect(204);
      const { body: place } = await admin
        .post('/api/locations', { name: 'A quay', type: 'OTHER' })
        .expect(201);
      await admin.get(`/api/locations/${place.id}`).expect(200);
      await admin.patch(`/api/locations/${place.id}`, { name: 'Another quay' }).expect(200);
      await admin.delete(`/api/locations/${place.id}`).expect(204);
      await admin.get('/api/questionnaires/active').expect(200);
      await admin.get(`/api/questionnaires/${await smallQuestionnaire(world)}`).expect(200);
      const { body: draft } = await admin.post('/api/questionnaire-drafts', makeDraft()).expect(201);
      const drafted = `/api/questionnaire-drafts/${draft.id}`;
      await admin.get(drafted).expect(200);
      await admin.patch(drafted, { name: 'Other' }).set('If-Match', '"1"').expect(200);
      await admin.delete(drafted).set('If-Match', '"2"').expect(204);
      await admin.get('/api/study').expect(200);
      await admin.patch('/api/study', { name: 'Winter' }).expect(200);
    });
    expect(faults(operations, MOST)).toEqual([]);
  });

  it('users: signing up and in, created, changed, deleted', async () => {
    const { SUPER_ADMIN: root } = people;
    const phone = world.newPhone();
    const operations = await profiled(async () => {
      await world.anonymous.post('/api/auth/send-otp-signup', { phone }).expect(200);
      const signUp = { phone, code: world.otps.get(phone), firstName: 'Ada', lastName: 'Field' };
      const { body } = await world.anonymous.post('/api/auth/verify-otp-signup', signUp).expect(201);
      await world.anonymous.post('/api/auth/send-otp-login', { phone }).expect(200);
      await world.anonymous
        .post('/api/auth/verify-otp-login', { phone, code: world.otps.get(phone) })
        .expect(200);
      await world.bearer(body.token).get('/api/auth/session').expect(200);
      await root
        .patch(`/api/users/${body.user.id}`, { approvalStatus: 'APPROVED', location: site })
        .expect(200);
      await root.patch(`/api/users/${body.user.id}`, { role: 'MANAGER' }).expect(200);
      await root.get(`/api/users/${body.user.id}`).expect(200);
      await root.delete(`/api/users/${body.user.id}`).expect(204);
      const hired = { phone: world.newPhone(), firstName: 'Bo', lastName: 'Lind', role: 'VOLUNTEER' };
      await root.post('/api/users', hired).expect(201);
      await world.anonymous.get('/api/health/ready').expect(200);
    });
    expect(faults(operations, MOST)).toEqual([]);
  });

  it('removing the last super admin looks for others by an index', async () => {
    const operations = await profiled(() =>
      people.ADMIN.patch(`/api/users/${people.SUPER_ADMIN.id}`, { role: 'ADMIN' }),
    );
    expect(faults(operations, MOST)).toEqual([]);
  });
});

it('at most two round trips precede a handler, including rate limits', async () => {
  const app = createApp({ ...world.deps, config: { ...world.deps.config, rateLimits: true } });
  const ask = () =>
    supertest(app).get('/api/auth/session').auth(people.VOLUNTEER.token, { type: 'bearer' }).expect(200);
  // The limiter creates its own index at its first use.
  await ask();
  const operations = await profiled(ask);
  expect(operations.map((one) => one.ns.replace(/^[^.]*\./, '')).sort()).toEqual(['ratelimits', 'users']);
  expect(faults(operations, 3)).toEqual([]);
});
