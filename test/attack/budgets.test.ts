/**
 * The cost of each route at maximum load, called by the role with the least rights that may: at most 50 MB, and no turn
 * of the event loop over 50 ms of processor time. The service runs as in production. A route without a row below fails.
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { findingId } from '../../src/board/quality/finding.ts';
import { writeXlsformFile } from '../../src/questionnaires/xlsform/write-form.ts';
import { apiRoutes } from '../../src/routes.ts';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { makeDraft } from '../make.ts';
import { type Person, ROLES, type Role, startWorld, type World } from '../people.ts';
import { answers, fill, type Largest, largeDefinition } from './largest.ts';
import { type Measured, type Need, startMeasured } from './measured-service.ts';

const BOUND: Need = { ms: 50, mb: 50 };
/** The best of this many attempts counts, to exclude other load on the machine and compilation. */
const TRIES = 10;
/** No attempt begins after this time. */
const TIMEOUT_MS = 150_000;
/**
 * What `measured.reference()` takes on an idle machine. Where it takes more, other programs slow the processor down, and
 * a request may take as much more.
 */
const REFERENCE_MS = 20;

interface Ask {
  path?: string;
  /** Sent as JSON; a file is sent unchanged. */
  body?: unknown;
}

interface Row {
  as: Role | 'ANYONE';
  ask(): Ask | Promise<Ask>;
  status: number;
  /** Reads this much of the response, then closes the connection: the rest is alike. */
  enough?: number;
}

let world: World;
let people: Record<Role, Person>;
let study: Largest;
let measured: Measured;

const interview = (mark: string) => ({
  clientId: randomUUID(),
  location: study.site,
  questionnaire: study.wide,
  responses: answers(mark),
});
let marks = 0;
const mark = () => 'abcdefghijklmnop'[marks++ % 16] ?? 'a';

const none = (): Ask => ({});
const oid = (text: string) => new mongoose.Types.ObjectId(text);

const largeForm = writeXlsformFile({
  name: 'Large',
  definition: largeDefinition('x'),
  networkSizeQuestion: 'degree',
}).then((bytes) => Buffer.from(bytes));

const largeDraft = () => ({ ...makeDraft(), text: JSON.stringify(largeDefinition('z')) });

async function storedDraft(): Promise<string> {
  // Their number is limited.
  await mongoose.connection.collection('questionnairedrafts').deleteMany({});
  const by = new mongoose.Types.ObjectId();
  const draftRecord = { ...largeDraft(), base: null, version: 1, createdBy: by, updatedBy: by };
  return await study.into('questionnairedrafts', { ...draftRecord, updatedAt: new Date() });
}

async function closedRound(): Promise<string> {
  const at = new Date('2019-01-15T12:00:00Z');
  return await study.into('rounds', {
    ...{ name: 'Winter', startsOn: '2019-01-15', state: 'CLOSED', openedAt: at, closedAt: at },
    ...{ createdAt: at, settings: { couponText: { en: 'x'.repeat(2_000) } } },
  });
}

/** A megabyte of unknown fields: the largest body of routes with small bodies. */
const UNKNOWN = JSON.stringify(
  Object.fromEntries(Array.from({ length: 49_000 }, (_, at) => [`field${at}`, 0])),
);
const unknown = (as: Row['as'], path?: () => string): Row => ({
  as,
  ask: () => ({ body: UNKNOWN, ...(path ? { path: path() } : {}) }),
  status: 400,
});
/** Routes with only an id, whose records are small. */
const byId = (as: Row['as'], status: number, path: () => string | Promise<string>): Row => ({
  as,
  status,
  ask: async () => ({ path: await path() }),
});
/** A list with far more entries than allowed, all of them invalid. */
const wrong = (as: Row['as'], key: string, path?: () => string): Row => ({
  as,
  ask: () => ({ body: { [key]: new Array(49_000).fill(0) }, ...(path ? { path: path() } : {}) }),
  status: 400,
});

const longest = (length: number) => 'x'.repeat(length);
const credential = { id: longest(1_400), rawId: longest(1_400), type: 'public-key' };
const largestAttestation = () => ({
  ...credential,
  response: { clientDataJSON: longest(8_000), attestationObject: longest(32_000) },
});
const largestAssertion = () => ({
  ...credential,
  response: {
    ...{ clientDataJSON: longest(8_000), authenticatorData: longest(8_000), signature: longest(8_000) },
    userHandle: longest(128),
  },
});

const someVolunteer = () =>
  study.into('users', {
    role: 'VOLUNTEER',
    approvalStatus: 'APPROVED',
    phone: randomUUID(),
    phoneProvedAt: new Date(),
    permissions: [],
  });

