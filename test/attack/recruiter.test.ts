/**
 * A recruiter who knows every code they gave out, their own claim number and secret, and when they themselves were here,
 * learns nothing of a recruit by any public route, page or text beyond totals of the day before: not whether somebody came
 * today, not when, and not what became of it.
 */
import { createHash, randomBytes } from 'node:crypto';
import pino from 'pino';
import { generateStatusSecret } from '../../src/coupons/referral-codes/secret.ts';
import { MessageModel } from '../../src/interviews/messages/model.ts';
import { sendDueTexts } from '../../src/interviews/texting/job.ts';
import type { MessageProvider } from '../../src/interviews/texting/provider.ts';
import { apiRoutes } from '../../src/routes.ts';
import { owedTo, pay, recruit, setIncentives, USD } from '../api/incentive-kit.ts';
import { castOfFile, DAY, makeStudyOld, setStudy, submit } from '../api/kit.ts';
import type { Body } from '../make.ts';

const cast = castOfFile();
const secret = generateStatusSecret(randomBytes);
let own: Body;

beforeAll(async () => {
  await makeStudyOld();
  await cast.root.patch('/api/study', { statusPage: 'ON' }).expect(200);
  await setIncentives(cast, USD);
  await setStudy(cast, {
    contacts: 'SMS',
    messages: {
      moneyDue: { on: true, text: { en: '{amount} is ready' }, afterHours: 0 },
      couponsExpire: { on: true, text: { en: 'Coupons expire in {days} days' }, daysBefore: 3 },
    },
  });
  cast.world.clock.set('2026-03-10T20:00:00Z');
  const statusHash = createHash('sha256').update(secret).digest('hex');
  const contact = { phone: '+12065550177', language: 'en', consent: true };
  own = await submit(cast, { statusHash, contact });
  cast.world.clock.advance(DAY);
});

const texts: string[] = [];
const provider: MessageProvider = {
  name: 'twilio',
  async send({ words }) {
    texts.push(words);
    return { outcome: 'ACCEPTED', sid: `SM${texts.length}` };
  },
  find: async () => [],
};
/** As if all texts that wait were due by now. */
async function textNow(): Promise<void> {
  await MessageModel.updateMany({ state: 'QUEUED' }, { $set: { sendAt: cast.world.clock.now() } });
  const log = pino({ level: 'silent' });
  const { config } = cast.world.deps;
  await sendDueTexts({ config, provider, log, clock: cast.world.clock.now }, new AbortController().signal);
}

/** What the recruiter knows, as parts of a path. */
const secrets = (): string[] => [...own.issuedCodes, own.referralCode, secret];

const PAGES = ['/c/:code', '/s/:secret', '/start?code=:code', '/coupons/:code', '/work/:code'];
/** Those that hold no secret of the service's own, such as its metrics and the state of its database. */
const isAboutTheService = (path: string) => /\/(health|auth|setup)\b/.test(path);

/** Every public route and page with everything they know, as one text without what differs by chance. */
async function everything(): Promise<Record<string, string>> {
  const open = apiRoutes
    .filter(({ access, method, path }) => access === 'public' && method === 'get' && !isAboutTheService(path))
    .map(({ path }) => path);
  expect(open).toEqual(
    expect.arrayContaining(['/api/status/:secret', '/api/study/public', '/api/locations']),
  );
  const responses: Record<string, string> = {};
  for (const path of [...open, ...PAGES])
    for (const one of path.includes(':') ? secrets() : ['']) {
      const { status, text, headers } = await cast.world.anonymous.get(path.replace(/:\w+/, one));
      const { date: _, 'x-request-id': __, ...rest } = headers as Record<string, string>;
      responses[path.replace(/:\w+/, one)] = JSON.stringify({ status, text, rest });
    }
  return responses;
}

