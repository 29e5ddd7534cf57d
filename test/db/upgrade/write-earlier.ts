/**
 * Wrote before-rounds.json.gz: a study in the middle of its fieldwork, made through the API of the version before rounds
 * (the parent of the commit "Add rounds: open, close and reopen them"), and what its phones had not sent yet. In a
 * checkout of that version, with this one beside it in ../today:
 *   npm ci && npx tsc -p tsconfig.build.json --outDir .cache/bench
 *   npx tsx ../today/test/db/upgrade/write-earlier.ts ../today/test/db/upgrade/before-rounds.json.gz
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import mongoose from 'mongoose';
import {
  ask,
  endProcess,
  type ServiceProcess,
  startProcess,
  withItsDatabase,
} from '../../attack/service-process.ts';
import { ANSWERS, makeDraft, SMALL_QUESTIONNAIRE } from '../../make.ts';
import { testConfig } from '../../people.ts';
import { sealBody } from '../../seal.ts';

const { jwtSecret } = testConfig();
/** As in `testConfig`: today's service must read what is stored and sealed. */
const KEYS = {
  JWT_SECRET: jwtSecret,
  IDENTITY_KEY: 'a key for tests alone, longer than forty characters',
  CONTACT_KEY: 'a key for contacts in tests, longer than forty characters',
  FIELD_KEY: 'AGE-SECRET-KEY-1EQCP92UMPH5NVTA22RGJZGE8Y6HSNDGXS0GEXL789W0D58KCMFMQS2L8MY',
};
const [page] = SMALL_QUESTIONNAIRE.definition.pages;
const QUESTIONNAIRE = {
  ...SMALL_QUESTIONNAIRE,
  definition: {
    pages: [
      {
        name: 'all',
        elements: [
          ...(page?.elements ?? []),
          {
            type: 'radiogroup',
            name: 'sheltered',
            title: 'Did you sleep in a shelter?',
            choices: ['yes', 'no'],
          },
        ],
      },
    ],
  },
};
// biome-ignore lint/suspicious/noExplicitAny: replies are read as needed
type Body = any;
type Call = (method: string, path: string, body?: object, status?: number) => Promise<Body>;

const callWith =
  (service: ServiceProcess, token?: string): Call =>
  async (method, path, body, status = method === 'POST' ? 201 : 200) => {
    const reply = await ask(service, method, path, { body, ...(token && { token }) });
    if (reply.status !== status)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };

const codeFor = async (service: ServiceProcess, phone: string): Promise<string> => {
  const line = new RegExp(`OTP \\${phone} (\\d{6})`, 'g');
  await service.until(new RegExp(`OTP \\${phone} `));
  return [...service.said().matchAll(line)].at(-1)?.[1] ?? '';
};

