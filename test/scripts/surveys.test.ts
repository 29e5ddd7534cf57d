/** Importing interviews of someone who left by command, from their phone's rescue file. */
import { writeFile } from 'node:fs/promises';
import { type Cast, draft, NOBODY, read, reserve, seedCode, startCast, uuid } from '../api/kit.ts';
import type { Person } from '../people.ts';
import { all, command, openFolder, SLOW } from './kit.ts';

let cast: Cast;
let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  [cast, folder] = [await startCast(), await openFolder()];
}, SLOW);
afterAll(async () => {
  await cast.world.stop();
  await folder.remove();
});

/** Within the hours by which a phone's clock may be behind its coupon. */
const HELD_AT = new Date(Date.now() - 3_600_000).toISOString();

const interview = (fields: Record<string, unknown> = {}) => ({
  ...draft(cast, { status: 'COMPLETED', startedAt: HELD_AT, ...fields }),
  clientId: uuid(),
  onCodeProblem: 'FLAG',
});

/** The format of client/src/offline/rescue.ts. */
async function save(name: string, owner: string, bodies: object[], beside: object = {}): Promise<string> {
  const rescue = {
    format: 'field-survey-rescue-1',
    owner,
    name: 'Vera Person',
    savedAt: '2026-11-02T10:00:00.000Z',
    finished: bodies.map((body, seq) => ({ seq, owner, state: 'waiting', body })),
    drafts: [{ id: uuid(), owner, responses: {} }],
    ...beside,
  };
  await writeFile(folder.path(name), JSON.stringify(rescue, null, 1));
  return folder.path(name);
}

const deleteUser = (who: Person) => cast.root.delete(`/api/users/${who.id}`).expect(204);
const everything = async () => [await all('surveys'), await all('referralcodes'), await all('auditevents')];

test(
  'a deleted volunteer’s rescue file is imported as theirs with coupons; a second import changes nothing',
  async () => {
    const vera = await cast.world.person({ location: cast.site, firstName: 'Vera', lastName: 'Gone' });
    const [handed] = await reserve(vera, 1);
    await deleteUser(vera);
    const first = interview({ referralCode: await seedCode(cast), issuedCodes: [handed] });
    const second = interview({ referralCode: handed });
    const path = await save('vera.json', vera.id, [first, second]);
    const before = await everything();
    const dry = await command('surveys', ['import', path, '--dry-run']);
    expect(dry).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 stored, 0 there already, 0 refused (not done'),
    });
    expect(await everything()).toEqual(before);
    // No one else has used this phone.
    const result = await command('surveys', ['import', path, '--owner', vera.phone, '--json']);
    expect(result).toMatchObject({ code: 0, err: '' });
    const { owner, drafts, reports } = JSON.parse(result.out);
    expect({ owner, drafts }).toEqual({ owner: vera.id, drafts: 1 });
    const [one, two] = [await read(cast, reports[0].survey), await read(cast, reports[1].survey)];
    const imported = [expect.objectContaining({ code: 'IMPORTED', by: null })];
    expect(one).toMatchObject({ clientId: first.clientId, createdBy: vera.id, flags: imported });
    expect(one.issuedCodes).toContain(handed);
    expect(two).toMatchObject({ createdBy: vera.id, recruiter: one.id, wave: 1, flags: imported });
    const events = (await all('auditevents')).filter(
      ({ record, action }) => String(record) === one.id && action !== 'read',
    );
    expect(events).toMatchObject([{ action: 'create', subject: 'Survey', by: null }]);

    const stored = await everything();
    const again = await command('surveys', ['import', path]);
    expect({ code: again.code, out: again.out.split('\n') }).toEqual({
      code: 0,
      out: [
        `Interviews of Vera Gone (${vera.id}, deleted):`,
        `${first.clientId}, interview date ${HELD_AT}: there already`,
        `${second.clientId}, interview date ${HELD_AT}: there already`,
        '0 stored, 2 there already, 0 refused',
        "Not imported: 1 unfinished. They can only be continued in the interviewer's app.",
      ],
    });
    expect(await everything()).toEqual(stored);
  },
  SLOW,
);