const ROWS: Record<string, Row | Row[]> = {
  'POST /api/auth/send-otp-signup': unknown('ANYONE'),
  'POST /api/auth/send-otp-login': unknown('ANYONE'),
  'POST /api/auth/verify-otp-signup': unknown('ANYONE'),
  'POST /api/auth/verify-otp-login': unknown('ANYONE'),
  'POST /api/setup': unknown('ANYONE'),
  'GET /api/auth/session': { as: 'VOLUNTEER', ask: none, status: 200 },
  'POST /api/auth/sign-out-everywhere': { as: 'ANYONE', ask: none, status: 401 },
  'POST /api/auth/sign-out': { as: 'ANYONE', ask: none, status: 401 },
  'GET /api/auth/sessions': { as: 'VOLUNTEER', ask: none, status: 200 },
  'DELETE /api/auth/sessions/:id': byId(
    'VOLUNTEER',
    404,
    () => '/api/auth/sessions/0123456789abcdef01234567',
  ),
  'POST /api/auth/send-token': { as: 'ANYONE', ask: none, status: 401 },
  'GET /api/tokens': {
    as: 'SUPER_ADMIN',
    ask: () => ({ path: '/api/tokens?limit=200&total=true' }),
    status: 200,
  },
  'POST /api/tokens': unknown('SUPER_ADMIN'),
  'DELETE /api/tokens/:id': byId('SUPER_ADMIN', 404, () => '/api/tokens/0123456789abcdef01234567'),
  'POST /api/devices/report': unknown('VOLUNTEER'),
  'GET /api/devices': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/devices?limit=200&total=true' }),
    status: 200,
  },
  'GET /api/users/:id/sessions': byId(
    'ADMIN',
    200,
    async () => `/api/users/${await someVolunteer()}/sessions`,
  ),
  'POST /api/auth/passkeys/options': { as: 'VOLUNTEER', ask: none, status: 200 },
  'POST /api/auth/passkeys/sign-in-options': { as: 'ANYONE', ask: none, status: 200 },
  'POST /api/auth/passkeys/sign-in': {
    as: 'ANYONE',
    ask: () => ({ body: { response: largestAssertion() } }),
    status: 400,
  },
  'POST /api/auth/passkeys/verify': {
    as: 'VOLUNTEER',
    ask: () => ({ body: { response: largestAssertion() } }),
    status: 400,
  },
  'POST /api/auth/passkeys': {
    as: 'VOLUNTEER',
    ask: () => ({ body: { name: 'x'.repeat(100), response: largestAttestation() } }),
    status: 400,
  },
  'GET /api/auth/passkeys': { as: 'VOLUNTEER', ask: none, status: 200 },
  'DELETE /api/auth/passkeys/:id': byId(
    'VOLUNTEER',
    404,
    () => '/api/auth/passkeys/0123456789abcdef01234567',
  ),
  'DELETE /api/users/:id/passkeys': byId(
    'ADMIN',
    204,
    async () => `/api/users/${await someVolunteer()}/passkeys`,
  ),
  'POST /api/users/:id/sign-out': byId(
    'ADMIN',
    204,
    async () => `/api/users/${await someVolunteer()}/sign-out`,
  ),
  'POST /api/users/:id/sign-in-code': byId(
    'ADMIN',
    201,
    async () => `/api/users/${await someVolunteer()}/sign-in-code`,
  ),
  'GET /api/users/:id': byId('VOLUNTEER', 200, () => `/api/users/${people.VOLUNTEER.id}`),
  'POST /api/users': unknown('VOLUNTEER'),
  'PATCH /api/users/:id': [
    unknown('VOLUNTEER', () => `/api/users/${people.VOLUNTEER.id}`),
    wrong('VOLUNTEER', 'permissions', () => `/api/users/${people.VOLUNTEER.id}`),
  ],
  'DELETE /api/users/:id': byId('ADMIN', 204, async () => `/api/users/${await someVolunteer()}`),
  'POST /api/surveys/unseal': unknown('VOLUNTEER'),
  'POST /api/surveys/repeat-check': unknown('VOLUNTEER'),
  'POST /api/surveys/:id/take-code': unknown('VOLUNTEER', () => `/api/surveys/${study.copied}/take-code`),
  'POST /api/surveys/:id/review': {
    as: 'ADMIN',
    ask: () => ({
      path: `/api/surveys/${study.copied}/review`,
      body: { state: 'HAS_ISSUES', comment: 'x'.repeat(2_000) },
    }),
    status: 200,
  },
  'POST /api/surveys/:id/review/undo': byId('ADMIN', 200, async () => {
    const review = { state: 'APPROVED', by: oid(people.ADMIN.id), at: new Date(), previous: null };
    await mongoose.connection
      .collection('surveys')
      .updateOne({ _id: oid(study.copied) }, { $set: { review } });
    return `/api/surveys/${study.copied}/review/undo`;
  }),
  'POST /api/surveys/review': {
    as: 'ADMIN',
    ask: async () => {
      const flaggedSurveys = mongoose.connection
        .collection('surveys')
        .find({ 'flags.code': 'ISSUED_CODE_REFUSED' });
      const ids = (await flaggedSurveys.project({ _id: 1 }).limit(200).toArray()).map(({ _id }) =>
        String(_id),
      );
      return { body: { ids, state: 'HAS_ISSUES', comment: 'x'.repeat(2_000) } };
    },
    status: 200,
  },
  'GET /api/surveys/:id/comments': byId('VOLUNTEER', 200, async () => {
    const comments = Array.from({ length: 200 }, () => ({
      ...{ survey: oid(study.changed), text: 'x'.repeat(2_000), by: oid(people.ADMIN.id) },
      ...{ state: 'HAS_ISSUES', createdAt: new Date() },
    }));
    await mongoose.connection.collection('surveycomments').insertMany(comments);
    return `/api/surveys/${study.changed}/comments?limit=200`;
  }),
  'POST /api/surveys/:id/comments': unknown('VOLUNTEER', () => `/api/surveys/${study.copied}/comments`),
  'POST /api/surveys/:id/restore': byId('ADMIN', 200, () => `/api/surveys/${study.copied}/restore`),
  'POST /api/surveys/:id/erase': unknown('SUPER_ADMIN', () => `/api/surveys/${study.copied}/erase`),
  'DELETE /api/surveys/:id': byId(
    'ADMIN',
    204,
    async () => `/api/surveys/${await study.survey({ responses: answers('d') })}`,
  ),
  'GET /api/seeds/:id': byId('VOLUNTEER', 200, () => `/api/seeds/${study.seeds[0]}`),
  'POST /api/seeds': unknown('VOLUNTEER'),
  'POST /api/seeds/delete': {
    as: 'ADMIN',
    ask: async () => {
      const ids: string[] = [];
      for (let index = 0; index < 200; index++) {
        const referralCode = await study.code({});
        const seed = { referralCode, kind: 'PLANNED', location: oid(study.site), survey: null };
        ids.push(String(await study.into('seeds', seed)));
      }
      return { body: { ids } };
    },
    status: 200,
  },
  'DELETE /api/seeds/:id': byId('ADMIN', 204, async () => {
    const referralCode = await study.code({});
    return `/api/seeds/${await study.into('seeds', { referralCode, kind: 'PLANNED', location: oid(study.site), survey: null })}`;
  }),
  'GET /api/locations/:id': byId('VOLUNTEER', 200, () => `/api/locations/${study.site}`),
  'POST /api/locations': unknown('VOLUNTEER'),
  'PATCH /api/locations/:id': unknown('VOLUNTEER', () => `/api/locations/${study.site}`),
  'POST /api/locations/:id/reopen': byId('ADMIN', 200, () => `/api/locations/${study.site}/reopen`),
  'DELETE /api/locations/:id': byId(
    'ADMIN',
    204,
    async () => `/api/locations/${await study.into('locations', { name: randomUUID(), type: 'OTHER' })}`,
  ),
  'POST /api/referral-codes/batches/:id/void': {
    as: 'ADMIN',
    ask: async () => ({
      path: `/api/referral-codes/batches/${await study.newBatch()}/void`,
      body: { reason: 'x'.repeat(1000) },
    }),
    status: 200,
  },
  'GET /api/validate-referral-code/:code': byId(
    'VOLUNTEER',
    200,
    async () => `/api/validate-referral-code/${await study.code({})}`,
  ),
  'PATCH /api/referral-codes/:code': unknown('VOLUNTEER', () => '/api/referral-codes/AAAA'),
  'POST /api/referral-codes/blocks': unknown('VOLUNTEER'),
  'GET /api/referral-codes/blocks': { as: 'VOLUNTEER', ask: none, status: 200 },
  'POST /api/referral-codes/blocks/give-up': wrong('VOLUNTEER', 'codes'),
  'GET /api/questionnaires/active': { as: 'VOLUNTEER', ask: none, status: 200 },
  'PATCH /api/questionnaires/:id': unknown('VOLUNTEER', () => `/api/questionnaires/${study.questionnaire}`),
  'GET /api/study': { as: 'VOLUNTEER', ask: none, status: 200 },
  'PATCH /api/study': unknown('VOLUNTEER'),
  'GET /api/rounds': {
    as: 'VOLUNTEER',
    ask: async () => {
      for (let index = 0; index < 200; index++) await closedRound();
      return { path: '/api/rounds?limit=200&total=true' };
    },
    status: 200,
  },
  'GET /api/rounds/:id': byId('VOLUNTEER', 200, () => `/api/rounds/${FIRST_ROUND_ID}`),
  'GET /api/rounds/:id/closing': byId('SUPER_ADMIN', 200, () => `/api/rounds/${FIRST_ROUND_ID}/closing`),
  'POST /api/rounds': unknown('VOLUNTEER'),
  'PATCH /api/rounds/:id': unknown('VOLUNTEER', () => `/api/rounds/${FIRST_ROUND_ID}`),
  'POST /api/rounds/:id/close': byId('ADMIN', 403, () => `/api/rounds/${FIRST_ROUND_ID}/close`),
  'POST /api/rounds/:id/reopen': byId('ADMIN', 403, () => `/api/rounds/${FIRST_ROUND_ID}/reopen`),
  'GET /api/health/live': { as: 'ANYONE', ask: none, status: 200 },
  'GET /api/health/ready': { as: 'ANYONE', ask: none, status: 200 },
  'GET /api/health/sms': { as: 'ANYONE', ask: none, status: 200 },
  'GET /api/users': { as: 'MANAGER', ask: () => ({ path: '/api/users?limit=200&total=true' }), status: 200 },
  'GET /api/users/decisions': { as: 'MANAGER', ask: none, status: 200 },
  'GET /api/surveys': [
    { as: 'VOLUNTEER', ask: () => ({ path: '/api/surveys?limit=200&total=true' }), status: 200 },
    {
      as: 'VOLUNTEER',
      ask: () => ({ path: '/api/surveys?limit=200&fields=full&sort=createdAt' }),
      status: 200,
    },
    { as: 'VOLUNTEER', ask: () => ({ path: '/api/surveys?limit=200&fields=full' }), status: 200 },
  ],
  'GET /api/surveys/:id': {
    as: 'VOLUNTEER',
    ask: () => ({ path: `/api/surveys/${study.copied}` }),
    status: 200,
  },
  'GET /api/surveys/:id/answers': [
    {
      as: 'VOLUNTEER',
      ask: () => ({ path: `/api/surveys/${study.copied}/answers?language=es` }),
      status: 200,
    },
    {
      as: 'VOLUNTEER',
      ask: async () => ({
        path: `/api/surveys/${await study.survey({ responses: { n1: 'x' }, questionnaire: oid(study.questionnaire) })}/answers`,
      }),
      status: 200,
    },
  ],
  'GET /api/surveys/:id/history': {
    as: 'VOLUNTEER',
    ask: () => ({ path: `/api/surveys/${study.changed}/history` }),
    status: 200,
  },
  'POST /api/surveys': [
    wrong('VOLUNTEER', 'issuedCodes'),
    {
      as: 'VOLUNTEER',
      ask: () => ({
        body: {
          ...interview('a'),
          status: 'IN_PROGRESS',
          completedAt: undefined,
          responses: JSON.parse(UNKNOWN),
        },
      }),
      status: 413,
    },
    { as: 'VOLUNTEER', ask: () => ({ body: interview('a') }), status: 201 },
  ],
  'PATCH /api/surveys/:id': {
    as: 'VOLUNTEER',
    ask: () => ({ path: `/api/surveys/${study.copied}`, body: { responses: answers(mark()) } }),
    status: 200,
  },
  'POST /api/surveys/import': {
    as: 'ADMIN',
    ask: () => ({
      body: {
        owner: people.VOLUNTEER.id,
        surveys: Array.from({ length: 100 }, () => ({ ...interview('a'), responses: answers('b', 18_000) })),
      },
    }),
    status: 200,
  },
  'GET /api/seeds': {
    as: 'VOLUNTEER',
    ask: () => ({ path: '/api/seeds?limit=200&total=true' }),
    status: 200,
  },
  'POST /api/seeds/print': {
    as: 'VOLUNTEER',
    ask: () => ({ body: { seeds: study.seeds, layout: 'cards' } }),
    status: 200,
    enough: 300_000,
  },
  'GET /api/locations': { as: 'ANYONE', ask: none, status: 200 },
  'POST /api/locations/import': {
    as: 'ADMIN',
    ask: () => ({
      body: {
        locations: Array.from({ length: 1000 }, () => ({ name: randomUUID(), address: 'x'.repeat(300) })),
      },
    }),
    status: 200,
  },
  'GET /api/referral-codes/batches': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/referral-codes/batches?limit=200&total=true' }),
    status: 200,
  },
  'POST /api/referral-codes/batches': {
    as: 'MANAGER',
    ask: () => ({ body: { count: 5000, location: study.site } }),
    status: 201,
  },
  'POST /api/referral-codes/batches/:id/print': {
    as: 'MANAGER',
    ask: () => ({ path: `/api/referral-codes/batches/${study.batch}/print`, body: { layout: 'cards' } }),
    status: 200,
    enough: 1_000_000,
  },
  'GET /api/referral-codes': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/referral-codes?limit=200&total=true' }),
    status: 200,
  },
  'GET /api/questionnaires': {
    as: 'VOLUNTEER',
    ask: () => ({ path: '/api/questionnaires?limit=200' }),
    status: 200,
  },
  'GET /api/questionnaires/:id': {
    as: 'VOLUNTEER',
    ask: () => ({ path: `/api/questionnaires/${study.questionnaire}` }),
    status: 200,
  },
  'GET /api/questionnaires/:id/activation': {
    as: 'ADMIN',
    ask: () => ({ path: `/api/questionnaires/${study.questionnaire}/activation` }),
    status: 200,
  },
  'POST /api/questionnaires': {
    as: 'ADMIN',
    ask: () => ({ body: { name: 'New', definition: largeDefinition('y'), networkSizeQuestion: 'degree' } }),
    status: 201,
  },
  'GET /api/questionnaire-drafts': {
    as: 'ADMIN',
    ask: async () => {
      await storedDraft();
      return { path: '/api/questionnaire-drafts?limit=200&total=true' };
    },
    status: 200,
  },
  'GET /api/questionnaire-drafts/:id': byId(
    'ADMIN',
    200,
    async () => `/api/questionnaire-drafts/${await storedDraft()}`,
  ),
  'POST /api/questionnaire-drafts': { as: 'ADMIN', ask: () => ({ body: largeDraft() }), status: 201 },
  'PATCH /api/questionnaire-drafts/:id': {
    as: 'ADMIN',
    ask: async () => ({ path: `/api/questionnaire-drafts/${await storedDraft()}`, body: largeDraft() }),
    status: 200,
  },
  'DELETE /api/questionnaire-drafts/:id': byId(
    'ADMIN',
    204,
    async () => `/api/questionnaire-drafts/${await storedDraft()}`,
  ),
  'GET /api/questionnaires/:id/xlsform': {
    as: 'VOLUNTEER',
    ask: () => ({ path: `/api/questionnaires/${study.questionnaire}/xlsform` }),
    status: 200,
  },
  'POST /api/questionnaires/xlsform': {
    as: 'ADMIN',
    ask: async () => ({ body: await largeForm }),
    status: 200,
  },
  'GET /api/study/public': { as: 'ANYONE', ask: none, status: 200 },
  'GET /api/status/:secret': byId('ANYONE', 404, () => `/api/status/${'A'.repeat(60)}`),
  'GET /api/exports/interviews.csv': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/exports/interviews.csv' }),
    status: 200,
    enough: 300_000,
  },
  'GET /api/exports/interviews.json': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/exports/interviews.json' }),
    status: 200,
    enough: 300_000,
  },
  'GET /api/exports/incentives.csv': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/exports/incentives.csv' }),
    status: 200,
  },
  'GET /api/exports/cards.csv': {
    as: 'SUPER_ADMIN',
    ask: () => ({ path: '/api/exports/cards.csv' }),
    status: 200,
  },
  'GET /api/exports/codebook.csv': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/exports/codebook.csv' }),
    status: 200,
  },
  'GET /api/exports/rds.csv': {
    as: 'SUPER_ADMIN',
    ask: () => ({ path: '/api/exports/rds.csv' }),
    status: 200,
  },
  'GET /api/exports/rdsat.txt': {
    as: 'SUPER_ADMIN',
    ask: () => ({ path: '/api/exports/rdsat.txt' }),
    status: 200,
  },
  'GET /api/exports/tree.graphml': {
    as: 'SUPER_ADMIN',
    ask: () => ({ path: '/api/exports/tree.graphml' }),
    status: 200,
  },
  'GET /api/exports/tree.dot': {
    as: 'SUPER_ADMIN',
    ask: () => ({ path: '/api/exports/tree.dot' }),
    status: 200,
  },
  'GET /api/exports/bundle.zip': {
    as: 'SUPER_ADMIN',
    ask: () => ({ path: '/api/exports/bundle.zip' }),
    status: 200,
  },
  'GET /api/recruitment/summary': {
    as: 'ADMIN',
    ask: () => ({ path: `/api/recruitment/summary?from=2020-01-${10 + (marks++ % 19)}` }),
    status: 200,
  },
  'GET /api/recruitment/pace': { as: 'ADMIN', ask: none, status: 200 },
  'GET /api/recruitment/forecast': { as: 'ADMIN', ask: none, status: 200 },
  'GET /api/recruitment/sites': { as: 'ADMIN', ask: none, status: 200 },
  'GET /api/recruitment/interviewers': { as: 'ADMIN', ask: none, status: 200 },
  'GET /api/recruitment/chains': {
    as: 'ADMIN',
    ask: () => ({ path: `/api/recruitment/chains?seed=${study.root}${`&seed=${study.root}`.repeat(199)}` }),
    status: 200,
  },
  'GET /api/recruitment/forest': { as: 'ADMIN', ask: none, status: 200 },
  'GET /api/recruitment/tree': {
    as: 'ADMIN',
    ask: () => ({ path: `/api/recruitment/tree?seed=${study.root}` }),
    status: 200,
  },
  'GET /api/quality': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/quality?limit=200&total=true' }),
    status: 200,
  },
  'GET /api/quality/groups': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/quality/groups?limit=200&total=true' }),
    status: 200,
  },
  'POST /api/quality/:id/dismiss': {
    as: 'ADMIN',
    ask: async () => {
      const id = findingId('SIZE_ODD', await study.survey({ networkSize: 0 }));
      return { path: `/api/quality/${id}/dismiss`, body: { comment: 'x'.repeat(2_000) } };
    },
    status: 200,
  },
  'GET /api/analysis/outcomes': { as: 'ADMIN', ask: none, status: 200 },
  'GET /api/analysis/estimates': {
    as: 'ADMIN',
    ask: () => ({ path: `/api/analysis/estimates?outcome=location&populationSize=${1_000_000 + marks++}` }),
    status: 200,
  },
  'GET /api/analysis/answers': {
    as: 'SUPER_ADMIN',
    ask: () => ({
      path: `/api/analysis/answers?question=location&question=networkSize&from=2020-01-${10 + (marks++ % 19)}`,
    }),
    status: 200,
  },
  'GET /api/analysis/change': {
    as: 'ADMIN',
    ask: async () => ({
      path: `/api/analysis/change?outcome=location&from=${await closedRound()}&to=${FIRST_ROUND_ID}`,
    }),
    status: 200,
  },
  'GET /api/analysis/counts/:id/change': byId(
    'ADMIN',
    400,
    () => `/api/analysis/counts/${study.count}/change?with=${study.count}`,
  ),
  'GET /api/analysis/publication': { as: 'SUPER_ADMIN', ask: none, status: 200 },
  'GET /api/analysis/report': { as: 'ADMIN', ask: none, status: 200 },
  'GET /api/analysis/compare': {
    as: 'SUPER_ADMIN',
    ask: () => ({
      path: `/api/analysis/compare?outcome=location&by=location&from=2020-01-${10 + (marks++ % 19)}`,
    }),
    status: 200,
  },
  'POST /api/analysis/runs': unknown('ADMIN'),
  'GET /api/analysis/runs': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/analysis/runs?limit=200&total=true' }),
    status: 200,
  },
  'GET /api/analysis/runs/:id': byId('ADMIN', 200, () => `/api/analysis/runs/${study.run}`),
  'DELETE /api/analysis/runs/:id': byId(
    'ADMIN',
    204,
    async () =>
      `/api/analysis/runs/${await study.into('analysisruns', { state: 'CANCELLED', createdBy: oid(people.ADMIN.id) })}`,
  ),
  'POST /api/analysis/counts': unknown('ADMIN'),
  'GET /api/analysis/counts': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/analysis/counts?limit=200&total=true' }),
    status: 200,
  },
  'GET /api/analysis/counts/:id': byId('ADMIN', 200, () => `/api/analysis/counts/${study.count}`),
  'PATCH /api/analysis/counts/:id': unknown('ADMIN', () => `/api/analysis/counts/${study.count}`),
  'DELETE /api/analysis/counts/:id': byId(
    'ADMIN',
    204,
    async () => `/api/analysis/counts/${await study.into('counts', { run: oid(study.run) })}`,
  ),
  'GET /api/analysis/counts/:id/estimate': byId(
    'ADMIN',
    200,
    () => `/api/analysis/counts/${study.count}/estimate`,
  ),
  'GET /api/analysis/counts/:id/tables': byId(
    'ADMIN',
    200,
    () => `/api/analysis/counts/${study.count}/tables`,
  ),
  'GET /api/analysis/counts/:id/tables.csv': byId(
    'ADMIN',
    200,
    () => `/api/analysis/counts/${study.count}/tables.csv`,
  ),
  'GET /api/incentives': {
    as: 'ADMIN',
    ask: () => ({ path: '/api/incentives?limit=200&total=true' }),
    status: 200,
  },
  'GET /api/incentives/summary': { as: 'VOLUNTEER', ask: none, status: 200 },
  'GET /api/incentives/claim/:code': byId('VOLUNTEER', 404, () => '/api/incentives/claim/ABCDEFGC'),
  'POST /api/incentives/pay': wrong('ADMIN', 'payments'),
  'POST /api/incentives/:id/pay': unknown('VOLUNTEER', () => `/api/incentives/${study.site}/pay`),
  'POST /api/incentives/:id/withdraw': unknown('VOLUNTEER', () => `/api/incentives/${study.site}/withdraw`),
  'POST /api/incentives/:id/reopen': unknown('VOLUNTEER', () => `/api/incentives/${study.site}/reopen`),
  'GET /api/incentives/:id/card': byId('VOLUNTEER', 404, () => `/api/incentives/${study.site}/card`),
  'POST /api/cards/import': {
    as: 'SUPER_ADMIN',
    ask: () => ({ body: Buffer.from(`number,amount,currency\n${'1,20.00,USD\n'.repeat(80_000)}`) }),
    status: 400,
  },
  'GET /api/cards': {
    as: 'SUPER_ADMIN',
    ask: async () => {
      const cards = Array.from({ length: 200 }, (_, at) => ({
        ...{ sealed: 'x'.repeat(800), hashes: [`budget ${at}`], lastFour: '7890', amount: '20.00' },
        ...{ currency: 'USD', expiresOn: '2099-12-31', state: 'VOID', incentive: oid(study.site) },
        ...{ givenBy: oid(people.ADMIN.id), givenAt: new Date(), delivery: 'SHOWN' },
        ...{ reason: 'x'.repeat(500), createdAt: new Date() },
      }));
      await mongoose.connection.collection('cards').insertMany(cards);
      return { path: '/api/cards?limit=200&total=true' };
    },
    status: 200,
  },
  'GET /api/cards/summary': { as: 'SUPER_ADMIN', ask: none, status: 200 },
  'POST /api/cards/:id/void': unknown('SUPER_ADMIN', () => `/api/cards/${study.site}/void`),
  'GET /api/messages': {
    as: 'ADMIN',
    ask: async () => {
      const texts = Array.from({ length: 200 }, () => ({
        ...{ survey: new mongoose.Types.ObjectId(), kind: 'MONEY_DUE', incentive: oid(study.site) },
        ...{ language: 'en', state: 'SENT', error: null, createdAt: new Date(), sendAt: new Date() },
        ...{ tries: 1, sentAt: new Date(), deliveredAt: null },
      }));
      await mongoose.connection.collection('messages').insertMany(texts);
      return { path: '/api/messages?limit=200&total=true' };
    },
    status: 200,
  },
  'GET /api/messages/summary': { as: 'ADMIN', ask: none, status: 200 },
  'POST /api/messages/:id/retry': byId('SUPER_ADMIN', 404, () => `/api/messages/${study.site}/retry`),
  'POST /api/messages/twilio': {
    as: 'ANYONE',
    // Not as a form; no test of it knows the signature.
    ask: () => ({ body: Buffer.alloc(60_000, 'a=b&') }),
    status: 415,
  },
  'GET /api/cash-days': {
    as: 'ADMIN',
    ask: async () => {
      const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);
      const days = Array.from({ length: 200 }, (_, at) => ({
        ...{ location: oid(study.site), day: day(at), currency: 'USD', state: 'REOPENED' },
        ...{ opening: '100.00', counted: '60.00', paid: '40.00', difference: '0.00' },
        byMethod: [{ method: 'CASH', count: 2, total: '40.00' }],
        ...{ closedBy: oid(people.ADMIN.id), createdAt: new Date() },
        ...{ reopenedBy: oid(people.ADMIN.id), reopenedAt: new Date(), reason: 'x'.repeat(500) },
      }));
      await mongoose.connection.collection('cashdays').insertMany(days);
      return { path: '/api/cash-days?limit=200&total=true' };
    },
    status: 200,
  },
  'POST /api/cash-days': unknown('MANAGER'),
  'POST /api/cash-days/:id/reopen': unknown('MANAGER', () => `/api/cash-days/${study.site}/reopen`),
  'GET /api/audit': {
    as: 'ADMIN',
    ask: () => ({ path: `/api/audit?limit=200&total=true&record=${study.changed}` }),
    status: 200,
  },
  'GET /documentation/openapi.json': { as: 'ANYONE', ask: none, status: 200 },
};

