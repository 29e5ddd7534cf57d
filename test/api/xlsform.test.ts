/** XLSForm over HTTP: importing, saving as a draft, exporting; and hostile files, which have no effect. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the format names an answer by ${name}
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Body } from '../make.ts';
import { type Lines, XLSX, xlsx } from '../xlsform-file.ts';
import { castOfFile } from './kit.ts';

const cast = castOfFile();

const URL = '/api/questionnaires/xlsform';
const send = (file: Uint8Array, type = XLSX) => cast.admin.post(URL).type(type).send(Buffer.from(file));
/** Retries after a 503, which a busy machine gives: reading goes on meanwhile. */
const read = async (sheets: Lines | Uint8Array): Promise<Body> => {
  const file = sheets instanceof Uint8Array ? sheets : await xlsx(sheets);
  let answer = await send(file);
  for (let tries = 0; answer.status === 503 && tries < 4; tries++) answer = await send(file);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body;
};
const summarize = (list: Body[]) => list.map(({ sheet, row, code }) => [sheet, row, code]);

const FORM: Lines = {
  survey: [
    'type | name | label::English (en) | label::Español (es) | relevant | constraint | constraint_message::English (en) | required',
    'begin_group | people | People | Gente',
    'integer | network_size | How many? | ¿Cuántas? | | . >= 0 and . <= 500 | 0 to 500 | yes',
    'select_one yn | seen | Seen? | ¿Vista? | ${network_size} > 0',
    'geopoint | place | Where?',
    'end_group',
    'deviceid | device',
  ],
  choices: [
    'list_name | name | label::English (en) | label::Español (es)',
    'yn | yes | Yes | Sí',
    'yn | no | No | No',
  ],
  settings: ['form_title | version', 'Winter count | 7'],
};

test('a form is read as a questionnaire, with notes by sheet and row on what is left out, and can be stored', async () => {
  const { name, definition, networkSizeQuestion, takesPartIf, notes, faults } = await read(FORM);
  expect(faults).toEqual([]);
  expect(summarize(notes)).toEqual([
    ['survey', 5, 'TYPE_LEFT_OUT'],
    ['survey', 7, 'METADATA'],
    ['settings', 2, 'SETTING_OWN'],
  ]);
  expect(definition.pages).toMatchObject([
    {
      name: 'people',
      title: { en: 'People', es: 'Gente' },
      elements: [
        { name: 'network_size', type: 'text', inputType: 'number', min: 0, max: 500, isRequired: true },
        { name: 'seen', type: 'radiogroup', visibleIf: '{network_size} > 0' },
      ],
    },
  ]);
  const body = { name, definition, networkSizeQuestion, takesPartIf };
  const stored = (await cast.admin.post('/api/questionnaires', body).expect(201)).body;
  expect(stored).toMatchObject({ name: 'Winter count', active: false, networkSizeQuestion: 'network_size' });

  const answer = await cast.volunteer
    .get(`/api/questionnaires/${stored.id}/xlsform`)
    .buffer(true)
    .parse((res, callback) => {
      const pieces: Buffer[] = [];
      res.on('data', (piece: Buffer) => pieces.push(piece));
      res.on('end', () => callback(null, Buffer.concat(pieces)));
    });
  expect(answer.headers).toMatchObject({
    'content-type': XLSX,
    'content-disposition': 'attachment; filename="Winter-count-1.xlsx"',
  });
  expect(await read(answer.body)).toMatchObject({ name, definition, networkSizeQuestion, faults: [] });
});