test(
  'a rejected interview is reported with exit code 1; others are stored, and coupons to add listed',
  async () => {
    const { volunteer } = cast;
    const [wrong, good] = [interview({ responses: { comment: 'no number' } }), interview()];
    const path = await save('mixed.json', volunteer.id, [wrong, good]);
    const late = { finished: [{ body: wrong }, { body: good, late: ['ABCDEFGH'] }, { body: null }] };
    await save('mixed.json', volunteer.id, [], late);
    const { code, out, err } = await command('surveys', ['import', path]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(
      new RegExp(`${wrong.clientId}, interview date .*: refused \\(.*responses.networkSize`),
    );
    expect(err).toMatch(
      new RegExp(`${good.clientId}, interview date .*: stored; coupons handed out later, .*: ABCDEFGH`),
    );
    expect(err).toContain('1 stored, 0 there already, 1 refused');
    expect(err).toContain("Not imported: 1 that can't be read.");
  },
  SLOW,
);

test(
  'an owner’s phone used by two people is ambiguous: both are listed, and an id is needed',
  async () => {
    const phone = cast.world.newPhone();
    const old = await cast.world.person({ phone, firstName: 'Olga' });
    await deleteUser(old);
    const young = await cast.world.person({ phone, firstName: 'Yuri' });
    const path = await save('phones.json', old.id, [interview()]);
    const before = await everything();
    const { code, err } = await command('surveys', ['import', path, '--owner', phone]);
    expect({ code, lines: err.split('\n').length }).toEqual({ code: 1, lines: 1 });
    for (const part of [`2 people have or had the phone ${phone}`, `${old.id} Olga`, `${young.id} Yuri`])
      expect(err).toContain(part);
    expect(await everything()).toEqual(before);
    const asOther = await command('surveys', ['import', path, '--owner', young.id]);
    expect(asOther).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The file was saved by Vera.*leave --owner out/),
    });
    expect(await everything()).toEqual(before);
  },
  SLOW,
);

test(
  'an invalid file or owner is one line',
  async () => {
    const path = await save('nobody.json', NOBODY, [interview()]);
    const faults: [string[], number, RegExp][] = [
      [[path], 1, /No user, current or deleted, has the id/],
      [[path, '--owner', '+12065550111'], 1, /No user, current or deleted, has the phone/],
      [[await save('unnamed.json', '', [interview()])], 2, /--owner/],
      [[await save('other.json', NOBODY, [], { format: 'another' })], 1, /not a rescue file/],
      [[await save('half.json', NOBODY, [], { finished: null })], 1, /not a rescue file/],
      [[folder.path('absent.json')], 1, /doesn't exist/],
    ];
    for (const [args, code, message] of faults) {
      const ended = await command('surveys', ['import', ...args]);
      expect({ code: ended.code, out: ended.out }).toEqual({ code, out: '' });
      expect(ended.err).toMatch(message);
      expect(ended.err.split('\n')).toHaveLength(1);
    }
  },
  SLOW,
);

test(
  'erases an interview and mentions earlier backups; a dry run changes nothing',
  async () => {
    const { body } = await cast.volunteer.post('/api/surveys', draft(cast)).expect(201);
    const request = ['erase', body.id, '--reason', 'asked for'];
    const dry = await command('surveys', [...request, '--dry-run']);
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('Would erase') });
    expect((await read(cast, body.id)).responses).toEqual(body.responses);
    const result = await command('surveys', request);
    expect(result).toMatchObject({ code: 0, out: expect.stringMatching(/Erased .*\nEarlier backups/) });
    expect(await read(cast, body.id)).toMatchObject({ responses: {}, erasedAt: expect.any(String) });
    // Again, and without a reason of its own.
    expect(await command('surveys', ['erase', body.id])).toMatchObject({ code: 0 });
    expect(await command('surveys', ['erase', NOBODY, '--reason', 'x'])).toMatchObject({ code: 1 });
  },
  SLOW,
);