/** Everything that can become of a recruit in a day. */
const NEWS: [what: string, happens: () => Promise<unknown>][] = [
  ['came and took part', async () => await recruit(cast, own, 0)],
  ['came and was not eligible', async () => await recruit(cast, own, 1, { takesPart: false })],
  [
    'was interviewed yesterday, which arrives only now',
    async () => {
      const at = new Date(cast.world.clock.now().getTime() - 16 * 3_600_000).toISOString();
      return await recruit(cast, own, 2, { startedAt: at, completedAt: at });
    },
  ],
  [
    'was rejected by a reviewer',
    async () => {
      const { body } = await cast.root.get(`/api/surveys?recruiter=${own.id}`).expect(200);
      const review = { state: 'REJECTED', comment: 'Made up.' };
      for (const { id } of body.data) await cast.root.post(`/api/surveys/${id}/review`, review).expect(200);
    },
  ],
  [
    'was deleted and erased',
    async () => {
      const { body } = await cast.root.get(`/api/surveys?recruiter=${own.id}`).expect(200);
      await cast.root.post(`/api/surveys/${body.data[0].id}/erase`, { reason: 'Asked for.' }).expect(200);
      await cast.root.delete(`/api/surveys/${body.data[0].id}`).expect(204);
    },
  ],
  [
    'earned the recruiter something, which was paid',
    async () => {
      for (const { id, state } of await owedTo(cast, own.id))
        if (state === 'DUE') await pay(cast.root, id).expect(200);
    },
  ],
  [
    'held a coupon that was voided',
    async () => {
      const other = await submit(cast);
      await cast.root
        .patch(`/api/referral-codes/${other.issuedCodes[0]}`, { void: true, reason: 'Lost.' })
        .expect(200);
    },
  ],
];

test('nothing that the recruiter can query changes during a day, whatever happens to the recruits', async () => {
  const before = await everything();
  expect(before[`/api/status/${secret}`]).toContain('"status":200');
  for (const [what, happens] of NEWS) {
    await happens();
    await textNow();
    expect({ what, seen: await everything(), texts }).toEqual({ what, seen: before, texts: [] });
  }
});

test('the day after, their own page has new totals, and nothing else has changed', async () => {
  const before = await everything();
  cast.world.clock.advance(DAY);
  const after = await everything();
  const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
  expect(changed.filter((path) => !path.includes(secret))).toEqual([]);
  const text = after[`/api/status/${secret}`] ?? '';
  expect(text).toContain('\\"returned\\":null');
  for (const one of [own.referralCode, ...own.issuedCodes, own.id]) expect(text).not.toContain(one);
});

test('the day after, at most one text gives the total amount due', async () => {
  await textNow();
  await textNow();
  expect(texts.length).toBeLessThanOrEqual(1);
  for (const one of texts) expect(one).toMatch(/^\$[\d.]+ is ready$/);
});

/** Other load on the machine only makes replies slower. */
const fastest = (values: number[]) => Math.min(...values);

test.each([
  ['page of one’s own takes', '/s/'],
  ['figures of one’s own take', '/api/status/'],
])(
  'the %s the same time for a secret with much to count, with little, and that nobody has',
  async (_, path) => {
    const quiet = generateStatusSecret(randomBytes);
    await submit(cast, { statusHash: createHash('sha256').update(quiet).digest('hex') });
    const secrets = { much: secret, little: quiet, none: generateStatusSecret(randomBytes) };
    const times: Record<string, number[]> = { much: [], little: [], none: [] };
    // In turns, so that other load on the machine meets all of them alike.
    for (let turn = 0; turn < 30; turn++)
      for (const [name, one] of Object.entries(secrets)) {
        const begin = performance.now();
        await cast.world.anonymous.get(path + one);
        times[name]?.push(performance.now() - begin);
      }
    const [much = 0, little = 0, none = 0] = Object.values(times).map(fastest);
    console.log(
      `fastest reply: ${much.toFixed(1)} ms (much), ${little.toFixed(1)} (little), ${none.toFixed(1)} (none)`,
    );
    for (const one of [much, little]) expect(Math.abs(one - none)).toBeLessThan(15);
  },
);

test('the page behind a coupon takes the same time for a returned coupon, one that is not returned, and an unknown code', async () => {
  const codes = { back: own.issuedCodes[0], out: (await submit(cast)).issuedCodes[0], none: 'ABCD2345' };
  const times: Record<string, number[]> = { back: [], out: [], none: [] };
  for (let turn = 0; turn < 30; turn++)
    for (const [name, one] of Object.entries(codes)) {
      const begin = performance.now();
      await cast.world.anonymous.get(`/c/${one}`);
      times[name]?.push(performance.now() - begin);
    }
  const [back = 0, out = 0, none = 0] = Object.values(times).map(fastest);
  for (const one of [back, out]) expect(Math.abs(one - none)).toBeLessThan(15);
});