test('an invalid form has errors by sheet and row, including those of the service', async () => {
  const wrong = await read({
    survey: [
      'type | name | label',
      'txt | a | A',
      'select_one | b | B',
      'text | c | C',
      'integer | C | again',
      'select_one nowhere | d | D',
      'begin_group | g | G',
      'end_repeat',
      'begin_group | h | H',
      'text | | nameless',
    ],
  });
  expect(wrong.definition).toBeNull();
  expect(summarize(wrong.faults).sort()).toEqual(
    [
      ['survey', 2, 'TYPE_UNKNOWN'],
      ['survey', 3, 'LIST_UNNAMED'],
      ['survey', 5, 'NAME_TAKEN'],
      ['survey', 6, 'LIST_MISSING'],
      ['survey', 8, 'GROUP_END'],
      ['survey', 9, 'GROUP_OPEN'],
      ['survey', 10, 'NAME_MISSING'],
    ].sort(),
  );
  const listed = await read({
    survey: [
      'type | name | label',
      'select_one | b | B',
      'select_one nowhere | d | D',
      'text | a.b | dotted',
    ],
    choices: ['list_name | name | label', 'yn | | nameless'],
  });
  expect(summarize(listed.faults)).toEqual([
    ['survey', 2, 'LIST_UNNAMED'],
    ['survey', 3, 'LIST_MISSING'],
    ['choices', 2, 'CHOICE_UNNAMED'],
  ]);
  const refused = await read({
    survey: [
      'type | name | label',
      'text | a.b | dotted',
      'text | __proto__ | proto',
      'text | x | <script>alert(1)</script>',
    ],
  });
  expect(summarize(refused.faults)).toEqual([
    ['survey', 2, 'NAME_MARKS'],
    ['survey', 3, 'NAME_FORBIDDEN'],
  ]);
  expect(summarize((await read({ settings: ['form_title', 'x'] })).faults)).toEqual([['', 0, 'NO_SHEET']]);
  expect(summarize((await read({ survey: ['a | b', 'x | y'] })).faults)).toEqual([
    ['survey', 1, 'NO_COLUMN'],
  ]);
});

test('notes list lost rules first, then lost questions, then harmless differences', async () => {
  const { notes } = await read({
    survey: [
      'type | name | label | relevant',
      'start | start',
      'geopoint | place | Where?',
      'integer | a | A | once(1) > 2',
    ],
  });
  expect(summarize(notes)).toEqual([
    ['survey', 4, 'RULE_FUNCTION'],
    ['survey', 3, 'TYPE_LEFT_OUT'],
    ['survey', 2, 'METADATA'],
    ['survey', 4, 'NOT_IN_GROUPS'],
  ]);
});

test('an old .xls file and one with a password have their own errors', async () => {
  const container = (name: string) =>
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(1_000),
      Buffer.from(name, 'utf16le'),
      Buffer.alloc(500),
    ]);
  expect(summarize((await read(container('Workbook'))).faults)).toEqual([['', 0, 'XLS_OLD']]);
  expect(summarize((await read(container('EncryptedPackage'))).faults)).toEqual([['', 0, 'HAS_PASSWORD']]);
});

test('the body must be an .xlsx file, from a caller who may create questionnaires', async () => {
  await cast.volunteer.post(URL).type(XLSX).send(Buffer.from('PK')).expect(403);
  await cast.admin.post(URL, { file: 'PK' }).expect(415);
  // Without a content type.
  await cast.admin.post(URL).send(Buffer.from('PK')).expect(415);
  await cast.admin.post(URL).expect(400);
  await send(new Uint8Array(2 * 1024 * 1024 + 1)).expect(413);
  for (const file of [strToU8('hello'), strToU8('PK'), zipSync({ 'a.txt': strToU8('b') })])
    expect(summarize((await read(file)).faults)).toEqual([['', 0, 'NOT_XLSX']]);
});

/** A valid file with one of its parts changed. */
const tampered = async (change: (parts: Record<string, Uint8Array>) => void) => {
  const parts = unzipSync(await xlsx(FORM));
  change(parts);
  return zipSync(parts);
};
const edited = (sheet: Uint8Array | undefined, rows: string) =>
  strToU8(strFromU8(sheet ?? new Uint8Array()).replace('</sheetData>', `${rows}</sheetData>`));
const SHEET = 'xl/worksheets/sheet1.xml';
const STRINGS = 'xl/sharedStrings.xml';

