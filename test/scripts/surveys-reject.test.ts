/** A whole site's interviews of some days, rejected by command and restored. */
import { isoDateAt } from '../../src/platform/lib/day.ts';
import { pay, recruit, setIncentives, statesOf, USD } from '../api/incentive-kit.ts';
import { checkIncentives } from '../api/incentives-check.ts';
import { type Cast, collection, DAY, makeStudyOld, oid, read, startCast, submit, times } from '../api/kit.ts';
import { all, answerOf, command, SLOW, start, until } from './kit.ts';

const ZONE = 'America/Los_Angeles';
const REASON = 'made up by the team';
const dayAgo = (days: number) => isoDateAt(new Date(Date.now() - days * DAY), ZONE);

let cast: Cast;
let site: { id: string; name: string };

beforeAll(async () => {
  cast = await startCast();
  await makeStudyOld();
}, SLOW);
afterAll(() => cast.world.stop());

/** A site of its own for each test, so that each has its own interviews. */
beforeEach(async () => {
  const name = `Library ${Math.random()}`;
  site = { id: await cast.world.place(name), name };
});

const days = (from = 1, to = -1) => ['--location', site.name, '--from', dayAgo(from), '--to', dayAgo(to)];
const reject = (...more: string[]) => command('surveys', ['reject', ...days(), ...more]);
const interview = (fields: object = {}) => submit(cast, { location: site.id, ...fields }, cast.root);
const review = (id: string, body: object) => cast.root.post(`/api/surveys/${id}/review`, body).expect(200);
const reviewOf = async (id: string) => (await read(cast, id)).review;
const incentives = async () =>
  (await all('incentives')).map(({ _id, state, amount, recruit: who }) => ({ _id, state, amount, who }));

test(
  'rejects the interviews of a site and some days after saying what it costs, and restores exactly these',
  async () => {
    await setIncentives(cast, USD);
    const first = await interview();
    const second = await recruit(cast, first, 0, { location: site.id });
    const paid = await interview();
    const [due] = (await all('incentives')).filter(({ survey }) => String(survey) === paid.id);
    await pay(cast.root, String(due?._id)).expect(200);
    const byPerson = await interview();
    await review(byPerson.id, { state: 'REJECTED', comment: 'Interviewed twice.' });
    await review(second.id, { state: 'APPROVED' });
    const elsewhere = await submit(cast, {}, cast.root);
    const early = await interview({ startedAt: new Date(Date.now() - 5 * DAY) });
    const unfinished = await interview({ status: 'IN_PROGRESS' });
    const ids = [first, second, paid, byPerson, elsewhere, early, unfinished].map(({ id }) => id);
    const reviews = async () => await Promise.all(ids.map(reviewOf));
    const before = { reviews: await reviews(), incentives: await incentives() };

    const preview = await reject('--reason', REASON);
    expect(preview).toMatchObject({ code: 0, err: '' });
    expect(preview.out.split('\n')).toEqual([
      `Interviews at ${site.name} from ${dayAgo(1)} to ${dayAgo(-1)}:`,
      '  3 to be rejected',
      '  1 rejected already, left as it is',
      '  1 unfinished, left as it is',
      '  50.00 USD (3) owed, to be withdrawn',
      '  20.00 USD (1) paid already, which stays paid',
      'Nothing was changed. Add --yes to reject them.',
    ]);
    expect({ reviews: await reviews(), incentives: await incentives() }).toEqual(before);
    const dry = await reject('--reason', REASON, '--yes', '--dry-run');
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was changed') });
    expect({ reviews: await reviews(), incentives: await incentives() }).toEqual(before);

    const result = await reject('--reason', REASON, '--yes');
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining('Rejected 3 interviews.') });
    expect(result.err).toContain('50.00 USD (3) owed');
    const rejected = { state: 'REJECTED', by: null, at: expect.any(String) };
    expect(await reviews()).toEqual([rejected, rejected, rejected, ...before.reviews.slice(3)]);
    expect(await statesOf(cast, first.id)).toEqual(['INTERVIEW WITHDRAWN', 'RECRUIT WITHDRAWN']);
    expect(await statesOf(cast, paid.id)).toEqual(['INTERVIEW PAID']);
    const { body: history } = await cast.root.get(`/api/surveys/${second.id}/history`).expect(200);
    expect(history.at(-1)).toMatchObject({
      by: null,
      reason: REASON,
      changes: [{ path: 'review', before: 'APPROVED', after: 'REJECTED' }],
    });
    const { body: comments } = await cast.root.get(`/api/surveys/${second.id}/comments`).expect(200);
    expect(comments.data).toMatchObject([{ by: null, text: REASON, state: 'REJECTED' }]);
    await checkIncentives();

    const events = (await all('auditevents')).length;
    const again = await answerOf('surveys', ['reject', ...days(), '--reason', REASON, '--yes']);
    expect(again).toMatchObject({ interviews: 0, rejected: 4, done: 0 });
    expect(await all('auditevents')).toHaveLength(events);

    const wouldUndo = await reject('--undo');
    expect(wouldUndo.out.split('\n').slice(1)).toEqual([
      '  3 rejected by this command, to be restored',
      '  1 rejected by a person, left as it is',
      '  1 unfinished, left as it is',
      '  50.00 USD (3) withdrawn, to be owed again',
      'Nothing was changed. Add --yes to take the rejections back.',
    ]);
    const undone = await reject('--undo', '--yes');
    expect(undone).toMatchObject({ code: 0, out: 'Took back the rejection of 3 interviews.' });
    expect({ reviews: await reviews(), incentives: await incentives() }).toEqual(before);
    await checkIncentives();
  },
  SLOW,
);

