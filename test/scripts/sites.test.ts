/** Sites, questionnaires and the study by command. */
import { readFile, writeFile } from 'node:fs/promises';
import { SMALL_QUESTIONNAIRE } from '../make.ts';
import { startWorld, type World } from '../people.ts';
import { xlsx } from '../xlsform-file.ts';
import { all, answerOf, command, openFolder, SLOW } from './kit.ts';

let world: World;
let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  [world, folder] = [await startWorld(), await openFolder()];
}, SLOW);
afterAll(async () => {
  await world.stop();
  await folder.remove();
});

const file = async (name: string, text: string) => {
  await writeFile(folder.path(name), text);
  return folder.path(name);
};

test(
  'a site can be created, changed, found by name in any case, and deleted',
  async () => {
    const createResult = await command('locations', ['create', 'Downtown shelter', '--type', 'SHELTER']);
    expect(createResult.out).toMatch(/^[0-9a-f]{24}$/);
    expect(await command('locations', ['create', 'DOWNTOWN shelter'])).toMatchObject({ code: 1 });
    const change = ['update', 'downtown SHELTER', '--address', '517 3rd Ave', '--coordinates', '47.6,-122.3'];
    const changed = { address: '517 3rd Ave', coordinates: { latitude: 47.6, longitude: -122.3 } };
    expect(await answerOf('locations', change)).toMatchObject({ id: createResult.out, ...changed });
    expect(await command('locations', ['update', createResult.out])).toMatchObject({ code: 2 });
    for (const wrong of ['47.6,', ',', '47.6', '47.6,-122.3,9'])
      expect(await command('locations', ['update', createResult.out, '--coordinates', wrong])).toMatchObject({
        code: 2,
      });
    expect(await command('locations', ['delete', createResult.out])).toMatchObject({
      code: 0,
      out: 'Deleted Downtown shelter.',
    });
    expect(await answerOf('locations', ['list'])).toEqual([]);
    expect((await command('locations', ['list'])).out).toBe('There are no sites yet.');
  },
  SLOW,
);

const CSV = `name;type;address;latitude;longitude
Casa Ñandú;shelter;"12 Main St; daily 9-17";47,61;-122,33
=cmd();meal site;;;
`;

test(
  'an import reports each line, and a second one changes nothing',
  async () => {
    const path = await file('sites.csv', CSV);
    const dry = await command('locations', ['import', path, '--dry-run']);
    expect(dry.out.split('\n')).toEqual([
      'line 2: Casa Ñandú: created',
      'line 3: =cmd(): created',
      '2 created, 0 updated, 0 unchanged (not done: --dry-run)',
    ]);
    expect(await answerOf('locations', ['list'])).toEqual([]);
    expect((await command('locations', ['import', path])).out).toMatch(/2 created, 0 updated, 0 unchanged$/);
    const events = (await all('auditevents')).length;
    expect((await command('locations', ['import', path])).out).toMatch(/0 created, 0 updated, 2 unchanged$/);
    expect(await all('auditevents')).toHaveLength(events);
  },
  SLOW,
);

test.each(['csv', 'yaml'])(
  'sites exported as %s import unchanged',
  async (kind) => {
    const path = folder.path(`out.${kind}`);
    await answerOf('locations', ['export', path]);
    const text = await readFile(path, 'utf8');
    expect(text).toContain('Casa Ñandú');
    expect((await command('locations', ['import', path])).out).toMatch(/0 created, 0 updated, 2 unchanged$/);
    await writeFile(path, text.replace(/\w+ Main St/, `${kind} Main St`));
    expect((await command('locations', ['import', path])).out).toMatch(/: updated \(address\)/);
  },
  SLOW,
);

