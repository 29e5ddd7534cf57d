/**
 * Attack drills: the OWASP API Security Top 10 (2023), item by item, as requests to the built service that must fail,
 * with their replies in a table. Then the weakest caller at the maximum, two hundred requests at once on each route that
 * the caller may use, with the peak of memory; and two hundred slow connections without an account, also through Caddy.
 * Ends with exit code 1 if a promise is broken.
 *
 *   npm run test:attacks -- [--short] [--only API1|slow]
 */

import { spawn, spawnSync } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import { type Caller, insertPerson } from '../../bench/people.ts';
import { ensureBuilt } from '../../deploy/ensure-built.ts';
import type { UserRecord } from '../../src/study/users/model.ts';
import { findFreePort } from '../free-port.ts';
import { ANSWERS, SMALL_QUESTIONNAIRE } from '../make.ts';
import { administrator, ask, endProcess, type ServiceProcess, startProcess } from './service-process.ts';
import { signInAttacks } from './sign-in-attacks.ts';
import { openSlow, SLOW_CONNECTIONS, type Slow, sendAtPace, slowRoute } from './slow-connections.ts';
import { surveyAttacks } from './survey-attacks.ts';

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const { ObjectId } = mongoose.Types;
const CONCURRENT_REQUESTS = 200;
const BOUND_MB = 400;
/** Each request ends within this time, seconds, also when two hundred are sent at once. */
const BOUND_SECONDS = 15;

/** With as much text as one interview can hold. */
const LONG = Array.from({ length: 9 }, (_, at) => `words${at}`);
const LONG_ANSWERS = Object.fromEntries(LONG.map((name) => [name, 'x'.repeat(10_000)]));
const QUESTIONNAIRE = {
  ...SMALL_QUESTIONNAIRE,
  definition: {
    pages: [
      ...SMALL_QUESTIONNAIRE.definition.pages,
      { name: 'more', elements: LONG.map((name) => ({ type: 'comment', name })) },
    ],
  },
};

export interface Stage {
  service: ServiceProcess;
  root: Caller & { site: string };
  admin: Caller;
  manager: Caller;
  volunteer: Caller;
  /** Works at another site. */
  stranger: Caller;
  pending: Caller;
  deleted: Caller;
  otherSite: string;
  /** Of the volunteer, today. */
  survey: Record<string, unknown>;
  /** Of the stranger, today. */
  foreign: Record<string, unknown>;
  incentive: string;
}

export interface Attack {
  item: string;
  what: string;
  /** What the reply must be: a status, or words that `attack` returns. */
  must: string;
  attack(stage: Stage): Promise<string | number>;
}

