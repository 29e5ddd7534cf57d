/**
 * `npm run topology`: what compose.yaml runs, as processes of this machine (topology.ts). Runs until Ctrl-C; with
 * `-- --check` it signs in, interviews, kills a process of each kind, and ends; with `-- --metrics` a Prometheus scrapes it,
 * and it ends.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXAMPLE_RESPONSES } from '../test/example-responses.ts';
import { checkMetrics } from './check-metrics.ts';
import {
  end,
  folder,
  isStopping,
  lastReply,
  type Reply,
  say,
  send,
  startAll,
  stop,
  type Topology,
  until,
} from './topology.ts';

const checks = [
  ...(process.argv.includes('--check') ? [check] : []),
  ...(process.argv.includes('--metrics') ? [checkMetrics] : []),
];

function require(isSo: unknown, what: string): void {
  if (!isSo) throw new Error(`NOT SO: ${what}\nThe last reply: ${lastReply}`);
  say(`ok: ${what}`);
}

/** From the first sign-in to an interview, and again after each kind of process was killed. */
async function check({ url, setupToken, twilio, command, startApp }: Topology): Promise<void> {
  const setup = {
    token: setupToken,
    phone: '+12065550100',
    firstName: 'Ada',
    lastName: 'Field',
  };
  require((await send(url, 'POST', '/api/setup', setup)).status === 200, 'the setup link sends a code');
  await until('The code has arrived', async () => twilio.sent.length > 0);
  const account = await send(url, 'POST', '/api/setup', { ...setup, code: twilio.sent.at(-1)?.code });
  require(account.status === 201, 'the code makes the first super-admin');

  // The first code was a moment ago, so somebody else signs in.
  const phone = '+12065550101';
  const name = ['--first-name', 'Grace', '--last-name', 'Field'];
  command('users', 'create', '--phone', phone, ...name, '--role', 'SUPER_ADMIN');
  await send(url, 'POST', '/api/auth/send-otp-login', { phone });
  await until('Another code has arrived', async () => twilio.sent.length > 1);
  const login = await send(url, 'POST', '/api/auth/verify-otp-login', {
    phone,
    code: twilio.sent.at(-1)?.code,
  });
  require(login.status === 200, 'somebody whom a command created signs in');
  const { token } = login.body;
  const make = (path: string, body: object) => send(url, 'POST', path, body, token);
  const site = (await make('/api/locations', { name: 'Harbor shelter', type: 'SHELTER' })).body.id;

  let interviews = 0;
  const interview = async (): Promise<Reply> => {
    const seed = await make('/api/seeds', { location: site });
    if (seed.status !== 201) return seed;
    const { referralCode } = seed.body;
    const reply = await make('/api/surveys', { location: site, responses: EXAMPLE_RESPONSES, referralCode });
    if (reply.status === 201) interviews += 1;
    return reply;
  };
  require((await interview()).status === 201, 'an interview is stored');
  const counted = async () => {
    const { body } = await send(url, 'GET', '/api/surveys?limit=200', undefined, token);
    return body.data.length === interviews;
  };

  const page = await send(url, 'GET', '/');
  require(page.status === 200 && String(page.body).includes('<html'), 'the client is served');
  require(page.headers['strict-transport-security'] &&
    page.headers['content-security-policy'], 'with HSTS and a content policy');
  require(!page.headers.server && !page.headers.via, 'and without the name of a server');
  for (const path of ['/metrics', '/metrics/'])
    require((await send(url, 'GET', path)).status === 404, `${path} is not for the internet`);
  const large = (megabytes: number) =>
    send(url, 'POST', '/api/surveys', JSON.stringify('x'.repeat(megabytes * 1e6)), token);
  require((await large(2)).body.message, 'a body of 2 MB is refused by the service');
  // Caddy closes the connection, also while the body is still being sent.
  const tooLarge = await large(4).then(
    ({ status }) => status,
    ({ code }) => code,
  );
  require([413, 'ECONNRESET', 'EPIPE'].includes(
    tooLarge,
  ), `a body of 4 MB is refused by Caddy (${tooLarge})`);
  const isReady = async () => (await send(url, 'GET', '/api/health/ready')).status === 200;
  require((await Promise.all([1, 2, 3, 4].map(isReady))).every(Boolean), 'and harms nobody else');

  await end('app1', 'SIGKILL');
  const replies = await Promise.all(
    Array.from({ length: 40 }, () => send(url, 'GET', '/api/surveys', undefined, token)),
  );
  require(replies.every(
    ({ status }) => status === 200,
  ), 'with one process of the service killed, 40 of 40 requests are answered');
  require((await interview()).status === 201, 'and an interview is stored');
  startApp(0);

  await end('mongo1', 'SIGKILL');
  await until(
    'With the primary killed, an interview is stored',
    async () => (await interview()).status === 201,
    30_000,
  );
  await until('and the service is ready', isReady);
  require(await counted(), `${interviews} interviews were acknowledged, and are all there`);

  const archive = join(folder, 'study.archive');
  command('backup', '--out', archive);
  // The authority of Caddy's own certificate.
  process.env.NODE_EXTRA_CA_CERTS = join(folder, 'caddy/pki/authorities/local/root.crt');
  const report = command('doctor', '--backups', folder);
  require(/^LOOK +database +1 of 3 members don’t answer/m.test(
    report,
  ), 'the doctor finds the member that was killed');
  require(/^OK +proxy .* counts callers by their own addresses$/m.test(
    report,
  ), 'and that callers are told apart through Caddy');
  await end('app1');
  await end('app2');
  const down = await send(url, 'GET', '/api/health/ready');
  require(down.status === 503 &&
    down.headers['retry-after'] &&
    down.body.code === 'UNAVAILABLE', 'without a process, Caddy says when to try again');
  require(!/"(?:remote_ip|uri)"/.test(
    readFileSync(join(folder, 'caddy.log'), 'utf8'),
  ), 'and its log names no request');
  command('restore', '--from', archive, '--force');
  startApp(0);
  await until('Ready again', isReady);
  require(await counted(), 'backup and restore work with the rights that the service has');
  require(twilio.faults.length === 0, 'Twilio would have refused nothing');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void stop().then(() => process.exit(130)));
try {
  const topology = await startAll();
  say(`Open ${topology.url}/setup#token=${topology.setupToken}`);
  if (checks.length > 0) {
    for (const one of checks) await one(topology);
    await topology.twilio.stop();
    await stop();
    say('All checks passed.');
  } else {
    say(`Codes appear here. The logs are in ${folder}. Ctrl-C stops everything.`);
    for (let printedCount = 0; !isStopping(); await sleep(200))
      for (; printedCount < topology.twilio.sent.length; printedCount++)
        say(`OTP ${topology.twilio.sent[printedCount]?.to} ${topology.twilio.sent[printedCount]?.code}`);
  }
} catch (error) {
  if (!isStopping()) {
    process.exitCode = 1;
    console.error(error instanceof Error ? error.message : error);
    for (const name of ['caddy', 'app1', 'mongo1']) {
      const file = join(folder, `${name}.log`);
      if (existsSync(file)) console.error(`${name}:\n${readFileSync(file, 'utf8').slice(-1500)}`);
    }
    await stop();
    process.exit(1);
  }
}
await stop();
process.exit(0);