beforeAll(async () => {
  world = await startWorld();
  const site = await world.place();
  const later = new Date(Date.now() + 3_600_000);
  const persons = await Promise.all(
    ROLES.map((role) => world.person({ role, location: site, locationAssignedAt: later })),
  );
  people = Object.fromEntries(ROLES.map((role, at) => [role, persons[at]])) as Record<Role, Person>;
  study = await fill(people.VOLUNTEER, site);
  const uri = new URL(process.env.TEST_MONGO_URI ?? '');
  uri.pathname = `/${mongoose.connection.name}`;
  measured = await startMeasured({
    MONGO_URI: String(uri),
    JWT_SECRET: world.deps.config.jwtSecret,
    LOG_LEVEL: 'warn',
  });
}, 120_000);

afterAll(async () => {
  measured?.end();
  await world.stop();
});

test('each route has a row', () => {
  const lacking = apiRoutes
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    .filter((key) => !ROWS[key]);
  if (lacking.length > 0)
    throw new Error(
      `Give a row in ROWS, with the largest request that its weakest caller may send, to:\n${lacking.join('\n')}`,
    );
});

async function once(key: string, { as, ask, status, enough = Number.POSITIVE_INFINITY }: Row): Promise<Need> {
  const [method = '', declared = ''] = key.split(' ');
  const { path = declared, body } = await ask();
  const isFile = body instanceof Uint8Array;
  const text = body === undefined || typeof body === 'string' || isFile ? body : JSON.stringify(body);
  const { need, value } = await measured.during(async () => {
    const answer = await fetch(measured.service.url + path, {
      method,
      headers: {
        ...(as === 'ANYONE' ? {} : { authorization: `Bearer ${people[as].token}` }),
        ...(text === undefined
          ? {}
          : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      ...(text === undefined ? {} : { body: text }),
    });
    return { status: answer.status, bytes: await read(answer, enough) };
  });
  if (value.status !== status)
    throw new Error(
      `${key}: ${value.status} ${value.bytes.toString().slice(0, 500)}\n${measured.service.said().slice(-3000)}`,
    );
  return need;
}

async function read(answer: Response, enough: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > enough) break;
  }
  return Buffer.concat(pieces);
}