test(
  'a later decision by a person is kept, and can be undone back to the command’s',
  async () => {
    const [one, two] = [await interview(), await interview()];
    await review(one.id, { state: 'HAS_ISSUES', comment: 'No network size.' });
    const issues = await reviewOf(one.id);
    await reject('--reason', REASON, '--yes');
    for (const { id } of [one, two]) await review(id, { state: 'APPROVED' });
    await cast.root.post(`/api/surveys/${one.id}/review/undo`).expect(200);
    expect(await reviewOf(one.id)).toMatchObject({ state: 'REJECTED', by: null });
    const { done } = await answerOf('surveys', ['reject', ...days(), '--undo', '--yes']);
    expect(done).toBe(1);
    expect(await reviewOf(one.id)).toEqual(issues);
    expect(await reviewOf(two.id)).toMatchObject({ state: 'APPROVED', by: cast.root.id });
  },
  SLOW,
);

test(
  'restored recruits get back the places that they had within the limit',
  async () => {
    await setIncentives(cast, { ...USD, recruitLimit: 1 });
    const recruiter = await submit(cast, {}, cast.root);
    const early = await recruit(cast, recruiter, 0, { location: site.id });
    await recruit(cast, recruiter, 1, { location: site.id });
    await review(early.id, { state: 'REJECTED', comment: 'Twice.' });
    await review(early.id, { state: 'APPROVED' });
    const before = await incentives();
    const preview = await answerOf('surveys', ['reject', ...days(), '--reason', REASON]);
    expect(preview.withdrawn).toEqual({ count: 3, amount: '50.00' });
    await reject('--reason', REASON, '--yes');
    const undo = await answerOf('surveys', ['reject', ...days(), '--undo']);
    expect(undo.due).toEqual({ count: 3, amount: '50.00' });
    await reject('--undo', '--yes');
    const amounts = (some: typeof before) => some.filter(({ state }) => state === 'DUE').length;
    expect(amounts(await incentives())).toBe(amounts(before));
    await checkIncentives();
  },
  SLOW,
);

test(
  'killed in between and run again, each interview is rejected once',
  async () => {
    await setIncentives(cast, USD);
    const interviews = [];
    for (const _ of times(40, () => null)) interviews.push(await interview());
    const ids = interviews.map(({ id }) => oid(id));
    const rejected = { _id: { $in: ids }, 'review.state': 'REJECTED' };
    const args = ['reject', ...days(), '--reason', REASON, '--yes'];
    const { child, ended } = start('surveys', args);
    await until(async () => (await collection('surveys').countDocuments(rejected)) > 0, 'one was rejected');
    child.kill('SIGKILL');
    await ended;
    expect(await command('surveys', args)).toMatchObject({ code: 0 });
    expect(await collection('surveys').countDocuments(rejected)).toBe(40);
    expect(await collection('surveycomments').countDocuments({ survey: { $in: ids } })).toBe(40);
    expect(await collection('auditevents').countDocuments({ record: { $in: ids }, action: 'update' })).toBe(
      40,
    );
    await checkIncentives();
  },
  SLOW,
);

test(
  'a closed site is found too; an unknown one is answered with the list of sites',
  async () => {
    await interview();
    await collection('locations').updateOne({ _id: oid(site.id) }, { $set: { deletedAt: new Date() } });
    expect(await answerOf('surveys', ['reject', ...days(), '--reason', REASON])).toMatchObject({
      interviews: 1,
      done: 0,
    });
    await cast.world.place('Bakery hall');
    const unknown = ['reject', '--location', 'Nowhere', '--from', dayAgo(1), '--to', dayAgo(0), '--undo'];
    const { code, err } = await command('surveys', unknown);
    expect(code).toBe(2);
    expect(err).toMatch(/^No site has the id or name "Nowhere"\. Choose one:\n(.*\n)* {2}Bakery hall/);
  },
  SLOW,
);

test(
  'all arguments are checked together',
  async () => {
    const wrong = ['reject', '--from', '2026-02-30', '--to', 'soon'];
    const { code, err } = await command('surveys', wrong);
    expect({ code, lines: err.split('\n') }).toEqual({
      code: 2,
      lines: [
        expect.stringContaining("'--location <site>' not specified"),
        expect.stringContaining("--from '2026-02-30'"),
        expect.stringContaining("--to 'soon'"),
        expect.stringContaining("'--reason <text>' not specified"),
        '(see --help)',
      ],
    });
    const backwards = ['reject', '--location', 'x', '--from', '2026-11-02', '--to', '2026-11-01', '--undo'];
    expect(await command('surveys', backwards)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--to must not be before --from.'),
    });
  },
  SLOW,
);