describe('a malicious file is rejected while other requests are served:', () => {
  const alive = async (file: Uint8Array): Promise<Body> => {
    const [answer] = await Promise.all([
      read(file),
      cast.volunteer.get('/api/questionnaires/active').expect(200),
    ]);
    expect([answer.definition, answer.faults.length]).toEqual([null, 1]);
    return answer.faults[0];
  };

  test('a zip bomb', async () => {
    const bomb = await tampered((parts) => {
      parts['xl/media/image1.png'] = new Uint8Array(200 * 1024 * 1024);
    });
    expect((await alive(bomb)).code).toBe('FILE_TOO_LARGE');
    // The zip directory may understate the unpacked size.
    const long = await tampered((parts) => {
      parts[SHEET] = edited(parts[SHEET], ' '.repeat(30 * 1024 * 1024));
    });
    const lies = Buffer.from(long);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(unzipSync(long)[SHEET]?.length ?? 0);
    for (let at = lies.indexOf(size); at >= 0; at = lies.indexOf(size, at)) lies.writeUInt32LE(1_000, at);
    expect((await alive(lies)).code).toBe('NOT_XLSX');
  });

  test('one cell at the end of the largest possible sheet', async () => {
    const far = await tampered((parts) => {
      const cell = '<row r="1048576"><c r="XFD1048576" t="n"><v>1</v></c></row>';
      parts[SHEET] = edited(parts[SHEET], cell);
    });
    expect((await alive(far)).code).toBe('FILE_TOO_SLOW');
  });

  test('expanding entities, and entities that read local files', async () => {
    const laughs = await tampered((parts) => {
      const text = strFromU8(parts[STRINGS] ?? new Uint8Array());
      const dtd = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;
      parts[STRINGS] = strToU8(text.replace(/(\?>)/, `$1${dtd}`).replace('Winter count', '&c;&f;'));
    });
    const answer = await read(laughs);
    expect(JSON.stringify(answer)).not.toMatch(/haha|root:/);
  });

  test('too many nested groups, languages and rules', async () => {
    const head = 'type | name | label | relevant';
    const deep = await read({
      survey: [head, ...Array.from({ length: 300 }, (_, at) => `begin_group | g${at} | G`), 'text | a | A'],
    });
    expect(summarize(deep.faults).map(([, , code]) => code)).toContain('GROUPS_DEEP');
    const tongues = Array.from({ length: 280 }, (_, at) => `label::Tongue ${at}`).join(' | ');
    const spoken = await read({ survey: [`type | name | ${tongues}`, 'text | a | A'] });
    expect([spoken.faults, spoken.notes.length]).toEqual([[], 281]);
    const rules = [
      `${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
      `1${' + 1'.repeat(3_000)} = 1`,
      `${'not('.repeat(500)}true()${')'.repeat(500)}`,
    ];
    const ruled = await read({
      survey: [head, 'integer | a | A', ...rules.map((rule, at) => `text | b${at} | B | ${rule}`)],
    });
    expect(summarize(ruled.notes)).toEqual([
      ['survey', 3, 'RULE_LONG'],
      ['survey', 4, 'RULE_LONG'],
      ['survey', 5, 'RULE_LONG'],
      ['survey', 2, 'NOT_IN_GROUPS'],
    ]);
  });
});

test('notes in the exported file are in the caller’s language, or in English', async () => {
  const elements = [
    { type: 'text', inputType: 'number', name: 'size' },
    { type: 'multipletext', name: 'photo', items: [{ name: 'a' }] },
  ];
  const body = { name: 'With a photo', definition: { elements }, networkSizeQuestion: 'size' };
  const { id } = (await cast.admin.post('/api/questionnaires', body).expect(201)).body;
  const leftOut = async (query: string) => {
    const url = `/api/questionnaires/${id}/xlsform${query}`;
    const answer = await cast.admin.get(url).buffer(true).responseType('blob').expect(200);
    return strFromU8(unzipSync(new Uint8Array(answer.body))[STRINGS] ?? new Uint8Array());
  };
  expect(await leftOut('')).toContain('photo isn’t in the file: the type multipletext isn’t supported.');
  expect(await leftOut('?language=de')).toContain('photo isn’t in the file');
  const spanish = await leftOut('?language=es-MX');
  expect(spanish).toContain('photo');
  expect(spanish).toContain('Hoja');
  expect(spanish).not.toMatch(/is left out|isn’t in the file/);
  await cast.admin.get(`/api/questionnaires/${id}/xlsform?language=%00`).expect(400);
});

test('a text that looks like a formula is exported as text', async () => {
  const title = '=HYPERLINK("http://example.org")';
  const definition = { elements: [{ type: 'text', inputType: 'number', name: 'size', title }] };
  const body = { name: 'Formulas', definition, networkSizeQuestion: 'size' };
  const { id } = (await cast.admin.post('/api/questionnaires', body).expect(201)).body;
  const answer = await cast.admin.get(`/api/questionnaires/${id}/xlsform`).buffer(true).responseType('blob');
  const parts = unzipSync(new Uint8Array(answer.body));
  expect(strFromU8(parts[STRINGS] ?? new Uint8Array())).toContain('=HYPERLINK(');
  expect(strFromU8(parts[SHEET] ?? new Uint8Array())).not.toMatch(/<f[ >]/);
});
