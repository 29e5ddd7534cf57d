/**
 * 200 phones, on which nobody is signed in any more, deliver sealed interviews with their send tokens to two processes of
 * the service. The line drops every third request: before it, in its middle, after it and before the reply, in the middle
 * of the reply. Each request is repeated until it is answered, and may then come to the other process. At the end each
 * interview must be stored once, as it was answered, with its own coupons.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import jwt from 'jsonwebtoken';
import mongoose from 'mongoose';
import { newSession } from '../src/study/users/sessions.ts';
import { ANSWERS } from '../test/make.ts';
import { sealBody } from '../test/seal.ts';
import { personRecord } from './people.ts';

const DEVICES = 200;
const COUPONS = 3;
const HOUR_SECONDS = 3_600;
/** A phone gives up waiting after this long, and tries again. */
const TIMEOUT_MS = 15_000;
const DROPS = [
  'before the request',
  'in the middle of the request',
  'before the reply',
  'in the middle of the reply',
] as const;
type Drop = (typeof DROPS)[number];

interface Line {
  port: number;
  requests: number;
  dropped: Record<Drop, number>;
  close(): void;
}

/** Each connection is one request, and leads to the next process. */
async function startLine(processes: number[]): Promise<Line> {
  const line = {
    requests: 0,
    dropped: Object.fromEntries(DROPS.map((drop) => [drop, 0])) as Record<Drop, number>,
  };
  let drops = 0;
  const server: Server = createServer((near: Socket) => {
    const number = line.requests++;
    const drop = number % 3 === 2 ? DROPS[drops++ % DROPS.length] : undefined;
    if (drop) line.dropped[drop] += 1;
    const far = connect(Number(processes[number % processes.length]), '127.0.0.1');
    const cut = () => {
      near.destroy();
      far.destroy();
    };
    near.on('error', cut).on('close', cut);
    far.on('error', cut).on('close', cut);
    let rest = Number.POSITIVE_INFINITY;
    near.on('data', (piece: Buffer) => {
      if (drop === 'before the request') return cut();
      if (drop !== 'in the middle of the request') return void far.write(piece);
      if (rest === Number.POSITIVE_INFINITY) rest = halfOf(piece);
      far.write(piece.subarray(0, rest), () => rest <= 0 && cut());
      rest -= piece.length;
    });
    far.on('data', (piece: Buffer) => {
      // The reply is on its way: what was asked for is done.
      if (drop === 'before the reply') return cut();
      if (drop !== 'in the middle of the reply') return void near.write(piece);
      near.write(piece.subarray(0, piece.length / 2), cut);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return Object.assign(line, { port, close: () => void server.close() });
}

/** The head and half of the body. */
function halfOf(start: Buffer): number {
  const head = start.indexOf('\r\n\r\n') + 4;
  const length = Number(/content-length: (\d+)/i.exec(start.subarray(0, head).toString())?.[1] ?? 0);
  return head + Math.floor(length / 2);
}

interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply is read as the drill pleases
  body: any;
}

function ask(port: number, token: string, [method = '', path]: string[], body?: object): Promise<Reply> {
  const text = body ? JSON.stringify(body) : '';
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  };
  return new Promise((done, failed) => {
    const sent = request({ port, method, path, agent: false, timeout: TIMEOUT_MS, headers });
    sent.on('timeout', () => sent.destroy(new Error('no reply')));
    sent.on('error', failed);
    sent.on('response', (reply) => {
      readText(reply)
        .then((said) => done({ status: reply.statusCode ?? 0, body: said ? JSON.parse(said) : null }))
        .catch(failed);
    });
    sent.end(text);
  });
}

interface Interview {
  clientId: string;
  owner: string;
  comment: string;
  issuedCodes: string[];
}

interface Device {
  id: string;
  token: string;
}

interface Stage {
  ports: number[];
  secret: string;
  site: string;
  /** Of an administrator. */
  token: string;
  withDatabase<T>(act: (db: mongoose.mongo.Db) => Promise<T>): Promise<T>;
}

/** Signed in by a record, as a sign-in would leave it; the send tokens are the service's own. */
async function prepareDevices({ ports, secret, site, withDatabase }: Stage): Promise<Device[]> {
  const location = new mongoose.Types.ObjectId(site);
  const now = new Date();
  const people = Array.from({ length: DEVICES }, (_, at) => {
    const device = randomUUID();
    const session = newSession(
      { client: 'Chrome, Android', device, method: 'message', ttl: HOUR_SECONDS },
      now,
    );
    const phone = `+1206556${String(1_000 + at)}`;
    return personRecord({ role: 'VOLUNTEER', phone, location, sessions: [session] });
  });
  await withDatabase((db) => db.collection<(typeof people)[number]>('users').insertMany(people));
  return await Promise.all(
    people.map(async ({ _id, sessions = [] }, at) => {
      const id = String(_id);
      const session = jwt.sign({ sub: id, sid: String(sessions[0]?.id) }, secret, { expiresIn: '1h' });
      const port = Number(ports[at % ports.length]);
      const { status, body } = await ask(port, session, ['POST', '/api/auth/send-token']);
      if (status !== 201) throw new Error(`POST /api/auth/send-token: ${status} ${JSON.stringify(body)}`);
      return { id, token: body.token };
    }),
  );
}

interface Outcome {
  interviews: Interview[];
  refused: string[];
  /** Answered 200: the interview had arrived before, and its reply was lost. */
  replays: number;
  tries: number;
}

/** One phone: a block of coupons, its interviews, a coupon handed out later, and what it still has. */
async function deliver(
  device: Device,
  {
    count,
    line,
    site,
    recipient,
    outcome,
  }: { count: number; line: Line; outcome: Outcome } & {
    site: string;
    recipient: string;
  },
): Promise<void> {
  const untilAnswered = async (route: string[], body: object): Promise<Reply> => {
    for (;;) {
      outcome.tries += 1;
      const reply = await ask(line.port, device.token, route, body).catch(() => null);
      if (reply && reply.status < 500 && ![408, 429].includes(reply.status)) {
        if (reply.status >= 300)
          outcome.refused.push(`${route.join(' ')}: ${reply.status} ${JSON.stringify(reply.body)}`);
        return reply;
      }
      await sleep(50 + randomInt(400));
    }
  };
  const block = { count: count * COUPONS + 1, requestId: randomUUID() };
  const { body } = await untilAnswered(['POST', '/api/referral-codes/blocks'], block);
  const codes: string[] = body.codes ?? [];
  let latest: Interview | undefined;
  let survey = '';
  for (let at = 0; at < count; at += 1) {
    const clientId = randomUUID();
    const now = new Date().toISOString();
    const comment = `what ${clientId} said`;
    const issuedCodes = codes.splice(0, COUPONS);
    const plain = {
      ...{ clientId, location: site, issuedCodes, responses: { ...ANSWERS, comment } },
      ...{ startedAt: now, completedAt: now, incentive: { method: 'CASH', reference: clientId.slice(0, 8) } },
    };
    const sealed = await sealBody(plain, device.id, recipient);
    latest = { clientId, owner: device.id, comment, issuedCodes: [...issuedCodes] };
    outcome.interviews.push(latest);
    const reply = await untilAnswered(['POST', '/api/surveys'], sealed);
    if (reply.status === 200) outcome.replays += 1;
    survey = reply.body?.id ?? '';
  }
  await untilAnswered(['PATCH', `/api/surveys/${survey}`], { issuedCodes: codes });
  latest?.issuedCodes.push(...codes);
  const left = { drafts: 0, unsent: 0, refused: 0, codesLeft: 0, oldestUnsentAt: null, persisted: true };
  await untilAnswered(['POST', '/api/devices/report'], {
    device: randomUUID(),
    appVersion: '1.0.0',
    ...left,
  });
}

interface Stored {
  clientId: string;
  createdBy: mongoose.Types.ObjectId;
  responses: { comment?: string };
  issuedCodes: string[];
  incentive?: { reference?: string };
}

/** What is wrong with what is stored; empty if every promise is kept. */
async function verify(
  { withDatabase }: Stage,
  devices: Device[],
  { interviews }: Outcome,
): Promise<string[]> {
  const owners = devices.map(({ id }) => new mongoose.Types.ObjectId(id));
  const [surveys, reports] = await withDatabase(async (db) => [
    await db
      .collection<Stored>('surveys')
      .find({ createdBy: { $in: owners } })
      .toArray(),
    await db.collection('devices').countDocuments({ user: { $in: owners }, unsent: 0 }),
  ]);
  const wrong: string[] = [];
  if (surveys.length !== interviews.length)
    wrong.push(`${surveys.length} interviews are stored in place of ${interviews.length}`);
  if (reports !== devices.length) wrong.push(`${reports} of ${devices.length} phones have reported`);
  const sorted = (codes: string[]) => codes.toSorted().join(' ');
  for (const { clientId, owner, comment, issuedCodes } of interviews) {
    const copies = surveys.filter((one) => one.clientId === clientId);
    const [stored] = copies;
    if (!stored || copies.length > 1) wrong.push(`${clientId} is stored ${copies.length} times`);
    else if (String(stored.createdBy) !== owner || stored.responses.comment !== comment)
      wrong.push(`${clientId} is not what was answered`);
    else if (sorted(stored.issuedCodes) !== sorted(issuedCodes))
      wrong.push(`${clientId} has the coupons ${stored.issuedCodes} in place of ${issuedCodes}`);
  }
  const handedOut = surveys.flatMap(({ issuedCodes }) => issuedCodes);
  if (new Set(handedOut).size < handedOut.length) wrong.push('a coupon was handed out twice');
  return wrong;
}

/** Prints what happened; answers what is wrong. `count`: interviews on each phone. */
export async function deliverFromDevices(stage: Stage, count: number): Promise<string[]> {
  const devices = await prepareDevices(stage);
  const [first = 0] = stage.ports;
  const { body: study } = await ask(first, stage.token, ['GET', '/api/study']);
  const line = await startLine(stage.ports);
  const outcome: Outcome = { interviews: [], refused: [], replays: 0, tries: 0 };
  const options = { count, line, outcome, site: stage.site, recipient: study.fieldKey.recipient };
  const begin = performance.now();
  await Promise.all(devices.map((device) => deliver(device, options)));
  const seconds = (performance.now() - begin) / 1000;
  line.close();
  const wrong = [...outcome.refused, ...(await verify(stage, devices, outcome))];
  const drops = Object.entries(line.dropped).map(([drop, times]) => `${times} ${drop}`);
  console.log(
    [
      `\n${DEVICES} phones with send tokens delivered ${outcome.interviews.length} sealed interviews to ${stage.ports.length} processes in ${seconds.toFixed(1)} s:`,
      `${outcome.tries} tries over ${line.requests} connections, dropped ${drops.join(', ')};`,
      `${outcome.replays} interviews had arrived before their reply was lost; ${outcome.refused.length} refused.`,
    ].join('\n'),
  );
  if (wrong.length === 0) console.log('Each interview is stored once, with its answers and its own coupons.');
  return wrong;
}