test(
  'one invalid line stops the import; each error has its line',
  async () => {
    const before = await all('locations');
    const path = await file(
      'bad.csv',
      'name,type\nNew place,SHELTER\nOther,PALACE\n,CLINIC\nnew PLACE,CLINIC\n',
    );
    const { code, err } = await command('locations', ['import', path]);
    expect(code).toBe(1);
    const [type, name, twice, sum] = err.split('\n');
    expect(type).toMatch(/^line 3: Other: wrong \(type: This must be one of SHELTER, /);
    expect(name).toMatch(/^line 4: \(no name\): wrong \(name: /);
    expect(twice).toBe('line 5: new PLACE: wrong (line 2 has the same name)');
    expect(sum).toBe('3 wrong. Nothing was changed.');
    expect(await all('locations')).toEqual(before);
    const column = await file('column.csv', 'name,adress\nX,Y\n');
    expect((await command('locations', ['import', column])).err).toMatch(/unknown column "adress"/);
    const columns = await file('twice.csv', 'name,type,Name\nX,OTHER,Y\n');
    expect((await command('locations', ['import', columns])).err).toMatch(/two columns "name"/);
    const old = folder.path('old.csv');
    await writeFile(old, Buffer.from('name,type\nCaf\xe9,OTHER\n', 'latin1'));
    expect((await command('locations', ['import', old])).err).toMatch(/line 2 is not UTF-8/);
    expect(await command('locations', ['import', folder.path('none.yaml')])).toMatchObject({ code: 1 });
    expect(await command('locations', ['import', folder.path('none.txt')])).toMatchObject({ code: 2 });
  },
  SLOW,
);

test(
  'a questionnaire can be validated, imported once, activated and exported',
  async () => {
    // Windows programs begin a file with a byte order mark.
    const path = await file('small.json', `\ufeff${JSON.stringify(SMALL_QUESTIONNAIRE)}`);
    expect(await command('questionnaires', ['validate', path])).toMatchObject({ code: 0 });
    const stored = await answerOf('questionnaires', ['import', path, '--activate']);
    expect(stored).toMatchObject({ isNew: true, questionnaire: { version: 1, active: true } });
    expect(await answerOf('questionnaires', ['import', path])).toMatchObject({ isNew: false });
    const copy = folder.path('copy.json');
    await answerOf('questionnaires', ['export', 'active', copy]);
    expect(JSON.parse(await readFile(copy, 'utf8'))).toEqual({
      ...SMALL_QUESTIONNAIRE,
      takesPartIf: null,
      identityQuestions: null,
    });
    await writeFile(copy, JSON.stringify({ ...SMALL_QUESTIONNAIRE.definition, title: 'Another title' }));
    const args = ['import', copy, '--name', SMALL_QUESTIONNAIRE.name];
    expect(await answerOf('questionnaires', args)).toMatchObject({
      isNew: true,
      questionnaire: { version: 2 },
    });
    const name = `${SMALL_QUESTIONNAIRE.name}@2`;
    expect((await command('questionnaires', ['activate', name])).out).toBe(`${name}: active`);
    expect(await answerOf('questionnaires', ['list'])).toHaveLength(3);
  },
  SLOW,
);

test(
  'a questionnaire can be exported as XLSForm and imported, with notes by sheet and row',
  async () => {
    const definition = { ...SMALL_QUESTIONNAIRE.definition, description: 'About a form' };
    const formFile = await file(
      'form.json',
      JSON.stringify({ ...SMALL_QUESTIONNAIRE, name: 'Form', definition }),
    );
    await answerOf('questionnaires', ['import', formFile]);
    const form = folder.path('form.xlsx');
    const { out } = await command('questionnaires', ['export', 'Form', form, '--format', 'xlsform']);
    expect(out).toContain(
      'settings 2: description of the questionnaire isn’t supported and isn’t in the file.',
    );
    const back = await answerOf('questionnaires', ['import', form, '--name', 'Back']);
    const { networkSizeQuestion } = SMALL_QUESTIONNAIRE;
    expect(back).toMatchObject({
      isNew: true,
      questionnaire: { name: 'Back', active: false, networkSizeQuestion },
    });
    const wrong = await xlsx({ survey: ['type | name | label', 'txt | a | A'] });
    await writeFile(form, wrong);
    expect((await command('questionnaires', ['validate', form])).err).toMatch(
      /^survey 2: The type txt doesn’t exist/,
    );
  },
  SLOW,
);

test(
  'an invalid questionnaire is rejected with each error',
  async () => {
    const path = await file(
      'bad.json',
      JSON.stringify({ pages: [{ elements: [{ type: 'text', name: 'a.b' }] }] }),
    );
    const { code, err } = await command('questionnaires', ['validate', path]);
    expect(code).toBe(1);
    expect(err).toMatch(/definition\.pages\.0\.elements\.0\.name: A name can’t contain a dot/);
    const unnamed = await file('unnamed.json', JSON.stringify({ ...SMALL_QUESTIONNAIRE, name: '' }));
    expect(await command('questionnaires', ['validate', unnamed])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^name: /),
    });
    const text = await file('text.json', 'no JSON');
    expect((await command('questionnaires', ['import', text, '--name', 'X'])).err).toMatch(
      /^The file is not JSON/,
    );
  },
  SLOW,
);

test(
  'changes the study from options and files; the output of show can be loaded again',
  async () => {
    const set = ['set', '--name', 'Winter count', '--coupon-valid-days', '21', '--coupon-text', 'ar=تعال'];
    const study = await answerOf('study', set);
    expect(study).toMatchObject({ name: 'Winter count', couponValidDays: 21, couponText: { ar: 'تعال' } });
    expect(study.couponText.en).toBeTruthy();
    const { out } = await command('study', ['show']);
    const path = await file('study.yaml', out.replace('Winter count', 'Summer count'));
    const dry = ['set', '--from', path, '--coupon-valid-days', 'none', '--dry-run'];
    expect(await answerOf('study', dry)).toMatchObject({ name: 'Summer count', couponValidDays: null });
    const texts = await file('texts.yaml', 'couponText: { en: New }\n');
    const both = ['set', '--from', texts, '--coupon-text', 'es=Nuevo', '--dry-run'];
    expect((await answerOf('study', both)).couponText).toEqual({ en: 'New', es: 'Nuevo' });
    expect(await answerOf('study', ['show'])).toEqual(study);
    expect(await command('study', ['set'])).toMatchObject({
      code: 2,
      err: 'Change at least one field.',
    });
    expect(await command('study', ['set', '--due-from', '2026-02-31'])).toMatchObject({ code: 2 });
    const wrong = await file('wrong.yaml', 'nmae: X\n');
    expect(await command('study', ['set', '--from', wrong])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^nmae: This field is unknown\./),
    });
  },
  SLOW,
);
