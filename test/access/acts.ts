/** What the caller does, by route: each creates what its situation needs, sends a request and returns the result. */

import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { findingId } from '../../src/board/quality/finding.ts';
import { isoDateAt } from '../../src/platform/lib/day.ts';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { unknownCode } from '../api/kit.ts';
import { type Authenticator, newAuthenticator } from '../authenticator.ts';
import { ANSWERS, insertSurvey, makeDraft, SMALL_QUESTIONNAIRE, smallQuestionnaire } from '../make.ts';
import type { Person, Test } from '../people.ts';
import { seal } from '../seal.ts';
import { deviceReport, otherUser, readToken, type Situation, seed, survey } from './situation.ts';

type Cell = string;
type Act = (s: Situation) => Promise<Cell>;

const status = async (test: Test): Promise<Cell> => String((await test).status);

/** `in` or `out` for a list with 200, otherwise its status. */
async function listed(
  caller: Person,
  url: string,
  holds: (item: Record<string, unknown>) => boolean,
): Promise<Cell> {
  for (let cursor = ''; ; ) {
    const answer = await caller.get(`${url}?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    if (answer.status !== 200) return String(answer.status);
    if (answer.body.data.some(holds)) return 'in';
    if (!answer.body.nextCursor) return 'out';
    cursor = answer.body.nextCursor;
  }
}

/** The same for a file that has all of its records. */
async function inFile(caller: Person, url: string, id: string): Promise<Cell> {
  const answer = await caller
    .get(url)
    .buffer(true)
    .parse((file, callback) => {
      let text = '';
      file.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
      file.on('end', () => callback(null, text));
    });
  if (answer.status !== 200) return String(answer.status);
  return String(answer.body).includes(id) ? 'in' : 'out';
}

const GRANT = { action: 'read', subject: 'Survey', conditions: ['WAS_CREATED_TODAY'] };

/** The study settings of a situation; the time zone stays, so that no other row gets another day. */
function studyChange(text: string): object {
  if (text.startsWith('time zone')) return { timeZone: 'America/Los_Angeles' };
  if (text.startsWith('small cells')) return { smallestCell: 5 };
  if (text.startsWith('computed outcomes')) return { outcomes: [] };
  if (text.startsWith('retention')) return { retentionDays: 30 };
  if (text.startsWith('repeat check')) return { repeatCheck: false };
  return { name: name() };
}

/** For a query of results. */
const days = ({ text }: Situation) => (text.startsWith('some days') ? '&to=2030-01-01' : '');

/** Verb of a PATCH of a user → the approval status that it starts from, and the body. Longer verbs first. */
const USER_VERBS: [
  verb: string,
  from: 'PENDING' | 'APPROVED' | 'REJECTED',
  body: (s: Situation) => object,
][] = [
  ['approve and rename', 'PENDING', () => ({ approvalStatus: 'APPROVED', firstName: 'Renamed' })],
  ['approve', 'PENDING', () => ({ approvalStatus: 'APPROVED' })],
  ['reject', 'PENDING', () => ({ approvalStatus: 'REJECTED' })],
  ['reset', 'APPROVED', () => ({ approvalStatus: 'PENDING' })],
  ['mend', 'REJECTED', () => ({ approvalStatus: 'PENDING' })],
  ['move', 'APPROVED', (s) => ({ location: s.scene.there })],
  ['rename', 'APPROVED', () => ({ firstName: 'Renamed' })],
  ['mail', 'APPROVED', () => ({ email: 'new@example.org' })],
  ['grant', 'APPROVED', () => ({ permissions: [GRANT] })],
  ['make a manager of', 'APPROVED', () => ({ role: 'MANAGER' })],
  ['make a super-admin of', 'APPROVED', () => ({ role: 'SUPER_ADMIN' })],
  ['change the role of', 'APPROVED', (s) => ({ role: s.callerRole === 'ADMIN' ? 'MANAGER' : 'ADMIN' })],
];

/** "approve or reject or reset X" sends each of the three to a separate X; the cell is their common status. */
async function patchUser(s: Situation): Promise<Cell> {
  let rest = s.text;
  const cells = new Set<Cell>();
  for (;;) {
    const entry = USER_VERBS.find(([name]) => rest.startsWith(`${name} `));
    if (!entry) throw new Error(`the table speaks of something that acts.ts does not know: "${s.text}"`);
    const [verb, from, body] = entry;
    const target = await otherUser(s, from);
    cells.add(await status(s.caller.patch(`/api/users/${target.id}`, body(s))));
    rest = rest.slice(verb.length + 1);
    if (!rest.startsWith('or ')) return [...cells].join(' and ');
    rest = rest.slice(3);
  }
}

function newUser(s: Situation): object {
  const approvalStatus = /(APPROVED|REJECTED) at once/.exec(s.text)?.[1];
  return {
    phone: s.scene.world.newPhone(),
    firstName: 'New',
    lastName: 'Person',
    role: s.role,
    ...(s.text.includes('site left out') ? {} : { location: s.site }),
    ...(approvalStatus ? { approvalStatus } : {}),
  };
}

const name = () => `Place ${randomUUID()}`;

/** Whose sign-in it is: the caller's, or that of somebody new. */
const signedIn = async ({ own, caller, scene }: Situation): Promise<Person> =>
  own ? caller : await scene.world.person();

const sessionOf = async (person: Person): Promise<string> =>
  (await person.get('/api/auth/sessions').expect(200)).body.data[0].id;

async function attestation(person: Person, { scene }: Situation) {
  const authenticator = newAuthenticator(new URL(scene.world.deps.config.publicUrl).origin);
  const { body: options } = await person.post('/api/auth/passkeys/options').expect(200);
  return { authenticator, body: { name: 'Phone', response: authenticator.attest(options) } };
}

async function addPasskey(
  person: Person,
  s: Situation,
): Promise<{ id: string; authenticator: Authenticator }> {
  const { authenticator, body } = await attestation(person, s);
  const reply = await person.post('/api/auth/passkeys', body).expect(201);
  return { id: reply.body.id, authenticator };
}

async function confirm(person: Person, authenticator: Authenticator, { scene }: Situation): Promise<Test> {
  const { body: options } = await scene.world.anonymous.post('/api/auth/passkeys/sign-in-options');
  return person.post('/api/auth/passkeys/verify', { response: authenticator.assert(options) });
}

export const ACTS: Record<string, Act> = {
  'GET /api/users': async (s) => {
    const { id } = await otherUser(s);
    return listed(s.caller, '/api/users', (item) => item.id === id);
  },
  'GET /api/users/decisions': (s) => status(s.caller.get('/api/users/decisions')),
  'GET /api/users/:id': async (s) => status(s.caller.get(`/api/users/${(await otherUser(s)).id}`)),
  'POST /api/users': async (s) => status(s.caller.post('/api/users', newUser(s))),
  'PATCH /api/users/:id': patchUser,
  'GET /api/users/:id/sessions': async (s) =>
    status(s.caller.get(`/api/users/${(await otherUser(s, 'APPROVED')).id}/sessions`)),
  'DELETE /api/users/:id/passkeys': async (s) =>
    status(s.caller.delete(`/api/users/${(await otherUser(s, 'APPROVED')).id}/passkeys`)),
  'POST /api/users/:id/sign-out': async (s) =>
    status(s.caller.post(`/api/users/${(await otherUser(s, 'APPROVED')).id}/sign-out`)),
  'POST /api/users/:id/sign-in-code': async (s) =>
    status(s.caller.post(`/api/users/${(await otherUser(s, 'APPROVED')).id}/sign-in-code`)),
  'DELETE /api/users/:id': async (s) =>
    status(s.caller.delete(`/api/users/${(await otherUser(s, 'APPROVED')).id}`)),

  'GET /api/auth/session': (s) => status(s.caller.get('/api/auth/session')),
  'GET /api/auth/sessions': (s) => status(s.caller.get('/api/auth/sessions')),
  'DELETE /api/auth/sessions/:id': async (s) =>
    status(s.caller.delete(`/api/auth/sessions/${await sessionOf(await signedIn(s))}`)),
  'POST /api/auth/sign-out': (s) => status(s.caller.post('/api/auth/sign-out')),
  'POST /api/auth/sign-out-everywhere': (s) => status(s.caller.post('/api/auth/sign-out-everywhere')),
  'POST /api/auth/send-token': (s) => status(s.caller.post('/api/auth/send-token')),
  'POST /api/auth/passkeys/options': (s) => status(s.caller.post('/api/auth/passkeys/options')),
  'POST /api/auth/passkeys': async (s) => {
    const { body } = await attestation(await signedIn(s), s);
    return status(s.caller.post('/api/auth/passkeys', body));
  },
  'GET /api/auth/passkeys': (s) => status(s.caller.get('/api/auth/passkeys')),
  'POST /api/auth/passkeys/verify': async (s) => {
    const { authenticator } = await addPasskey(await signedIn(s), s);
    return String((await confirm(s.caller, authenticator, s)).status);
  },
  'DELETE /api/auth/passkeys/:id': async (s) => {
    const own = await addPasskey(s.caller, s);
    if (!s.text.includes('not confirmed')) await confirm(s.caller, own.authenticator, s);
    const { id } = s.own ? own : await addPasskey(await signedIn(s), s);
    return status(s.caller.delete(`/api/auth/passkeys/${id}`));
  },

  'GET /api/tokens': async (s) => {
    const id = await readToken();
    return listed(s.caller, '/api/tokens', (item) => item.id === id);
  },
  'POST /api/tokens': (s) =>
    status(
      s.caller.post('/api/tokens', {
        ...{ name: 'R', scopes: ['RESULTS'], expiresOn: isoDateAt(s.scene.now, 'UTC') },
      }),
    ),
  'DELETE /api/tokens/:id': async (s) => status(s.caller.delete(`/api/tokens/${await readToken()}`)),

  'POST /api/devices/report': (s) => status(s.caller.post('/api/devices/report', deviceReport())),
  'GET /api/devices': async (s) => {
    const other = await s.scene.world.person({ location: s.site });
    await other.post('/api/devices/report', deviceReport()).expect(204);
    return listed(s.caller, '/api/devices', (item) => item.user === other.id);
  },

  'GET /api/surveys': async (s) => {
    const id = await survey(s);
    return listed(s.caller, '/api/surveys', (item) => item.id === id);
  },
  'GET /api/surveys/:id': async (s) => status(s.caller.get(`/api/surveys/${await survey(s)}`)),
  'GET /api/surveys/:id/answers': async (s) =>
    status(s.caller.get(`/api/surveys/${await survey(s)}/answers`)),
  'GET /api/surveys/:id/history': async (s) =>
    status(s.caller.get(`/api/surveys/${await survey(s)}/history`)),
  'POST /api/surveys': async (s) =>
    status(s.caller.post('/api/surveys', { location: s.site, responses: ANSWERS })),
  'POST /api/surveys/import': async (s) => {
    const owner = s.own ? s.caller : await s.scene.world.person({ location: s.scene.there });
    const importedSurvey = { clientId: randomUUID(), location: s.site, responses: ANSWERS };
    const answer = await s.caller.post('/api/surveys/import', { owner: owner.id, surveys: [importedSurvey] });
    if (answer.status === 200) expect(answer.body.data[0].status).toBe(201);
    return String(answer.status);
  },
  'POST /api/surveys/unseal': async (s) => {
    const sealer = s.text.startsWith('own') ? s.caller : await s.scene.world.person();
    const minutes = s.text.includes('long ago') ? 11 : 0;
    const createdAt = new Date(s.scene.world.clock.now().getTime() - minutes * 60_000);
    const me = { _id: new mongoose.Types.ObjectId(s.caller.id) };
    await mongoose.connection
      .collection('users')
      .updateOne(me, { $set: { 'sessions.0.createdAt': createdAt } });
    const clientId = randomUUID();
    const sealed = await seal({ clientId, owner: sealer.id, responses: ANSWERS });
    return status(s.caller.post('/api/surveys/unseal', { clientId, sealed }));
  },
  'POST /api/surveys/repeat-check': async (s) => {
    const database = mongoose.connection;
    await database.collection('studies').updateOne({}, { $set: { repeatCheck: true } });
    const { insertedId } = await database.collection('questionnaires').insertOne({
      ...{ name: randomUUID(), version: 1, definition: { elements: [] }, networkSizeQuestion: 'size' },
      ...{
        identityQuestions: ['day', 'month', 'year', 'name'],
        active: false,
        createdAt: s.at,
        deletedAt: null,
      },
    });
    const body = { questionnaire: insertedId.toHexString(), clues: { day: '7' } };
    return status(s.caller.post('/api/surveys/repeat-check', body));
  },
  'PATCH /api/surveys/:id': async (s) =>
    status(s.caller.patch(`/api/surveys/${await survey(s)}`, { responses: { networkSize: 3 } })),
  'POST /api/surveys/:id/take-code': async (s) => {
    const [id, from] = [await survey(s), await survey(s)];
    const code = unknownCode();
    const set = (_id: string, fields: object) =>
      mongoose.connection
        .collection('surveys')
        .updateOne({ _id: new mongoose.Types.ObjectId(_id) }, { $set: fields });
    await set(from, { referralCode: code });
    await set(id, { flags: [{ code: 'REFERRAL_CODE_USED', referralCode: code, at: s.at }] });
    return status(s.caller.post(`/api/surveys/${id}/take-code`, { from, reason: 'copied' }));
  },
  'POST /api/surveys/:id/review': async (s) =>
    status(s.caller.post(`/api/surveys/${await survey(s)}/review`, { state: 'APPROVED' })),
  'POST /api/surveys/:id/review/undo': async (s) => {
    const id = await survey(s);
    const review = {
      state: 'APPROVED',
      by: new mongoose.Types.ObjectId(s.caller.id),
      at: s.at,
      previous: null,
    };
    await mongoose.connection
      .collection('surveys')
      .updateOne({ _id: new mongoose.Types.ObjectId(id) }, { $set: { review } });
    return status(s.caller.post(`/api/surveys/${id}/review/undo`));
  },
  'POST /api/surveys/review': async (s) =>
    status(s.caller.post('/api/surveys/review', { ids: [await survey(s)], state: 'APPROVED' })),
  'GET /api/surveys/:id/comments': async (s) =>
    status(s.caller.get(`/api/surveys/${await survey(s)}/comments`)),
  'POST /api/surveys/:id/comments': async (s) =>
    status(s.caller.post(`/api/surveys/${await survey(s)}/comments`, { text: 'look' })),
  'POST /api/surveys/:id/restore': async (s) => {
    const id = await survey(s);
    const deleted = { $set: { deletedAt: s.at } };
    await mongoose.connection
      .collection('surveys')
      .updateOne({ _id: new mongoose.Types.ObjectId(id) }, deleted);
    return status(s.caller.post(`/api/surveys/${id}/restore`));
  },
  'POST /api/surveys/:id/erase': async (s) =>
    status(s.caller.post(`/api/surveys/${await survey(s)}/erase`, { reason: 'asked for' })),
  'DELETE /api/surveys/:id': async (s) => status(s.caller.delete(`/api/surveys/${await survey(s)}`)),

  'GET /api/seeds': async (s) => {
    const { id } = await seed(s);
    return listed(s.caller, '/api/seeds', (item) => item.id === id);
  },
  'GET /api/seeds/:id': async (s) => status(s.caller.get(`/api/seeds/${(await seed(s)).id}`)),
  'POST /api/seeds': async (s) => status(s.caller.post('/api/seeds', { location: s.site })),
  'DELETE /api/seeds/:id': async (s) => {
    const { id, referralCode } = await seed(s);
    if (s.text === 'in use') await redeem(s, referralCode);
    return status(s.caller.delete(`/api/seeds/${id}`));
  },

  'POST /api/seeds/delete': async (s) =>
    status(s.caller.post('/api/seeds/delete', { ids: [(await seed(s)).id] })),
  'POST /api/seeds/print': async (s) =>
    status(s.caller.post('/api/seeds/print', { seeds: [(await seed(s)).id], layout: 'labels' })),

  'GET /api/locations': (s) => listed(s.caller, '/api/locations', (item) => item.id === s.scene.there),
  'GET /api/locations/:id': (s) => status(s.caller.get(`/api/locations/${s.scene.there}`)),
  'POST /api/locations': (s) => status(s.caller.post('/api/locations', { name: name(), type: 'CLINIC' })),
  'PATCH /api/locations/:id': async (s) =>
    status(s.caller.patch(`/api/locations/${await s.scene.world.place()}`, { name: name() })),
  'DELETE /api/locations/:id': async (s) =>
    status(s.caller.delete(`/api/locations/${await s.scene.world.place()}`)),
  'POST /api/locations/:id/reopen': async (s) => {
    const id = await s.scene.world.place();
    await mongoose.connection
      .collection('locations')
      .updateOne({ _id: new mongoose.Types.ObjectId(id) }, { $set: { deletedAt: s.at } });
    return status(s.caller.post(`/api/locations/${id}/reopen`));
  },
  'POST /api/locations/import': async (s) =>
    status(s.caller.post('/api/locations/import', { locations: [{ name: name(), type: 'CLINIC' }] })),

  'GET /api/validate-referral-code/:code': async (s) =>
    status(s.caller.get(`/api/validate-referral-code/${(await seed(s)).referralCode}`)),
  'GET /api/referral-codes': async (s) => {
    const { referralCode } = await seed(s);
    return listed(s.caller, '/api/referral-codes', (item) => item.code === referralCode);
  },
  'PATCH /api/referral-codes/:code': async (s) => {
    const { referralCode } = await seed(s);
    return status(s.caller.patch(`/api/referral-codes/${referralCode}`, { void: true, reason: 'lost' }));
  },
  'POST /api/referral-codes/blocks': (s) => status(s.caller.post('/api/referral-codes/blocks', { count: 2 })),
  'GET /api/referral-codes/blocks': async (s) => {
    const [code] = await block(s);
    const { body } = await s.caller.get('/api/referral-codes/blocks').expect(200);
    return body.codes.includes(code) ? 'in' : 'out';
  },
  'POST /api/referral-codes/blocks/give-up': async (s) =>
    status(s.caller.post('/api/referral-codes/blocks/give-up', { codes: await block(s) })),
  'POST /api/referral-codes/batches': (s) =>
    status(s.caller.post('/api/referral-codes/batches', { count: 2, location: s.scene.here })),
  'GET /api/referral-codes/batches': async (s) => {
    const id = await batch(s);
    return listed(s.caller, '/api/referral-codes/batches', (item) => item.id === id);
  },
  'POST /api/referral-codes/batches/:id/void': async (s) =>
    status(s.caller.post(`/api/referral-codes/batches/${await batch(s)}/void`, { reason: 'lost' })),
  'POST /api/referral-codes/batches/:id/print': async (s) =>
    status(s.caller.post(`/api/referral-codes/batches/${await batch(s)}/print`, { layout: 'labels' })),

  'GET /api/questionnaires': (s) => status(s.caller.get('/api/questionnaires')),
  'GET /api/questionnaires/:id': async (s) =>
    status(s.caller.get(`/api/questionnaires/${await smallQuestionnaire(s.scene.world)}`)),
  'GET /api/questionnaires/active': (s) => status(s.caller.get('/api/questionnaires/active')),
  'GET /api/questionnaires/:id/xlsform': async (s) =>
    status(s.caller.get(`/api/questionnaires/${await smallQuestionnaire(s.scene.world)}/xlsform`)),
  'POST /api/questionnaires/xlsform': (s) =>
    status(
      s.caller.post('/api/questionnaires/xlsform').type('application/octet-stream').send(Buffer.from('PK')),
    ),
  'POST /api/questionnaires': (s) => status(s.caller.post('/api/questionnaires', SMALL_QUESTIONNAIRE)),
  'GET /api/questionnaires/:id/activation': async (s) =>
    status(s.caller.get(`/api/questionnaires/${await smallQuestionnaire(s.scene.world)}/activation`)),
  'PATCH /api/questionnaires/:id': async (s) => {
    const id = await smallQuestionnaire(s.scene.world);
    return status(s.caller.patch(`/api/questionnaires/${id}`, { active: true }));
  },
  'GET /api/questionnaire-drafts': async (s) => {
    const id = await questionnaireDraft(s);
    return listed(s.caller, '/api/questionnaire-drafts', (item) => item.id === id);
  },
  'GET /api/questionnaire-drafts/:id': async (s) =>
    status(s.caller.get(`/api/questionnaire-drafts/${await questionnaireDraft(s)}`)),
  'POST /api/questionnaire-drafts': (s) => status(s.caller.post('/api/questionnaire-drafts', makeDraft())),
  'PATCH /api/questionnaire-drafts/:id': async (s) =>
    status(s.caller.patch(`/api/questionnaire-drafts/${await questionnaireDraft(s)}`, { name: 'Other' })),
  'DELETE /api/questionnaire-drafts/:id': async (s) =>
    status(s.caller.delete(`/api/questionnaire-drafts/${await questionnaireDraft(s)}`)),

  'GET /api/incentives': async (s) => {
    const id = await incentive(s, 'PAID');
    return listed(s.caller, '/api/incentives', (item) => item.id === id);
  },
  'GET /api/incentives/summary': (s) => status(s.caller.get('/api/incentives/summary')),
  'GET /api/incentives/claim/:code': async (s) =>
    status(s.caller.get(`/api/incentives/claim/${await claimNumber(await survey(s))}`)),
  'POST /api/incentives/pay': async (s) =>
    status(
      s.caller.post('/api/incentives/pay', { payments: [{ id: await incentive(s, 'DUE'), ...payment() }] }),
    ),
  'POST /api/incentives/:id/pay': async (s) => {
    const of = await survey(s);
    const url = `/api/incentives/${await incentive(s, 'DUE', of)}/pay`;
    const body = {
      ...payment(),
      ...(s.text.includes('by claim number') ? { code: await claimNumber(of) } : {}),
      ...(s.text.includes('elsewhere') ? { location: s.scene.there } : {}),
    };
    return status(s.caller.post(url, body));
  },
  'POST /api/incentives/:id/withdraw': async (s) =>
    status(s.caller.post(`/api/incentives/${await incentive(s, 'DUE')}/withdraw`, { reason: 'sold' })),
  'POST /api/incentives/:id/reopen': async (s) =>
    status(s.caller.post(`/api/incentives/${await incentive(s, 'PAID')}/reopen`, { reason: 'a mistake' })),

  'GET /api/incentives/:id/card': async (s) =>
    status(s.caller.get(`/api/incentives/${await incentive(s, 'PAID')}/card`)),
  'POST /api/cards/import': (s) => {
    const file = `number,amount,currency\n${randomUUID()},20.00,USD\n`;
    return status(s.caller.post('/api/cards/import').set('Content-Type', 'text/csv').send(file));
  },
  'GET /api/cards': async (s) => {
    const id = await card();
    return listed(s.caller, '/api/cards', (item) => item.id === String(id));
  },
  'GET /api/cards/summary': (s) => status(s.caller.get('/api/cards/summary')),
  'POST /api/cards/:id/void': async (s) =>
    status(s.caller.post(`/api/cards/${await card()}/void`, { reason: 'used already' })),
  'GET /api/messages': async (s) => {
    const id = await message(s);
    return listed(s.caller, '/api/messages', (item) => item.id === id);
  },
  'GET /api/messages/summary': (s) => status(s.caller.get('/api/messages/summary')),
  'POST /api/messages/:id/retry': async (s) =>
    status(s.caller.post(`/api/messages/${await message(s)}/retry`)),

  'GET /api/cash-days': async (s) => {
    const id = await cashDay(s);
    return listed(s.caller, '/api/cash-days', (item) => item.id === id);
  },
  'POST /api/cash-days': async (s) => {
    const root = await s.scene.world.person({ role: 'SUPER_ADMIN' });
    await root.patch('/api/study', { incentives: { currency: 'USD' } }).expect(200);
    const body = { location: s.site ?? s.scene.here, day: dayOf(s), opening: '0.00', counted: '0.00' };
    // The roles act at the same time, and only one of them could close it.
    await root.post('/api/cash-days', body);
    return status(s.caller.post('/api/cash-days', body));
  },
  'POST /api/cash-days/:id/reopen': async (s) =>
    status(s.caller.post(`/api/cash-days/${await cashDay(s)}/reopen`, { reason: 'a mistake' })),

  'GET /api/study': (s) => status(s.caller.get('/api/study')),
  'PATCH /api/study': (s) => status(s.caller.patch('/api/study', studyChange(s.text))),

  'GET /api/rounds': async (s) => {
    const id = await closedRound(s);
    return listed(s.caller, '/api/rounds', (item) => item.id === id);
  },
  'GET /api/rounds/:id': async (s) => status(s.caller.get(`/api/rounds/${await closedRound(s)}`)),
  'POST /api/rounds': (s) => status(s.caller.post('/api/rounds', { name: name(), startsOn: '2028-01-20' })),
  'PATCH /api/rounds/:id': async (s) =>
    status(s.caller.patch(`/api/rounds/${await closedRound(s)}`, { name: name() })),
  'GET /api/rounds/:id/closing': async (s) =>
    status(s.caller.get(`/api/rounds/${await closedRound(s)}/closing`)),
  'POST /api/rounds/:id/close': async (s) =>
    status(s.caller.post(`/api/rounds/${await closedRound(s)}/close`)),
  'POST /api/rounds/:id/reopen': async (s) =>
    status(s.caller.post(`/api/rounds/${await closedRound(s)}/reopen`)),

  'GET /api/recruitment/summary': (s) => status(s.caller.get('/api/recruitment/summary')),
  'GET /api/recruitment/pace': (s) => status(s.caller.get('/api/recruitment/pace')),
  'GET /api/recruitment/forecast': (s) => status(s.caller.get('/api/recruitment/forecast')),
  'GET /api/recruitment/sites': (s) => status(s.caller.get('/api/recruitment/sites')),
  'GET /api/recruitment/interviewers': (s) => status(s.caller.get('/api/recruitment/interviewers')),
  'GET /api/recruitment/chains': async (s) =>
    status(s.caller.get(`/api/recruitment/chains?seed=${(await seed(s)).id}`)),
  'GET /api/recruitment/forest': (s) => status(s.caller.get('/api/recruitment/forest')),
  'GET /api/recruitment/tree': async (s) =>
    status(s.caller.get(`/api/recruitment/tree?seed=${(await seed(s)).id}`)),
  'GET /api/quality': async (s) => {
    const id = await finding(s);
    return listed(s.caller, '/api/quality', (item) => item.id === id);
  },
  'GET /api/quality/groups': (s) => status(s.caller.get('/api/quality/groups')),
  'POST /api/quality/:id/dismiss': async (s) =>
    status(s.caller.post(`/api/quality/${await finding(s)}/dismiss`, { comment: 'it is right' })),
  'GET /api/analysis/outcomes': (s) => status(s.caller.get(`/api/analysis/outcomes?counted=false${days(s)}`)),
  'GET /api/analysis/estimates': (s) =>
    status(s.caller.get(`/api/analysis/estimates?outcome=location${days(s)}`)),
  'GET /api/analysis/compare': (s) =>
    status(s.caller.get(`/api/analysis/compare?outcome=location&by=location${days(s)}`)),
  'GET /api/analysis/answers': (s) =>
    status(s.caller.get(`/api/analysis/answers?question=location${days(s)}`)),
  'POST /api/analysis/runs': (s) =>
    status(s.caller.post('/api/analysis/runs', days(s) ? { ...RUN, to: '2030-01-01' } : RUN)),
  'GET /api/analysis/runs': async (s) => {
    const id = await run(s);
    return listed(s.caller, '/api/analysis/runs', (item) => item.id === id);
  },
  'GET /api/analysis/runs/:id': async (s) => status(s.caller.get(`/api/analysis/runs/${await run(s)}`)),
  'DELETE /api/analysis/runs/:id': async (s) => status(s.caller.delete(`/api/analysis/runs/${await run(s)}`)),
  'POST /api/analysis/counts': (s) =>
    status(s.caller.post('/api/analysis/counts', days(s) ? { ...COUNT, to: '2030-01-01' } : COUNT)),
  'GET /api/analysis/counts': async (s) => {
    const id = await count(s);
    return listed(s.caller, '/api/analysis/counts', (item) => item.id === id);
  },
  'GET /api/analysis/counts/:id': async (s) => status(s.caller.get(`/api/analysis/counts/${await count(s)}`)),
  'PATCH /api/analysis/counts/:id': async (s) =>
    status(s.caller.patch(`/api/analysis/counts/${await count(s)}`, { known: 11 })),
  'DELETE /api/analysis/counts/:id': async (s) =>
    status(s.caller.delete(`/api/analysis/counts/${await count(s)}`)),
  'GET /api/analysis/counts/:id/estimate': async (s) =>
    status(s.caller.get(`/api/analysis/counts/${await count(s)}/estimate`)),
  'GET /api/analysis/counts/:id/tables': async (s) =>
    status(s.caller.get(`/api/analysis/counts/${await count(s)}/tables`)),
  'GET /api/analysis/counts/:id/tables.csv': async (s) =>
    status(s.caller.get(`/api/analysis/counts/${await count(s)}/tables.csv`)),
  'GET /api/analysis/change': async (s) => {
    const rounds = `from=${await closedRound(s)}&to=${FIRST_ROUND_ID}`;
    return await status(s.caller.get(`/api/analysis/change?outcome=location&${rounds}`));
  },
  'GET /api/analysis/counts/:id/change': async (s) => {
    const id = await count(s);
    return status(s.caller.get(`/api/analysis/counts/${id}/change?with=${id}`));
  },
  'GET /api/analysis/publication': (s) => status(s.caller.get('/api/analysis/publication')),
  'GET /api/analysis/report': (s) => status(s.caller.get('/api/analysis/report')),
  ...Object.fromEntries(
    ['interviews.csv', 'interviews.json', 'rds.csv', 'rdsat.txt', 'tree.graphml', 'tree.dot'].map((name) => [
      `GET /api/exports/${name}`,
      async (s: Situation) => await inFile(s.caller, `/api/exports/${name}`, await survey(s)),
    ]),
  ),
  'GET /api/exports/incentives.csv': async (s) =>
    await inFile(s.caller, '/api/exports/incentives.csv', await incentive(s, 'PAID')),
  'GET /api/exports/cards.csv': (s) => status(s.caller.get('/api/exports/cards.csv')),
  'GET /api/exports/codebook.csv': (s) => status(s.caller.get('/api/exports/codebook.csv')),
  'GET /api/exports/bundle.zip': (s) => status(s.caller.get('/api/exports/bundle.zip')),
  'GET /api/audit': async (s) => {
    const { id } = await seed(s);
    return listed(s.caller, '/api/audit', (item) => item.record === id && item.subject === 'Seed');
  },
};

const RUN = { outcome: 'location', method: 'TREE' };
const COUNT = {
  ...{ name: 'A night', outcome: 'location', value: 'a site', known: 10, source: 'a list' },
  ...{ asOf: '2027-06-15', definition: 'all people' },
};

/** A free gift card; its id. */
async function card(): Promise<string> {
  const _id = new mongoose.Types.ObjectId();
  await mongoose.connection.collection('cards').insertOne({
    ...{ _id, sealed: '', hashes: [randomUUID()], lastFour: '0000', amount: '20.00', currency: 'USD' },
    ...{ expiresOn: null, state: 'FREE', incentive: null, givenBy: null, givenAt: null, delivery: null },
    ...{ reason: null, createdAt: new Date() },
  });
  return String(_id);
}

/** A text that failed; its id. */
async function message(s: Situation): Promise<string> {
  const _id = new mongoose.Types.ObjectId();
  await mongoose.connection.collection('messages').insertOne({
    ...{ _id, survey: new mongoose.Types.ObjectId(), kind: 'MONEY_DUE', incentive: null, language: 'en' },
    ...{ state: 'FAILED', error: 'PROVIDER', createdAt: s.at, sendAt: s.at, claimedAt: null, day: null },
    ...{ tries: 1, wordsHash: null, sid: null, sentAt: null, deliveredAt: null },
  });
  return String(_id);
}

const payment = () => ({ method: 'CASH', clientId: randomUUID() });

/** An incentive of this or another survey, DUE or paid at the situation's time, place and by its person; its id. */
async function incentive(s: Situation, state: 'DUE' | 'PAID', of?: string): Promise<string> {
  const payer = s.own ? s.caller : await s.scene.world.person({ role: 'VOLUNTEER', location: s.scene.there });
  const site = new mongoose.Types.ObjectId(s.site ?? s.scene.here);
  const stranger = await s.scene.world.person({ role: 'VOLUNTEER', location: s.scene.there });
  const yesterday = { createdAt: s.scene.yesterday, location: s.scene.there };
  const survey = of ?? (await insertSurvey(s.scene.world, { createdBy: stranger.id, ...yesterday }));
  const paid = state === 'PAID';
  const incentiveRecord = {
    survey: new mongoose.Types.ObjectId(survey),
    ...{ kind: 'INTERVIEW', recruit: null, amount: '20.00', currency: 'USD', state, byHand: false },
    ...{
      method: paid ? 'CASH' : null,
      reference: null,
      reason: null,
      payments: [],
      site,
      round: FIRST_ROUND_ID,
    },
    paidBy: paid ? new mongoose.Types.ObjectId(payer.id) : null,
    ...{ paidAt: paid ? s.at : null, recordedAt: paid ? s.at : null, location: paid ? site : null },
    ...{ createdAt: s.at, updatedAt: s.at },
  };
  return String((await mongoose.connection.collection('incentives').insertOne(incentiveRecord)).insertedId);
}

const dayOf = ({ at }: Situation) => isoDateAt(at, 'America/Los_Angeles');

/** A round that was closed before the open one; its id. */
async function closedRound(s: Situation): Promise<string> {
  const at = new Date('2019-01-15T12:00:00Z');
  const sizes = { populationSize: null, populationSizeLow: null, populationSizeHigh: null };
  const roundRecord = {
    ...{ name: name(), startsOn: '2019-01-15', endsOn: null, targetSampleSize: null, ...sizes },
    ...{ state: 'CLOSED', openedAt: at, closedAt: at, createdAt: at, settings: {} },
    closedBy: new mongoose.Types.ObjectId(s.caller.id),
  };
  return String((await mongoose.connection.collection('rounds').insertOne(roundRecord)).insertedId);
}

/** A day of a cash box that was reopened, so that several can be of one day; its id. */
async function cashDay(s: Situation): Promise<string> {
  const by = new mongoose.Types.ObjectId(s.caller.id);
  const dayRecord = {
    ...{ location: new mongoose.Types.ObjectId(s.site ?? s.scene.here), day: dayOf(s), currency: 'USD' },
    ...{ opening: '0.00', counted: '0.00', paid: '0.00', difference: '0.00', byMethod: [] },
    ...{ state: 'REOPENED', closedBy: by, createdAt: s.at, reopenedBy: by, reopenedAt: s.at, reason: 'x' },
  };
  return String((await mongoose.connection.collection('cashdays').insertOne(dayRecord)).insertedId);
}

/** The coupon code of this survey's person. */
/** A quality finding about the situation's survey: its network size is 0. */
async function finding(s: Situation): Promise<string> {
  const id = await survey(s);
  const _id = new mongoose.Types.ObjectId(id);
  await mongoose.connection.collection('surveys').updateOne({ _id }, { $set: { networkSize: 0 } });
  return findingId('SIZE_ODD', id);
}

async function claimNumber(survey: string): Promise<string> {
  const referralCode = unknownCode();
  const of = { _id: new mongoose.Types.ObjectId(survey) };
  await mongoose.connection.collection('surveys').updateOne(of, { $set: { referralCode } });
  return referralCode;
}

/** A queued run of the caller or someone else; its id. */
async function run(s: Situation): Promise<string> {
  const createdBy = new mongoose.Types.ObjectId(
    s.own ? s.caller.id : (await s.scene.world.person({ role: 'ADMIN' })).id,
  );
  const runRecord = {
    ...{ state: 'WAITING', progress: 0, request: RUN, filters: '', randomSeed: 1, tries: 0, isKept: false },
    ...{ result: null, createdBy, createdAt: s.at },
  };
  return String((await mongoose.connection.collection('analysisruns').insertOne(runRecord)).insertedId);
}

/** Someone else's; its id. */
async function questionnaireDraft(s: Situation): Promise<string> {
  const someone = await s.scene.world.person({ role: 'ADMIN' });
  return (await someone.post('/api/questionnaire-drafts', makeDraft()).expect(201)).body.id;
}

/** Someone else's count; its id. */
async function count(s: Situation): Promise<string> {
  const someone = await s.scene.world.person({ role: 'ADMIN', location: s.scene.here });
  return (await someone.post('/api/analysis/counts', COUNT).expect(201)).body.id;
}

/** Codes reserved by the situation's person. */
async function block(s: Situation): Promise<string[]> {
  const owner = s.own ? s.caller : await s.scene.world.person({ role: 'VOLUNTEER', location: s.scene.here });
  return (await owner.post('/api/referral-codes/blocks', { count: 1 }).expect(201)).body.codes;
}

/** Someone else's batch; its id. */
async function batch(s: Situation): Promise<string> {
  const someone = await s.scene.world.person({ role: 'ADMIN', location: s.scene.here });
  const body = { count: 2, location: s.site ?? s.scene.here };
  return (await someone.post('/api/referral-codes/batches', body).expect(201)).body.id;
}

/** A survey with this code, submitted by someone who may. */
async function redeem(s: Situation, referralCode: string): Promise<void> {
  const someone = await s.scene.world.person({ role: 'VOLUNTEER', location: s.scene.here });
  await someone
    .post('/api/surveys', { location: s.scene.here, responses: ANSWERS, referralCode })
    .expect(201);
}
