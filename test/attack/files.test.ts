/** No file besides the database's own contains personal data: no answer, no phone number, no code. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT_SID, AUTH_TOKEN, SERVICE_SID, startTwilioStandIn } from '../auth/twilio-stand-in.ts';
import {
  administrator,
  ask,
  endProcess,
  filesBelow,
  newFolder,
  type ServiceProcess,
  startProcess,
} from './service-process.ts';

const folder = newFolder();
const dataDir = join(folder, 'data');
const temporary = join(folder, 'tmp');
const outputs = join(folder, 'out');
let service: ServiceProcess | undefined;
let twilio: Awaited<ReturnType<typeof startTwilioStandIn>>;
const logs: string[] = [];

beforeAll(async () => {
  for (const one of [dataDir, temporary, outputs]) mkdirSync(one);
  // A file left by an earlier version: the last log of a mongod that logged whole commands.
  for (const old of ['mongod.log', 'mongod.log.1']) {
    const slow = { s: 'I', c: 'COMMAND', msg: 'Slow query', attr: { command: { phone: OLD } } };
    writeFileSync(join(dataDir, old), `${JSON.stringify(slow)}\n`);
  }
  twilio = await startTwilioStandIn();
});
afterAll(async () => {
  endProcess(service);
  await twilio.stop();
});

const OLD = '+12065550999';
const env = () => ({
  TMPDIR: temporary,
  OTP_PROVIDER: 'twilio',
  TWILIO_ACCOUNT_SID: ACCOUNT_SID,
  TWILIO_AUTH_TOKEN: AUTH_TOKEN,
  TWILIO_VERIFY_SERVICE_SID: SERVICE_SID,
  TWILIO_BASE_URL: twilio.url,
});

async function start(): Promise<ServiceProcess> {
  service = await startProcess({ dataDir, env: env() });
  await service.until('The service is up');
  return service;
}

/** The database repeatedly stops responding, so that commands become slow and clients disconnect. */
async function underLoad(running: ServiceProcess, work: () => Promise<unknown>): Promise<void> {
  let busy = true;
  const stalling = (async () => {
    for (const pid = running.mongodPid(); busy; await sleep(150)) {
      process.kill(pid, 'SIGSTOP');
      await sleep(350);
      process.kill(pid, 'SIGCONT');
    }
  })();
  try {
    await work();
  } finally {
    busy = false;
    await stalling;
  }
}

async function command(name: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, ['scripts/run.mjs', name, ...args], {
    env: { ...process.env, ...env(), NODE_OPTIONS: '', DATA_DIR: dataDir, MONGO_URI: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.on('data', (text) => logs.push(String(text)));
  expect([name, ...(await once(child, 'close'))]).toEqual([name, 0, null]);
}

test('after normal use, a kill and all commands, no file besides the database contains personal data', async () => {
  const marks = {
    answer: 'sleeps-behind-the-mill',
    note: 'met-at-the-well',
    name: 'Xanthippe',
    own: '+12065550177',
  };
  const phones = Array.from({ length: 3 }, (_, at) => `+1206555018${at}`);
  const codes: string[] = [];
  let running = await start();
  const { token, site } = await administrator(dataDir, marks.own);
  const work = async () => {
    for (const phone of phones) {
      await ask(running, 'POST', '/api/auth/send-otp-signup', { body: { phone } });
      for (let wait = 0; wait < 600 && twilio.sent.at(-1)?.to !== phone; wait++) await sleep(50);
      const code = twilio.sent.at(-1)?.code ?? '';
      codes.push(code);
      const body = { phone, code, firstName: marks.name, lastName: marks.name };
      // The code is sent shortly before the slow database has stored it.
      let status = 0;
      for (let tries = 0; tries < 50 && status !== 201; tries++) {
        if (tries > 0) await sleep(100);
        ({ status } = await ask(running, 'POST', '/api/auth/verify-otp-signup', { body }));
      }
      expect(status).toBe(201);
      await ask(running, 'POST', '/api/auth/verify-otp-login', { body: { phone, code: '918273' } });
      const responses = { comment: marks.answer };
      const survey = { location: site, status: 'IN_PROGRESS', responses: {}, clientId: randomUUID() };
      await ask(running, 'POST', '/api/surveys', { token, body: { ...survey, responses } });
      await ask(running, 'POST', '/api/seeds', { token, body: { location: site, note: marks.note } });
      await ask(running, 'GET', `/api/users?search=${encodeURIComponent(phone)}`, { token });
    }
  };
  await underLoad(running, work);

  // Killed during requests: the database ends their commands.
  const late = phones.map((phone) =>
    ask(running, 'POST', '/api/users', {
      token,
      body: { phone: phone.replace('555018', '555017'), firstName: marks.name, lastName: marks.name },
    }).catch(() => null),
  );
  await underLoad(running, async () => {
    await sleep(200);
    running.child.kill('SIGKILL');
    await Promise.all(late);
  });
  logs.push(running.said());
  running = await start();
  await command('backup', '--out', join(outputs, 'study.archive'));
  await command('export', '--out', join(outputs, 'study.csv'));
  const readOutput = running.said;
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual([0, null]);
  logs.push(readOutput());

  expect(
    filesBelow(outputs)
      .map((one) => basename(one))
      .sort(),
  ).toEqual(['study.archive', 'study.csv']);
  const ofTheDatabase =
    /^data\/mongo\/(journal\/WiredTiger\w*\.\d+|[\w.-]+\.(wt|turtle|bson|lock)|WiredTiger|_tmp\/.*)$/;
  const others = [folder, temporary]
    .flatMap(filesBelow)
    .filter((one) => !one.startsWith(outputs) && !ofTheDatabase.test(relative(folder, one)));
  expect(others.map((one) => relative(folder, one))).toContain('data/mongod.log.1');
  const searched = new Map(others.map((one) => [relative(folder, one), readFileSync(one, 'utf8')]));
  searched.set('what the processes said', logs.join('\n'));
  const words = [
    ...Object.values(marks),
    ...phones,
    ...codes,
    '918273',
    OLD,
    ...phones.map((one) => one.slice(-10)),
  ];
  const leaks = [...searched].flatMap(([file, text]) =>
    words.filter((word) => text.includes(word)).map((word) => `${word} in ${file}`),
  );
  expect(leaks).toEqual([]);
  expect(codes).toHaveLength(phones.length);
  expect(statSync(join(dataDir, 'mongod.log')).mode & 0o077).toBe(0);
}, 180_000);