async function setUp(service: ServiceProcess) {
  const anyone = callWith(service);
  await service.until(/#token=/);
  const token = /#token=([\w-]+)/.exec(service.said())?.[1];
  const ada = { phone: '+12065550100', firstName: 'Ada', lastName: 'Field' };
  await anyone('POST', '/api/setup', { ...ada, token }, 200);
  const code = await codeFor(service, ada.phone);
  const root = await anyone('POST', '/api/setup', { ...ada, token, code });
  const vera = { phone: '+12065550101', firstName: 'Vera', lastName: 'Vale' };
  await anyone('POST', '/api/auth/send-otp-signup', { phone: vera.phone }, 200);
  const signup = { ...vera, code: await codeFor(service, vera.phone), role: 'VOLUNTEER' };
  const volunteer = await anyone('POST', '/api/auth/verify-otp-signup', signup);
  return { root, volunteer };
}

async function writeStudy(service: ServiceProcess) {
  const { root, volunteer } = await setUp(service);
  const [byRoot, byVolunteer] = [callWith(service, root.token), callWith(service, volunteer.token)];
  const { id: site } = await byRoot('POST', '/api/locations', { name: 'Harbor shelter', type: 'SHELTER' });
  await byRoot('PATCH', `/api/users/${volunteer.user.id}`, { approvalStatus: 'APPROVED', location: site });
  const { id: questionnaire } = await byRoot('POST', '/api/questionnaires', QUESTIONNAIRE);
  await byRoot('PATCH', `/api/questionnaires/${questionnaire}`, { active: true, confirm: true });
  await byRoot('PATCH', '/api/study', {
    ...{ targetSampleSize: 300, populationSize: 4000, endsOn: '2027-01-31' },
    incentives: { currency: 'USD', interview: '20.00', recruit: '10.00', recruitLimit: null },
  });
  await byRoot('POST', '/api/questionnaire-drafts', makeDraft());
  const seeds = [];
  for (let at = 0; at < 3; at++) seeds.push(await byRoot('POST', '/api/seeds', { location: site }));
  const batch = await byRoot('POST', '/api/referral-codes/batches', { count: 5, location: site });
  const { codes } = await byVolunteer('POST', '/api/referral-codes/blocks', { count: 9 });

  const held = (fields: object) => {
    const at = new Date().toISOString();
    const answers = { ...ANSWERS, sheltered: 'yes' };
    const times = { startedAt: at, completedAt: at };
    return { clientId: randomUUID(), location: site, questionnaire, responses: answers, ...times, ...fields };
  };
  const send = (fields: object) => byVolunteer('POST', '/api/surveys', held(fields));
  const paid = { incentive: { method: 'CASH' } };
  const first = await send({ referralCode: seeds[0].referralCode, ...paid });
  const second = await send({ referralCode: first.issuedCodes[0] });
  const third = await send({
    referralCode: second.issuedCodes[0],
    responses: { ...ANSWERS, sheltered: 'no' },
  });
  const walkIn = await send({});
  // Its recruiter is still on the phone.
  const early = await send({ referralCode: codes[0], onCodeProblem: 'FLAG' });
  const unfinished = await send({
    referralCode: walkIn.issuedCodes[0],
    status: 'IN_PROGRESS',
    completedAt: null,
  });

  const { id: count } = await byRoot('POST', '/api/analysis/counts', {
    ...{ name: 'January', outcome: 'sheltered', value: 'yes', known: 40, source: 'A list' },
    ...{ asOf: '2026-01-20', definition: 'Adults' },
  });
  for (let open = 1; open > 0; await sleep(200)) {
    const { data } = await byRoot('GET', '/api/analysis/runs');
    open = data.filter((run: Body) => run.state !== 'DONE').length;
  }
  const { fieldKey } = await byVolunteer('GET', '/api/study');
  const rows = [
    held({ issuedCodes: codes.slice(0, 3), onCodeProblem: 'FLAG' }),
    await sealBody(
      held({
        referralCode: third.issuedCodes[0],
        issuedCodes: codes.slice(3, 6),
        onCodeProblem: 'FLAG',
        ...paid,
      }) as never,
      volunteer.user.id,
      fieldKey.recipient,
    ),
    held({ referralCode: codes[3], onCodeProblem: 'FLAG' }),
  ];
  const device = { drafts: 1, unsent: rows.length, refused: 0, codesLeft: 3, persisted: true };
  const report = { device: randomUUID(), appVersion: '0.1.0', oldestUnsentAt: new Date(), ...device };
  await byVolunteer('POST', '/api/devices/report', report, 204);
  const { data: due } = await byRoot('GET', '/api/incentives?state=DUE&limit=200');
  return {
    ...{ root: root.user.id, volunteer: volunteer.user.id, site, count, batch: batch.id, codes, rows },
    surveys: { first, second, third, walkIn, early, unfinished },
    ...{ unusedSeed: seeds[1], due: due.map(({ id }: Body) => id) },
  };
}

const [target = 'before-rounds.json.gz'] = process.argv.slice(2);
const service = await startProcess({
  command: [process.execPath, '.cache/bench/src/main.js'],
  env: { ...KEYS, MONGOD_BINARY: process.env.MONGOD_BINARY },
});
try {
  await service.until('The service is up');
  const study = await writeStudy(service);
  const collections = await withItsDatabase(service.dataDir, async (db) => {
    const names = (await db.listCollections().toArray()).map(({ name }) => name).sort();
    const all = names.map(async (name) => [name, await db.collection(name).find().toArray()] as const);
    return Object.fromEntries(await Promise.all(all));
  });
  const { EJSON } = mongoose.mongo.BSON;
  const text = EJSON.stringify({ writtenAt: new Date(), study, collections }, { relaxed: false });
  writeFileSync(target, gzipSync(text, { level: 9 }));
  console.log(`${target}: ${text.length} characters; data in ${service.dataDir}`);
  service.child.kill('SIGTERM');
  await service.ended;
} finally {
  endProcess(service);
}
