/** The code of a seed becomes a claim number: only those who hand it out, or read that interview or codes, see it. */
import { makeSeed } from '../make.ts';
import { castOfFile, collection, draft, oid, refused, setStudy, submit } from './kit.ts';

const cast = castOfFile();

/** A seed whose person was interviewed by the volunteer. */
async function usedSeed() {
  const seed = await makeSeed(cast.world, cast.admin, { location: cast.site });
  const survey = await submit(cast, { referralCode: seed.referralCode });
  return { ...seed, survey: survey.id };
}
type Person = typeof cast.root;
const visibleCode = async (by: Person, id: string) => {
  const { body } = await by.get(`/api/seeds/${id}`).expect(200);
  const list = await by.get('/api/seeds?limit=200').expect(200);
  expect(list.body.data.find((one: { id: string }) => one.id === id)).toEqual(body);
  return body.referralCode;
};

test('an unused seed shows its code at its site, a used one only to readers of its interview or of codes', async () => {
  const seed = await makeSeed(cast.world, cast.admin, { location: cast.site });
  const stranger = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
  expect(await visibleCode(stranger, seed.id)).toBe(seed.referralCode);
  const used = await usedSeed();
  for (const by of [cast.root, cast.admin, cast.manager, cast.volunteer])
    expect(await visibleCode(by, used.id)).toBe(used.referralCode);
  expect(await visibleCode(stranger, used.id)).toBeNull();
  const elsewhere = await cast.world.person({ role: 'MANAGER', location: await cast.world.place() });
  expect(await visibleCode(elsewhere, used.id)).toBeNull();
});

test('an unused seed shows its code to its creator, people at its site and readers of codes, and to nobody else', async () => {
  const place = await cast.world.place();
  const maker = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
  const there = await cast.world.person({ role: 'VOLUNTEER', location: place });
  const seed = await makeSeed(cast.world, maker, { location: place });
  for (const by of [maker, there, cast.admin, cast.root])
    expect(await visibleCode(by, seed.id)).toBe(seed.referralCode);
  const nowhere = await cast.world.person({ role: 'VOLUNTEER', location: null });
  for (const by of [cast.volunteer, cast.manager, nowhere]) {
    expect(await visibleCode(by, seed.id)).toBeNull();
    const { body } = await by.get('/api/seeds?unused=true&limit=200').expect(200);
    expect(JSON.stringify(body)).not.toContain(seed.referralCode);
  }
});

test('people can print only the unused seeds whose code they can see', async () => {
  const place = await cast.world.place();
  const seed = await makeSeed(cast.world, cast.admin, { location: place });
  const there = await cast.world.person({ role: 'VOLUNTEER', location: place });
  const nowhere = await cast.world.person({ role: 'VOLUNTEER', location: null });
  const print = { layout: 'page', paper: 'A4', languages: ['en'] };
  const own = await makeSeed(cast.world, nowhere, { location: place });
  const wishes = [{ seeds: [seed.id] }, { unused: true, location: place }, { unused: true }];
  for (const request of wishes) await there.post('/api/seeds/print', { ...print, ...request }).expect(200);
  await nowhere.post('/api/seeds/print', { ...print, seeds: [own.id] }).expect(200);
  await nowhere.post('/api/seeds/print', { ...print, unused: true }).expect(200);
  refused(await nowhere.post('/api/seeds/print', { ...print, seeds: [own.id, seed.id] }), 403);
  const stranger = await cast.world.person({ role: 'VOLUNTEER', location: await cast.world.place() });
  for (const request of wishes)
    refused(await stranger.post('/api/seeds/print', { ...print, ...request }), 403);
});

test('on a later day, after a deletion, and of a walk-in, the code is hidden from the interviewer too', async () => {
  const used = await usedSeed();
  const yesterday = { $set: { createdAt: new Date(Date.now() - 2 * 86_400_000) } };
  await collection('surveys').updateOne({ _id: oid(used.survey) }, yesterday);
  expect(await visibleCode(cast.volunteer, used.id)).toBeNull();
  expect(await visibleCode(cast.manager, used.id)).toBeNull();
  expect(await visibleCode(cast.admin, used.id)).toBe(used.referralCode);
  const walkIn = await submit(cast);
  expect(await visibleCode(cast.volunteer, walkIn.seed)).toBe(walkIn.referralCode);
  await cast.root.delete(`/api/surveys/${walkIn.id}`).expect(204);
  expect(await visibleCode(cast.volunteer, walkIn.seed)).toBeNull();
});

test('a grant to read codes shows them', async () => {
  const permissions = [{ action: 'read', subject: 'ReferralCode', conditions: [] }];
  const reader = await cast.world.person({ role: 'VOLUNTEER', permissions });
  const used = await usedSeed();
  expect(await visibleCode(reader, used.id)).toBe(used.referralCode);
});

test('neither printing nor the names in a history reveal the code', async () => {
  const used = await usedSeed();
  const stranger = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
  const print = { seeds: [used.id], layout: 'page', paper: 'A4', languages: ['en'] };
  refused(await stranger.post('/api/seeds/print', print), 403);
  const other = await cast.volunteer.post(
    '/api/surveys',
    draft(cast, { referralCode: 'ABCDEFGD', onCodeProblem: 'FLAG' }),
  );
  const code = (await makeSeed(cast.world, cast.admin, { location: cast.site })).referralCode;
  await cast.volunteer.patch(`/api/surveys/${other.body.id}`, { referralCode: code }).expect(200);
  const { body } = await cast.volunteer.get(`/api/surveys/${other.body.id}/history`).expect(200);
  const names = Object.values(body.at(-1).names) as { subject: string; code: string | null }[];
  expect(names.filter(({ subject }) => subject === 'Seed').map((one) => one.code)).toEqual([null]);
});

test('the audit trail says who looked up a claim number', async () => {
  const incentives = { currency: 'USD', interview: '20.00', recruit: null, recruitLimit: null };
  await setStudy(cast, { incentives });
  const survey = await submit(cast);
  const stranger = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
  for (let times = 0; times < 2; times++)
    await stranger.get(`/api/incentives/claim/${survey.referralCode}`).expect(200);
  const { body } = await cast.admin.get(`/api/audit?record=${survey.id}&action=read`).expect(200);
  const looked = {
    subject: 'Survey',
    by: stranger.id,
    changes: [{ path: 'claim', before: null, after: 'CHECKED' }],
  };
  expect(body.data).toMatchObject([looked]);
  expect(JSON.stringify(body.data[0].changes)).not.toContain(survey.referralCode);
});

test('a payment at the interview has an event with state, amount and method, without its reference', async () => {
  const survey = await submit(cast, { incentive: { method: 'GIFT_CARD', reference: 'card 4711' } });
  const paid = await cast.root.get(`/api/incentives?survey=${survey.id}`).expect(200);
  const { body } = await cast.admin.get(`/api/audit?record=${paid.body.data[0].id}`).expect(200);
  expect(body.data.map(({ action }: { action: string }) => action)).toEqual(['update', 'create']);
  const after = Object.fromEntries(
    body.data[0].changes.map(({ path, after }: { path: string; after: unknown }) => [path, after]),
  );
  expect(after).toMatchObject({
    ...{ state: 'PAID', method: 'GIFT_CARD', amount: '20.00', currency: 'USD' },
    paidBy: cast.volunteer.id,
  });
  expect(JSON.stringify(body.data)).not.toContain('4711');
});