const isWithin = ({ ms, mb }: Need) => ms <= BOUND.ms && mb <= BOUND.mb;

async function least(key: string, row: Row): Promise<Need> {
  const need = { ms: Number.POSITIVE_INFINITY, mb: Number.POSITIVE_INFINITY };
  const end = performance.now() + TIMEOUT_MS;
  for (let tries = 0; tries < TRIES && !isWithin(need) && performance.now() < end; tries += 1) {
    const now = await once(key, row);
    const slowness = now.ms > BOUND.ms ? Math.max(1, (await measured.reference()) / REFERENCE_MS) : 1;
    need.ms = Math.min(need.ms, now.ms / slowness);
    need.mb = Math.min(need.mb, now.mb);
  }
  return need;
}

test.each(
  Object.entries(ROWS).flatMap(([key, rows]) => [rows].flat().map((row, at) => [key, at, row] as const)),
)(
  '%s (%i) stays within its time and memory budget at maximum load',
  async (key, _at, row) => {
    const need = await least(key, row);
    if (process.env.SHOW)
      process.stderr.write(`${key}: ${need.ms.toFixed(0)} ms, ${need.mb.toFixed(0)} MB\n`);
    if (!isWithin(need))
      throw new Error(
        `${key} held the event loop for ${need.ms.toFixed(0)} ms (${BOUND.ms} at the most) and needed ${need.mb.toFixed(0)} MB (${BOUND.mb}). Give its answer a budget of bytes, pick fields in the database, or do the work in pieces or in a thread of its own.`,
      );
  },
  // One attempt can take minutes on a busy machine: bundle.zip makes every file there is.
  2 * TIMEOUT_MS + 60_000,
);