async function prepareStage(service: ServiceProcess): Promise<Stage> {
  const { dataDir } = service;
  const { token, site } = await administrator(dataDir, '+12065550101');
  const root = { token, site, id: String((jwt.decode(token) as { sub: string }).sub) };
  const call = async (method: string, path: string, body: object, by: Caller = root) => {
    const answer = await ask(service, method, path, { token: by.token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  };
  const otherSite = String((await call('POST', '/api/locations', { name: 'Other', type: 'SHELTER' })).id);
  let phone = 110;
  const person = (role: UserRecord['role'], at: string, more: Partial<UserRecord> = {}): Promise<Caller> =>
    insertPerson(dataDir, {
      ...{ role, phone: `+1206555${String(phone++).padStart(4, '0')}`, location: new ObjectId(at), ...more },
    });
  const questionnaire = await call('POST', '/api/questionnaires', QUESTIONNAIRE);
  await call('PATCH', `/api/questionnaires/${questionnaire.id}`, { active: true, confirm: true });
  const incentives = { currency: 'USD', interview: '20.00', recruit: '5.00', recruitLimit: 3 };
  await call('PATCH', '/api/study', { incentives });
  const [volunteer, stranger] = [await person('VOLUNTEER', site), await person('VOLUNTEER', otherSite)];
  const interview = (by: Caller, location: string) =>
    call('POST', '/api/surveys', { location, clientId: randomUUID(), responses: ANSWERS }, by);
  const survey = await interview(volunteer, site);
  const foreign = await interview(stranger, otherSite);
  const response = await ask(service, 'GET', `/api/incentives?survey=${foreign.id}`, { token: root.token });
  const [due] = response.body.data as { id: string }[];
  return {
    ...{ service, root, volunteer, stranger, otherSite, survey, foreign, incentive: String(due?.id) },
    admin: await person('ADMIN', site),
    manager: await person('MANAGER', site),
    pending: await person('VOLUNTEER', site, { approvalStatus: 'PENDING' }),
    deleted: await person('ADMIN', site, { deletedAt: new Date() }),
  };
}

/** The status of one request. */
export async function send(
  { service }: Stage,
  method: string,
  path: string,
  by: { token: string } | null,
  body?: object,
): Promise<number> {
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      ...(by ? { authorization: `Bearer ${by.token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  for await (const _ of answer.body ?? []);
  return answer.status;
}

/** How many of the same requests, sent at once, had each status: `1 × 200, 19 × 409`. */
async function together(count: number, one: (at: number) => Promise<number>): Promise<string> {
  const tally = new Map<number, number>();
  for (const status of await Promise.all(Array.from({ length: count }, (_, at) => one(at))))
    tally.set(status, (tally.get(status) ?? 0) + 1);
  return [...tally]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${times} × ${status}`)
    .join(', ');
}

const unsigned = (claims: object) =>
  ['{"alg":"none","typ":"JWT"}', JSON.stringify(claims), '']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

const signedWith = (secret: string, claims: object) => {
  const head = ['{"alg":"HS256","typ":"JWT"}', JSON.stringify(claims)].map((part) =>
    Buffer.from(part).toString('base64url'),
  );
  return [...head, createHmac('sha256', secret).update(head.join('.')).digest('base64url')].join('.');
};

const now = () => Math.floor(Date.now() / 1000);

const OBJECT_LEVEL = 'API1 Broken object level authorization';
const AUTHENTICATION = 'API2 Broken authentication';
const PROPERTY_LEVEL = 'API3 Broken object property level authorization';
const CONSUMPTION = 'API4 Unrestricted resource consumption';
const FUNCTION_LEVEL = 'API5 Broken function level authorization';
const FLOWS = 'API6 Unrestricted access to sensitive business flows';
const REQUEST_FORGERY = 'API7 Server side request forgery';
const CONFIGURATION = 'API8 Security misconfiguration';
const INVENTORY = 'API9 Improper inventory management';
const THIRD_PARTIES = 'API10 Unsafe consumption of APIs';

const ATTACKS: Attack[] = [
  ...(
    [
      ['read another interviewer’s interview', 'GET', ''],
      ['read its answers in words', 'GET', '/answers'],
      ['read its history', 'GET', '/history'],
      ['read its comments', 'GET', '/comments'],
      ['delete it', 'DELETE', ''],
    ] as const
  ).map(
    ([what, method, rest]): Attack => ({
      ...{ item: OBJECT_LEVEL, what: `A volunteer tries to ${what}`, must: '403' },
      attack: (stage) => send(stage, method, `/api/surveys/${stage.foreign.id}${rest}`, stage.volunteer),
    }),
  ),
  {
    ...{ item: OBJECT_LEVEL, what: 'A volunteer changes another’s interview', must: '403' },
    attack: (stage) =>
      send(stage, 'PATCH', `/api/surveys/${stage.foreign.id}`, stage.volunteer, { responses: ANSWERS }),
  },
  {
    ...{ item: OBJECT_LEVEL, what: 'A manager reads an interview of another site', must: '403' },
    attack: (stage) => send(stage, 'GET', `/api/surveys/${stage.foreign.id}`, stage.manager),
  },
  {
    ...{ item: OBJECT_LEVEL, what: 'A volunteer reads another person’s account', must: '403' },
    attack: (stage) => send(stage, 'GET', `/api/users/${stage.stranger.id}`, stage.volunteer),
  },
  {
    ...{ item: OBJECT_LEVEL, what: 'A list holds an interview that may not be read', must: 'not listed' },
    async attack({ service, volunteer, foreign }) {
      const { body } = await ask(service, 'GET', '/api/surveys?limit=200', { token: volunteer.token });
      return JSON.stringify(body).includes(String(foreign.id)) ? 'listed' : 'not listed';
    },
  },
  ...['interviews.csv', 'interviews.json', 'incentives.csv'].map(
    (file): Attack => ({
      ...{
        item: OBJECT_LEVEL,
        what: `A volunteer’s ${file} holds another’s interview`,
        must: 'refused or left out',
      },
      async attack({ service, volunteer, foreign }) {
        const headers = { authorization: `Bearer ${volunteer.token}` };
        const answer = await fetch(`${service.url}/api/exports/${file}`, { headers });
        const isLeftOut = !(await answer.text()).includes(String(foreign.id));
        return answer.status === 403 || isLeftOut ? 'refused or left out' : 'given';
      },
    }),
  ),
  {
    ...{ item: OBJECT_LEVEL, what: 'A volunteer is paid another’s incentive without its claim number' },
    must: '403',
    attack: (stage) =>
      send(stage, 'POST', `/api/incentives/${stage.incentive}/pay`, stage.volunteer, {
        method: 'CASH',
        clientId: randomUUID(),
      }),
  },
  {
    ...{ item: AUTHENTICATION, what: 'No token', must: '401' },
    attack: (stage) => send(stage, 'GET', '/api/surveys', null),
  },
  {
    ...{ item: AUTHENTICATION, what: 'A token without a signature (alg: none)', must: '401' },
    attack: (stage) =>
      send(stage, 'GET', '/api/surveys', {
        token: unsigned({ sub: stage.root.id, iat: now(), exp: now() + 600 }),
      }),
  },
  {
    ...{ item: AUTHENTICATION, what: 'A token signed with a guessed secret', must: '401' },
    attack: (stage) =>
      send(stage, 'GET', '/api/surveys', {
        token: signedWith('secret', { sub: stage.root.id, iat: now(), exp: now() + 600 }),
      }),
  },
  {
    ...{ item: AUTHENTICATION, what: 'A token whose person was replaced by a super admin', must: '401' },
    attack(stage) {
      const [head, , signature] = stage.volunteer.token.split('.');
      const claims = Buffer.from(JSON.stringify({ sub: stage.root.id, exp: now() + 600 }));
      const token = [head, claims.toString('base64url'), signature].join('.');
      return send(stage, 'GET', '/api/surveys', { token });
    },
  },
  {
    ...{ item: AUTHENTICATION, what: 'The token of a deleted account', must: '401' },
    attack: (stage) => send(stage, 'GET', '/api/surveys', stage.deleted),
  },
  {
    ...{ item: AUTHENTICATION, what: 'The token of someone who is not approved yet', must: '403' },
    attack: (stage) => send(stage, 'GET', '/api/surveys', stage.pending),
  },
  {
    ...{ item: AUTHENTICATION, what: '200 wrong sign-in codes for one phone', must: 'no 200 or 201' },
    async attack(stage) {
      const tally = await together(CONCURRENT_REQUESTS, (at) =>
        send(stage, 'POST', '/api/auth/verify-otp-login', null, {
          phone: '+12065550101',
          code: String(at).padStart(6, '0'),
        }),
      );
      return /× 20[01]/.test(tally) ? tally : 'no 200 or 201';
    },
  },
  {
    ...{ item: AUTHENTICATION, what: 'A code is asked for a phone with an account, and for one without' },
    must: 'alike',
    async attack({ service }) {
      const replyTo = async (phone: string) =>
        JSON.stringify(await ask(service, 'POST', '/api/auth/send-otp-login', { body: { phone } }));
      return (await replyTo('+12065550110')) === (await replyTo('+12065550199')) ? 'alike' : 'different';
    },
  },
  ...signInAttacks(AUTHENTICATION, send),
  ...surveyAttacks({
    items: { objects: OBJECT_LEVEL, fields: PROPERTY_LEVEL, flows: FLOWS },
    request: send,
  }),
  ...[
    { role: 'SUPER_ADMIN' },
    { approvalStatus: 'APPROVED' },
    { permissions: [{ action: 'read', subject: 'Survey', conditions: [] }] },
    { location: null },
  ].map(
    (body): Attack => ({
      item: PROPERTY_LEVEL,
      what: `A volunteer changes their own account: ${JSON.stringify(body)}`,
      must: '403',
      attack: (stage) => send(stage, 'PATCH', `/api/users/${stage.volunteer.id}`, stage.volunteer, body),
    }),
  ),
  ...[{ timeZone: 'UTC' }, { smallestCell: 0 }, { outcomes: [] }, { repeatCheck: true }].map(
    (body): Attack => ({
      item: PROPERTY_LEVEL,
      what: `An admin changes what only super admins may: ${JSON.stringify(body)}`,
      must: '403',
      attack: (stage) => send(stage, 'PATCH', '/api/study', stage.admin, body),
    }),
  ),
  {
    ...{ item: PROPERTY_LEVEL, what: 'An admin’s questionnaire crosses two answers in a calculated value' },
    must: 'no figures',
    async attack({ service, admin }) {
      const expression = "{networkSize} > 5 and {comment} = 'none'";
      const calculatedValues = [{ name: 'crossed', expression, includeIntoResult: true }];
      const body = { ...QUESTIONNAIRE, definition: { ...QUESTIONNAIRE.definition, calculatedValues } };
      const as = { token: admin.token };
      const response = await ask(service, 'POST', '/api/questionnaires', { ...as, body });
      const path = `/api/questionnaires/${response.body.id}`;
      const { status } = await ask(service, 'PATCH', path, { ...as, body: { active: true, confirm: true } });
      if (status !== 200) return `activated: ${status}`;
      const answers = await Promise.all(
        ['estimates?outcome=crossed', 'answers?question=crossed', 'compare?outcome=crossed&by=location'].map(
          (query) => ask(service, 'GET', `/api/analysis/${query}`, as),
        ),
      );
      return answers.every((one) => one.status === 400) ? 'no figures' : JSON.stringify(answers);
    },
  },
  {
    ...{ item: PROPERTY_LEVEL, what: 'An interview names its maker, wave and version itself' },
    must: 'refused or ignored',
    async attack({ service, volunteer, root }) {
      const { status, body } = await ask(service, 'POST', '/api/surveys', {
        token: volunteer.token,
        body: {
          ...{ location: root.site, clientId: randomUUID(), responses: ANSWERS },
          ...{ createdBy: root.id, wave: 9, version: 7, review: { state: 'APPROVED' } },
        },
      });
      const review = body.review as { state: string } | undefined;
      const isIgnored =
        body.createdBy === volunteer.id &&
        body.wave !== 9 &&
        review?.state === 'RECEIVED' &&
        body.version === 1;
      return status === 400 || isIgnored ? 'refused or ignored' : JSON.stringify(body);
    },
  },
  {
    ...{ item: PROPERTY_LEVEL, what: 'An admin makes a super admin', must: '403' },
    attack: (stage) =>
      send(stage, 'POST', '/api/users', stage.admin, {
        ...{ phone: '+12065550188', firstName: 'A', lastName: 'B', role: 'SUPER_ADMIN' },
      }),
  },
  {
    ...{ item: CONSUMPTION, what: 'A list of 100,000', must: '400' },
    attack: (stage) => send(stage, 'GET', '/api/surveys?limit=100000', stage.volunteer),
  },
  {
    ...{ item: CONSUMPTION, what: 'A body of 5 MB', must: '413' },
    attack: (stage) =>
      send(stage, 'POST', '/api/surveys', stage.volunteer, {
        ...{ location: stage.root.site, clientId: randomUUID() },
        responses: { networkSize: 3, comment: 'x'.repeat(5_000_000) },
      }),
  },
  {
    ...{ item: CONSUMPTION, what: 'JSON nested 50,000 deep', must: '400' },
    async attack({ service, volunteer }) {
      const answer = await fetch(`${service.url}/api/surveys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${volunteer.token}`, 'content-type': 'application/json' },
        body: `{"responses":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      });
      return answer.status;
    },
  },
  {
    ...{
      item: CONSUMPTION,
      what: 'A condition that never ends, in a questionnaire of an admin',
      must: '400',
    },
    attack: (stage) =>
      send(stage, 'POST', '/api/questionnaires', stage.admin, {
        ...SMALL_QUESTIONNAIRE,
        takesPartIf: `${'('.repeat(20_000)}{networkSize} > 1${')'.repeat(20_000)}`,
      }),
  },
  {
    ...{ item: CONSUMPTION, what: '200 sign-in codes for one phone at once', must: 'most are 429' },
    async attack(stage) {
      const tally = await together(CONCURRENT_REQUESTS, () =>
        send(stage, 'POST', '/api/auth/send-otp-login', null, { phone: '+12065550111' }),
      );
      const refused = Number(/(\d+) × 429/.exec(tally)?.[1] ?? 0);
      return refused >= CONCURRENT_REQUESTS - 10 ? 'most are 429' : tally;
    },
  },
  ...(
    [
      ['add a site', 'POST', '/api/locations', { name: 'Mine', type: 'SHELTER' }],
      [
        'add a person',
        'POST',
        '/api/users',
        { phone: '+12065550187', firstName: 'A', lastName: 'B', role: 'VOLUNTEER' },
      ],
      ['store a questionnaire', 'POST', '/api/questionnaires', SMALL_QUESTIONNAIRE],
      ['change the study', 'PATCH', '/api/study', { name: 'Mine' }],
      ['see the board', 'GET', '/api/recruitment/summary', undefined],
      ['see estimates', 'GET', '/api/analysis/estimates?outcome=comment', undefined],
      ['read the history', 'GET', '/api/audit', undefined],
      ['download the sample', 'GET', '/api/exports/rds.csv', undefined],
      ['list people', 'GET', '/api/users', undefined],
    ] as const
  ).map(
    ([what, method, path, body]): Attack => ({
      ...{ item: FUNCTION_LEVEL, what: `A volunteer tries to ${what}`, must: '403' },
      attack: (stage) => send(stage, method, path, stage.volunteer, body),
    }),
  ),
  {
    ...{ item: FUNCTION_LEVEL, what: 'A volunteer tries to make a batch of coupons', must: '403' },
    attack: (stage) =>
      send(stage, 'POST', '/api/referral-codes/batches', stage.volunteer, {
        ...{ count: 20, location: stage.root.site },
      }),
  },
  {
    ...{ item: FUNCTION_LEVEL, what: 'A manager imports interviews of someone else', must: '403' },
    attack: (stage) =>
      send(stage, 'POST', '/api/surveys/import', stage.manager, {
        owner: stage.stranger.id,
        surveys: [{ location: stage.root.site, clientId: randomUUID(), responses: ANSWERS }],
      }),
  },
  {
    ...{ item: FUNCTION_LEVEL, what: 'A volunteer reviews their own interview', must: '403' },
    attack: (stage) =>
      send(stage, 'POST', `/api/surveys/${stage.survey.id}/review`, stage.volunteer, { state: 'APPROVED' }),
  },
  {
    ...{ item: FUNCTION_LEVEL, what: 'The first account is made again (set-up link)', must: 'refused' },
    async attack(stage) {
      const status = await send(stage, 'POST', '/api/setup', null, {
        ...{ token: 'x'.repeat(43), phone: '+12065550186', firstName: 'A', lastName: 'B' },
      });
      return status >= 400 ? 'refused' : status;
    },
  },
  {
    ...{ item: FLOWS, what: 'One coupon is presented 20 times at once', must: '1 × 201, 19 × 409' },
    async attack(stage) {
      const [code] = stage.survey.issuedCodes as string[];
      return await together(20, () =>
        send(stage, 'POST', '/api/surveys', stage.volunteer, {
          ...{ location: stage.root.site, clientId: randomUUID(), referralCode: code, responses: ANSWERS },
        }),
      );
    },
  },
  {
    ...{ item: FLOWS, what: 'One incentive is paid 20 times at once', must: '1 × 200, 19 × 409' },
    attack: (stage) =>
      together(20, () =>
        send(stage, 'POST', `/api/incentives/${stage.incentive}/pay`, stage.root, {
          ...{ method: 'CASH', clientId: randomUUID() },
        }),
      ),
  },
  {
    ...{ item: FLOWS, what: 'Claim numbers are guessed, 200 at once', must: 'at most 60 tried' },
    async attack(stage) {
      const tally = await together(CONCURRENT_REQUESTS, (at) =>
        send(stage, 'GET', `/api/incentives/claim/${String(at).padStart(8, 'A')}`, stage.stranger),
      );
      const tried = Number(/(\d+) × 404/.exec(tally)?.[1] ?? 0) + Number(/(\d+) × 200/.exec(tally)?.[1] ?? 0);
      return tried <= 60 ? 'at most 60 tried' : tally;
    },
  },
  {
    ...{ item: FLOWS, what: 'Someone asks who was interviewed (repeat check, off by default)', must: '403' },
    attack: (stage) =>
      send(stage, 'POST', '/api/surveys/repeat-check', stage.volunteer, {
        ...{ questionnaire: stage.survey.questionnaire, clues: { day: '7' } },
      }),
  },
  {
    ...{ item: REQUEST_FORGERY, what: 'A questionnaire that loads its choices from an address', must: '400' },
    attack: (stage) =>
      send(stage, 'POST', '/api/questionnaires', stage.root, {
        ...SMALL_QUESTIONNAIRE,
        definition: {
          elements: [
            { type: 'text', name: 'networkSize', inputType: 'number' },
            { type: 'dropdown', name: 'x', choicesByUrl: { url: 'http://169.254.169.254/latest/meta-data' } },
          ],
        },
      }),
  },
  {
    ...{ item: CONFIGURATION, what: 'A page of another origin reads the service', must: 'not allowed' },
    async attack({ service }) {
      const { headers } = await fetch(`${service.url}/api/study/public`, {
        headers: { origin: 'https://evil.example' },
      });
      return headers.get('access-control-allow-origin') ?? 'not allowed';
    },
  },
  {
    ...{ item: CONFIGURATION, what: 'Headers that protect the page are missing', must: 'none' },
    async attack({ service }) {
      const { headers } = await fetch(`${service.url}/`);
      const expectedHeaders = [
        'content-security-policy',
        'x-content-type-options',
        'referrer-policy',
        'x-frame-options',
      ];
      const absent = expectedHeaders.filter((name) => !headers.has(name));
      return (
        [...absent, ...(headers.has('x-powered-by') ? ['x-powered-by is told'] : [])].join(', ') || 'none'
      );
    },
  },
  {
    ...{ item: CONFIGURATION, what: 'A broken body shows how the service works', must: 'no stack or path' },
    async attack({ service, volunteer }) {
      const answer = await fetch(`${service.url}/api/surveys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${volunteer.token}`, 'content-type': 'application/json' },
        body: '{"a":',
      });
      const text = await answer.text();
      return /node_modules|\.ts:|\.js:|at .*\(/.test(text) ? text : 'no stack or path';
    },
  },
  ...['/.env', '/.git/config', '/metrics', '/package.json', '/../package.json'].map(
    (path): Attack => ({
      ...{ item: CONFIGURATION, what: `GET ${path}`, must: '404' },
      attack: ({ service }) => rawStatus(service.port, 'GET', path),
    }),
  ),
  {
    ...{ item: CONFIGURATION, what: 'GET /server-status', must: 'the client’s page' },
    async attack({ service }) {
      const text = await (await fetch(`${service.url}/server-status`)).text();
      return text.includes('<div id="root">') ? 'the client’s page' : text;
    },
  },
  {
    ...{ item: CONFIGURATION, what: 'TRACE, which gives cookies and headers back', must: 'refused' },
    async attack({ service }) {
      const status = await rawStatus(service.port, 'TRACE', '/api/study/public');
      return status >= 400 ? 'refused' : status;
    },
  },
  {
    ...{ item: INVENTORY, what: 'A route of an older version (/api/v1/surveys)', must: '404' },
    attack: (stage) => send(stage, 'GET', '/api/v1/surveys', stage.volunteer),
  },
  {
    ...{ item: INVENTORY, what: 'A method that a route does not have (PUT /api/study)', must: '404 or 405' },
    async attack(stage) {
      const status = await send(stage, 'PUT', '/api/study', stage.root, {});
      return [404, 405].includes(status) ? '404 or 405' : status;
    },
  },
  {
    ...{
      item: THIRD_PARTIES,
      what: 'The reply to a code shows what the sender of codes said',
      must: 'nothing',
    },
    async attack({ service }) {
      const { body } = await ask(service, 'POST', '/api/auth/send-otp-login', {
        body: { phone: '+12065550112' },
      });
      return Object.keys(body).some((key) => /sid|account|twilio|code$/i.test(key))
        ? JSON.stringify(body)
        : 'nothing';
    },
  },
];

/** The status of a request as it is written here: `fetch` would mend the path, or refuse the method. */
const rawStatus = (port: number, method: string, path: string) =>
  new Promise<number>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (piece) => (text += String(piece)));
    socket.on('end', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])));
    socket.on('error', reject);
  });

/** What a volunteer may send, each at its largest. */
const LARGEST: [
  name: string,
  method: string,
  path: (stage: Stage) => string,
  body?: (stage: Stage) => object,
][] = [
  ['one interview', 'GET', ({ survey }) => `/api/surveys/${survey.id}`],
  ['the history of an interview', 'GET', ({ survey }) => `/api/surveys/${survey.id}/history`],
  ['payments', 'GET', () => '/api/incentives?limit=200&total=true'],
  ['totals of payments', 'GET', () => '/api/incentives/summary'],
  ['questionnaires', 'GET', () => '/api/questionnaires?limit=200'],
  ['seeds', 'GET', () => '/api/seeds?limit=200&total=true'],
  [
    'interviews of 90 kB',
    'POST',
    () => '/api/surveys',
    ({ root }) => ({
      ...{ location: root.site, clientId: randomUUID() },
      responses: { networkSize: 3, ...LONG_ANSWERS },
    }),
  ],
  [
    'corrections of one interview',
    'PATCH',
    ({ survey }) => `/api/surveys/${survey.id}`,
    () => ({ responses: { networkSize: 3, ...LONG_ANSWERS, comment: randomUUID() } }),
  ],
  [
    'comments',
    'POST',
    ({ survey }) => `/api/surveys/${survey.id}/comments`,
    () => ({ text: 'x'.repeat(2_000) }),
  ],
  ['full lists of interviews', 'GET', () => '/api/surveys?fields=full&limit=200&total=true'],
  ['blocks of codes', 'POST', () => '/api/referral-codes/blocks', () => ({ count: 30 })],
];

async function overload(stage: Stage): Promise<boolean> {
  const { pid } = stage.service.child;
  console.log(`\n| ${CONCURRENT_REQUESTS} at once by a volunteer | replies | slowest | peak memory |`);
  console.log('| --- | --- | ---: | ---: |');
  let isKept = true;
  for (const [name, method, path, body] of LARGEST) {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    let slowest = 0;
    const tally = await together(CONCURRENT_REQUESTS, async () => {
      const begin = performance.now();
      const status = await send(stage, method, path(stage), stage.volunteer, body?.(stage));
      slowest = Math.max(slowest, (performance.now() - begin) / 1000);
      return status;
    });
    const peak = peakOf(pid);
    const isMet = peak < BOUND_MB && slowest < BOUND_SECONDS && !/× 500/.test(tally);
    isKept &&= isMet;
    console.log(`| ${name} | ${tally} | ${slowest.toFixed(1)} s | ${peak} MB${isMet ? '' : ' MISSED'} |`);
  }
  return isKept;
}

/** Caddy with deploy/Caddyfile in front of the service; null where it is not installed. */
async function startCaddy(upstream: number): Promise<{ port: number; stop(): void } | null> {
  if (spawnSync('caddy', ['version']).status !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'attacks-caddy-'));
  const [port, http, https] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    ...{ CADDY_ADMIN: `unix/${join(folder, 'caddy.sock')}`, PUBLIC_URL: `http://localhost:${port}` },
    ...{ UPSTREAMS: `127.0.0.1:${upstream}`, HTTP_PORT: String(http), HTTPS_PORT: String(https) },
  };
  const args = ['run', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'];
  const child = spawn('caddy', args, { env, stdio: 'ignore' });
  const isUp = () =>
    fetch(`http://localhost:${port}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) await sleep(100);
  return {
    port,
    stop() {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What others get while hundreds of connections are slow: a sign-in code, a list, a seed and an interview of 90 kB. */
async function others(stage: Stage, port: number): Promise<{ statuses: string; slowest: number }> {
  const at = { ...stage, service: { ...stage.service, url: `http://localhost:${port}` } };
  const responses = { networkSize: 3, ...LONG_ANSWERS };
  const site = stage.root.site;
  let slowest = 0;
  const timed = async (...[method, path, by, body]: [string, string, Caller | null, object?]) => {
    const begin = performance.now();
    const status = await send(at, method, path, by, body);
    slowest = Math.max(slowest, (performance.now() - begin) / 1000);
    return status;
  };
  const statuses: number[] = [];
  for (let times = 0; times < 3; times++)
    statuses.push(
      ...(await Promise.all([
        timed('POST', '/api/auth/send-otp-login', null, { phone: '+12065550198' }),
        timed('GET', '/api/surveys', stage.volunteer),
        timed('POST', '/api/seeds', stage.root, { location: site }),
        timed('POST', '/api/surveys', stage.volunteer, {
          ...{ location: site, clientId: randomUUID(), responses },
        }),
      ])),
    );
  return { statuses: [...new Set(statuses)].sort().join(', '), slowest };
}

/** Routes that take a body, each by callers with the least rights that may. */
async function slowRoutes(stage: Stage): Promise<Slow[]> {
  const several = async (role: UserRecord['role'], from: number) => {
    const tokens: string[] = [];
    for (let at = 0; at < 10; at++) {
      const phone = `+1206555${from + at}`;
      const location = new ObjectId(stage.otherSite);
      tokens.push((await insertPerson(stage.service.dataDir, { role, phone, location })).token);
    }
    return tokens;
  };
  const [volunteers, admins] = [await several('VOLUNTEER', 7000), await several('ADMIN', 7100)];
  const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  return [
    { name: 'guesses of a code', path: '/api/auth/verify-otp-login', begin: '{"phone":"' },
    { name: 'interviews', path: '/api/surveys', tokens: volunteers, begin: '{"responses":{"comment":"' },
    { name: 'seeds to print', path: '/api/seeds/print', tokens: volunteers, begin: '{"seeds":["' },
    { name: 'imports of interviews', path: '/api/surveys/import', tokens: admins, begin: '{"surveys":["' },
    { name: 'imports of sites', path: '/api/locations/import', tokens: admins, begin: '{"locations":["' },
    {
      ...{ name: 'questionnaires of 1 MB', path: '/api/questionnaires', tokens: admins, begin: '{"name":"' },
      bytes: 1_000_000,
    },
    {
      ...{ name: 'XLSForm files', path: '/api/questionnaires/xlsform', tokens: admins, begin: 'PK' },
      type: XLSX,
    },
  ].map(slowRoute);
}

const GPRS = 600;

/** The status of an interview that arrives at 600 bytes a second. */
async function overGprs({ volunteer, root }: Stage, port: number): Promise<number> {
  const head = [
    'POST /api/surveys HTTP/1.1',
    `Authorization: Bearer ${volunteer.token}`,
    'Content-Type: application/json',
  ];
  const responses = { networkSize: 3, words0: 'x'.repeat(4_000) };
  const body = JSON.stringify({ location: root.site, clientId: randomUUID(), responses });
  return await sendAtPace(port, head, body, GPRS);
}

async function slowConnections(stage: Stage): Promise<boolean> {
  const { pid } = stage.service.child;
  const caddy = await startCaddy(stage.service.port);
  if (!caddy) console.log('\nNot through Caddy: it is not installed.');
  console.log('\n| Slow connections with | through | others get | slowest | over GPRS | peak memory |');
  console.log('| --- | --- | --- | ---: | ---: | ---: |');
  let isKept = true;
  const kinds = [
    ...SLOW_CONNECTIONS.map((slow) => ({ slow, count: CONCURRENT_REQUESTS })),
    ...(await slowRoutes(stage)).flatMap((slow) =>
      [82, CONCURRENT_REQUESTS].map((count) => ({ slow, count })),
    ),
  ];
  for (const { slow, count } of kinds)
    for (const [through, port] of [
      ['nothing', stage.service.port] as const,
      ['Caddy', caddy?.port] as const,
    ]) {
      if (port === undefined) continue;
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
      const close = await openSlow(slow, port, count, through === 'nothing');
      const [{ statuses, slowest }, line] = await Promise.all([others(stage, port), overGprs(stage, port)]);
      close();
      const peak = peakOf(pid);
      const isMet = statuses === '200, 201' && slowest < BOUND_SECONDS && line === 201 && peak < BOUND_MB;
      isKept &&= isMet;
      console.log(
        `| ${count} × ${slow.name} | ${through} | ${statuses} | ${slowest.toFixed(1)} s | ${line} | ${peak} MB${isMet ? '' : ' MISSED'} |`,
      );
    }
  caddy?.stop();
  return isKept;
}

const peakOf = (pid: number | undefined) =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

async function drill(service: ServiceProcess): Promise<boolean> {
  await service.until('The service is up');
  const stage = await prepareStage(service);
  console.log('| OWASP API Security Top 10 (2023) | Attack | Expected | Actual |\n| --- | --- | --- | --- |');
  let isKept = true;
  for (const { item, what, must, attack } of ATTACKS) {
    if (values.only && !item.startsWith(`${values.only} `)) continue;
    const was = String(await attack(stage));
    isKept &&= was === must;
    console.log(
      `| ${item} | ${what.replaceAll('|', '/')} | ${must} | ${was}${was === must ? '' : ' **BROKEN**'} |`,
    );
  }
  return isKept;
}

const start = (env: NodeJS.ProcessEnv) =>
  startProcess({ command: [process.execPath, 'dist/src/main.js'], env: { MALLOC_ARENA_MAX: '2', ...env } });

ensureBuilt();
let arePromisesKept = true;
const limited = await start({ RATE_LIMITS: 'on' });
try {
  arePromisesKept = await drill(limited);
} finally {
  endProcess(limited);
}
if ((!values.only || values.only === 'slow') && !values.short) {
  // Without limits: what stops one caller would hide what the service does with all that arrives.
  const open = await start({ TRUST_PROXY: '1' });
  try {
    await open.until('The service is up');
    const stage = await prepareStage(open);
    if (values.only !== 'slow') arePromisesKept = (await overload(stage)) && arePromisesKept;
    arePromisesKept = (await slowConnections(stage)) && arePromisesKept;
  } finally {
    endProcess(open);
  }
}
console.log(arePromisesKept ? '\nAll promises are kept.' : '\nA promise is broken: see above.');
process.exitCode = arePromisesKept ? 0 : 1;
