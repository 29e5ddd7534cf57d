import { Writable } from 'node:stream';
import PDFDocument from 'pdfkit';
import {
  type CouponPrintCheck,
  checkCouponSheet,
  layoutCoupon,
} from '../../src/coupons/print/check-sheet.ts';
import { Fonts } from '../../src/coupons/print/layout/fonts.ts';
import { paperGridFor } from '../../src/coupons/print/paper.ts';
import { renderCoupons } from '../../src/coupons/print/render-coupons.ts';
import { formatCode } from '../../src/coupons/referral-codes/code.ts';
import { makeCodes, makeLongSheet, makeSheet, openFolder, print, removeFolder } from './printed.ts';

const wordsOf = ({ notes }: CouponPrintCheck) => notes.map(({ message }) => message);

beforeAll(openFolder);
afterAll(removeFolder);

const FORMS = (['page', 'cards', 'labels'] as const).flatMap((layout) =>
  (['A4', 'LETTER'] as const).map((paper) => ({ layout, paper })),
);
const PER_SHEET = { page: [1, 1], cards: [10, 10], labels: [24, 30] } as const;

const nothing = () =>
  new Writable({
    write(_chunk, _encoding, callback) {
      callback();
    },
  });

describe.each(FORMS)('$layout on $paper', ({ layout, paper }) => {
  const perSheet = PER_SHEET[layout][paper === 'A4' ? 0 : 1];
  // A full sheet, and the start of the next.
  const codes = makeCodes(perSheet + 2);

  test('each code is printed once, readable and scannable', async () => {
    const printed = await print(makeSheet({ layout, paper, codes }));
    expect(await printed.pages()).toBe(Math.ceil(codes.length / perSheet));
    expect(await printed.decode()).toEqual(codes.map((code) => `https://survey.example.org/c/${code}`));
    const text = await printed.text();
    for (const code of codes) expect(text.split(formatCode(code))).toHaveLength(2);
  });

  test('study, sites, contact and dates are printed in the study’s languages', async () => {
    const text = await (await print(makeSheet({ layout, paper, codes: codes.slice(0, 1) }))).said();
    const expectedTexts = [
      'Seattle',
      'Unsheltered',
      'Downtown',
      'Clínica',
      '0142',
      'Valid until',
      'Válido hasta el 31',
      '2027',
    ];
    for (const part of expectedTexts) expect(text).toContain(part);
    expect(text.includes('recibirá')).toBe(layout !== 'labels');
    expect(text).not.toContain('...');
  });

  const sheet = makeLongSheet({ layout, paper, codes: codes.slice(0, perSheet) });
  let printing: ReturnType<typeof print> | null = null;
  const printLong = () => (printing ??= print(sheet));

  test('names and texts that are too long leave the codes intact, and omissions are reported', async () => {
    const printed = await printLong();
    expect(await printed.pages()).toBe(1);
    expect(await printed.decode()).toEqual(sheet.codes.map((code) => `${sheet.publicUrl}/c/${code}`));
    expect(wordsOf(checkCouponSheet(sheet)).join()).toMatch(/These sites don’t fit/);
    const text = await printed.text();
    for (const code of sheet.codes) expect(text).toContain(formatCode(code));
  });

  test('no word crosses the edge of its coupon', async () => {
    const words = await (await printLong()).words();
    const { left, top, pitch, width, height, columns } = paperGridFor({ layout, paper });
    expect(words.length).toBeGreaterThan(perSheet * 5);
    for (const word of words) {
      const column = Math.min(columns - 1, Math.floor((word.xMin - left) / pitch));
      const row = Math.floor(((word.yMin + word.yMax) / 2 - top) / height);
      expect(word.xMin).toBeGreaterThan(left + column * pitch);
      expect(word.xMax).toBeLessThan(left + column * pitch + width);
      expect(word.yMin).toBeGreaterThan(top + row * height - 2);
      expect(word.yMax).toBeLessThan(top + (row + 1) * height + 2);
    }
  });
});

test('exactly the fonts used are embedded', async () => {
  const fonts = await (await print(makeSheet({ languages: ['en', 'ar'] }))).fonts();
  expect(fonts.filter(({ embedded }) => !embedded)).toEqual([]);
  expect(fonts.map(({ name }) => name.replace(/^.*\+/, '')).sort()).toEqual(
    ['IBMPlexMono-SemiBold', 'NotoSans-Bold', 'NotoSans-Regular', 'NotoSansArabic-Regular'].sort(),
  );
});

test('Arabic text is printed and extractable', async () => {
  const text = await (await print(makeSheet({ languages: ['ar'] }))).text();
  const letters = text.replace(/\p{Bidi_Control}/gu, '');
  // A qaf is a feh with dots of its own to the font and a sheen a seen, and they are read back as these: words with
  // them are left out here.
  for (const word of ['حول', 'السكن', 'والصحة', '20']) expect(letters).toContain(word);
});

test('texts in other scripts use fallback fonts', async () => {
  const name = 'Łódź Αθήνα Москва Việt हिन्दी שלום አማርኛ';
  const sheet = makeSheet({ study: { ...makeSheet().study, name } });
  expect(checkCouponSheet(sheet)).toEqual({ refused: null, notes: [] });
  const text = await (await print(sheet)).text();
  for (const word of ['Łódź', 'Αθήνα', 'Москва', 'Việt', 'שלום', 'አማርኛ']) expect(text).toContain(word);
});

/** Names, texts and addresses as people write them, in non-Latin scripts. */
const SCRIPTS = {
  th: ['การสำรวจที่อยู่อาศัย', 'เข้าร่วมการสัมภาษณ์สั้นๆ เป็นความลับและคุณจะได้รับบัตรของขวัญ', 'ถนนสุขุมวิท ๒๔'],
  km: ['ការស្ទង់មតិលំនៅឋាន', 'ចូលរួមក្នុងការសម្ភាសន៍ខ្លី។ វាជាការសម្ងាត់ ហើយអ្នកនឹងទទួលបានកាតអំណោយ', 'ផ្លូវព្រះមុនីវង្ស'],
  ko: [
    '주거 실태 조사',
    '짧은 인터뷰에 참여해 주세요. 비밀이 보장되며 상품권을 드립니다.',
    '서울특별시 중구 세종대로',
  ],
  ja: [
    '住まいの調査',
    '短いインタビューにご協力ください。秘密は守られ、ギフトカードを差し上げます。',
    '東京都新宿区（西口）',
  ],
  'zh-Hans': ['上海市住房调查', '请参加简短的访谈。内容保密，您将获得一张礼品卡。', '人民大道二百号'],
  'zh-Hant': ['臺灣住屋調查', '請參加簡短的訪談。內容保密，您將獲得一張禮品卡。', '臺北市信義區「中心」'],
} as const;

test.each(['page', 'cards', 'labels'] as const)('every script can be printed: %s', async (layout) => {
  for (const [at, [language, [name, text, address]]] of Object.entries(SCRIPTS).entries()) {
    const study = { ...makeSheet().study, name, couponText: { [language]: text }, languages: [language] };
    const sites = [{ name: `${name} 🏠 2`, address: `${address} ☎ 206 555 0142` }];
    const fields = { layout, codes: makeCodes(1), languages: [language], sites, study };
    for (const paper of ['A4', 'LETTER'] as const) {
      const { refused, notes } = checkCouponSheet(makeSheet({ ...fields, paper }));
      const otherNotes = notes.filter(({ code }) => !['WORDS_IN_ENGLISH', 'NOT_ON_LABELS'].includes(code));
      expect([language, paper, refused, otherNotes]).toEqual([language, paper, null, []]);
    }
    // Glyphs are the same on both paper sizes.
    const sheet = makeSheet({ ...fields, paper: at % 2 === 0 ? 'A4' : 'LETTER' });
    const printed = await print(sheet);
    expect(await printed.decode()).toEqual(sheet.codes.map((code) => `https://survey.example.org/c/${code}`));
    expect((await printed.fonts()).filter(({ embedded }) => !embedded)).toEqual([]);
  }
});

test('study texts with letters missing from all fonts are rejected before anything is written', async () => {
  const refused = makeSheet({ study: { ...makeSheet().study, name: 'தமிழ் 2026' } });
  expect(checkCouponSheet(refused).refused?.message).toContain('த மி ழ்');
  const out = nothing();
  await expect(renderCoupons(out, refused)).rejects.toThrow('no typeface for: த மி ழ்');
  expect(out.destroyed).toBe(false);
});

test('letters missing from all fonts are left out of site names and addresses, and reported', async () => {
  const sites = [
    { name: 'Shelter ᏣᎳᎩ north', address: null },
    { name: 'தமி shelter', address: 'த 1' },
  ];
  const examined = checkCouponSheet(makeSheet({ sites }));
  expect(examined.refused).toBeNull();
  const noteText = wordsOf(examined).join('\n');
  expect(noteText).toContain('in the site name “தமி shelter” can’t be printed and are left out: த மி');
  expect(noteText).toContain('in the address of “தமி shelter” can’t be printed and are left out: த');
  expect(await (await print(makeSheet({ sites }))).text()).toMatch(/Shelter.*north/);
});

describe('content that does not fit', () => {
  const study = (changes: object) => ({ study: { ...makeSheet().study, ...changes } });
  const many = Array.from({ length: 40 }, (_, at) => ({
    name: `Shelter number ${at}`,
    address: `${at} Main Street`,
  }));
  const long = `${'Call 206 555 0142 Monday to Friday, nine to five. '.repeat(8)}`.slice(0, 390);

  test.each(FORMS)(
    'prints a site in full or not at all, and reports each one left out: $layout on $paper',
    async (form) => {
      const sheet = makeSheet({
        ...form,
        codes: makeCodes(1),
        languages: ['en'],
        sites: many,
        issuedAt: [29],
      });
      const { refused, notes } = checkCouponSheet(sheet);
      expect(refused).toBeNull();
      const printedText = await (await print(sheet)).said();
      expect(printedText).toContain('Shelter number 29');
      if (form.layout !== 'labels') expect(printedText).toContain('29 Main Street');
      const noteText = notes.map(({ message }) => message).join('\n');
      for (const { name } of many)
        expect([name, noteText.includes(`“${name}”`)]).toEqual([
          name,
          !new RegExp(`${name}\\b`).test(printedText),
        ]);
      expect(noteText).toContain('“Shelter number 39”');
      expect(printedText).not.toContain('...');
    },
  );

  test('a contact of 390 characters is complete on a poster, and reported where cut', async () => {
    const poster = makeSheet({ ...study({ contact: long }), layout: 'page' });
    expect(checkCouponSheet(poster).notes).toEqual([]);
    const printedText = await (await print(poster)).said();
    expect(printedText).toContain(long.trim());
    for (const layout of ['cards', 'labels'] as const) {
      const sheet = makeSheet({ ...study({ contact: long }), layout, codes: makeCodes(1) });
      const cut = (await (await print(sheet)).said()).includes('...');
      expect([
        layout,
        wordsOf(checkCouponSheet(sheet)).some((note) => /contact does|text in/.test(note)),
      ]).toEqual([layout, cut]);
    }
  });

  test('the omitted part of a text is reported verbatim, with its language', async () => {
    const couponText = {
      en: `Come by. ${'Interviews take half an hour. '.repeat(30)}You receive a gift card.`,
    };
    const sheet = makeSheet({
      ...study({ couponText }),
      layout: 'cards',
      codes: makeCodes(1),
      languages: ['en'],
    });
    const note = checkCouponSheet(sheet).notes.find(({ code }) => code === 'CUT_TEXT');
    const leftOut = String(note?.params?.text);
    expect(note?.params?.language).toBe('en');
    expect(leftOut).toMatch(/You receive a gift card\.$/);
    const printedText = await (await print(sheet)).said();
    const printedPart = printedText.slice(printedText.indexOf('Come by.'), printedText.lastIndexOf('...'));
    expect((printedPart + leftOut).replaceAll(/\s/g, '')).toBe(couponText.en.replaceAll(/\s/g, ''));
  });

  test('labels report that texts and addresses do not fit', () => {
    const codesOf = (changes: object) =>
      checkCouponSheet(makeSheet({ layout: 'labels', ...changes })).notes.map(({ code }) => code);
    expect(codesOf({})).toEqual(['NOT_ON_LABELS']);
    const sites = [{ name: 'Shelter', address: null }];
    expect(codesOf({ ...study({ couponText: {} }), sites })).toEqual([]);
  });

  test('if the coupon’s own site does not fit, printing is rejected', () => {
    const site = { name: 'CENTRO COMUNITARIO '.repeat(10), address: 'Avenida '.repeat(35) };
    expect(
      checkCouponSheet(makeSheet({ sites: [site], layout: 'labels', paper: 'LETTER' })).refused,
    ).toMatchObject({
      code: 'NO_ROOM',
      message: expect.stringMatching(/^The site “CENTRO/),
    });
    expect(checkCouponSheet(makeSheet({ sites: [site], layout: 'page' }))).toEqual({
      refused: null,
      notes: [],
    });
  });

  const faces = new Fonts(new PDFDocument({ autoFirstPage: false }));
  test.each(FORMS)('no text is smaller than 6.5 points: $layout on $paper', (form) => {
    for (const sheet of [makeSheet(form), makeLongSheet(form)]) {
      const sizes = layoutCoupon(faces, sheet, 0).lines.map(({ size }) => size);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(6.5);
    }
  });
});

test('coupons for several sites list their own site first', async () => {
  const sheet = makeSheet({ codes: makeCodes(3), issuedAt: [1, 0, 1] });
  const text = await (await print(sheet)).text();
  const first = text
    .split('\f')
    .slice(0, 3)
    .map((page) => /Downtown|Clínica/.exec(page)?.[0]);
  expect(first).toEqual(['Clínica', 'Downtown', 'Clínica']);
});

test('a coupon shows its own dates, or else the interview period', async () => {
  const dates = { languages: ['en'], validFrom: '2026-12-01', expiresOn: '2026-12-31' };
  const own = await (await print(makeSheet(dates))).said();
  expect(own).toContain('Valid from December 1, 2026 to December 31, 2026');
  expect(own).not.toContain('Interviews');
  const study = await (await print(makeSheet({ languages: ['es'], expiresOn: null }))).said();
  expect(study).toContain('Entrevistas del 23 de noviembre de 2026 al 18 de diciembre de 2026');
});

test('a coupon valid from handing out shows for how long, in every layout', async () => {
  const term = (days: number | null, afterHours: number) => ({ fromHandingOut: { days, afterHours } });
  const printedText = async (changes: object) =>
    (await print(makeSheet({ codes: makeCodes(1), expiresOn: null, ...changes }))).said();
  for (const layout of ['page', 'cards', 'labels'] as const) {
    const text = await printedText({ layout, ...term(21, 0) });
    expect(text).toContain('Valid for 21 days after you receive it');
    expect(text).toContain('Válido por 21 días después de recibirlo');
    expect(text.includes('Interviews from')).toBe(layout === 'page');
  }
  expect(await printedText({ languages: ['en'], ...term(1, 24) })).toContain(
    'Valid for 1 day, starting 24 hours after you receive it',
  );
  expect(await printedText({ languages: ['es'], ...term(null, 1) })).toContain(
    'Válido desde 1 hora después de recibirlo',
  );
  expect(await printedText({ languages: ['en'], ...term(null, 0) })).not.toContain('Good');
});

test.each(FORMS)(
  'how long a coupon is valid is complete in every language: $layout on $paper',
  async (form) => {
    const terms: [number | null, number, string[]][] = [
      [21, 0, ['Valid for 21 days after you receive it', 'Válido por 21 días después de recibirlo']],
      [120, 48, ['starting 48 hours after you receive it', 'desde 48 horas después de recibirlo']],
    ];
    // The smallest labels have no room for both the delay and the contact in two languages.
    for (const [days, afterHours, words] of form.layout === 'labels' ? terms.slice(0, 1) : terms) {
      const sheet = makeSheet({
        ...form,
        codes: makeCodes(1),
        expiresOn: null,
        fromHandingOut: { days, afterHours },
      });
      const text = await (await print(sheet)).said();
      for (const part of words) expect(text).toContain(part);
      expect(text).not.toContain('...');
    }
  },
);

test('a seed’s coupon says that it is an invitation', async () => {
  expect(await (await print(makeSheet({ kind: 'seed' }))).text()).toContain('Invitation · Invitación');
});

test('a language without print texts falls back to English, printed once', async () => {
  const text = await (await print(makeSheet({ codes: makeCodes(1), languages: ['en', 'so'] }))).said();
  expect(text.split('Where to go')).toHaveLength(2);
  expect(text.split('Valid until January 31, 2027')).toHaveLength(2);
  expect(wordsOf(checkCouponSheet(makeSheet({ languages: ['en', 'so'] }))).join()).toContain(
    'they aren’t translated into Somali (so)',
  );
});

test('progress is reported after each sheet', async () => {
  const counts: number[] = [];
  await renderCoupons(
    nothing(),
    makeSheet({ layout: 'cards', codes: makeCodes(23), onProgress: (count) => counts.push(count) }),
  );
  expect(counts).toEqual([10, 20, 23]);
});

test('an empty list of codes and invalid dates are rejected', async () => {
  await expect(renderCoupons(nothing(), makeSheet({ codes: [] }))).rejects.toThrow('no codes to print');
  await expect(renderCoupons(nothing(), makeSheet({ expiresOn: '2027-13-45' }))).rejects.toThrow('not a day');
});

test('a full disk ends printing with an error', async () => {
  let drawn = 0;
  const full = new Writable({
    write(_chunk, _encoding, callback) {
      callback(new Error('no space left on device'));
    },
  });
  const sheet = makeSheet({ codes: makeCodes(500), onProgress: (count) => (drawn = count) });
  await expect(renderCoupons(full, sheet)).rejects.toThrow('no space left on device');
  expect(drawn).toBeLessThan(500);
});

test('rendering waits for a slow reader', async () => {
  let drawn = 0;
  const stuck = new Writable({ write() {} });
  const sheet = makeSheet({
    layout: 'labels',
    codes: makeCodes(3000),
    onProgress: (count) => (drawn = count),
  });
  const printing = renderCoupons(stuck, sheet);
  for (let before = -1; before < drawn; ) {
    before = drawn;
    await new Promise((later) => setTimeout(later, 300));
  }
  expect(drawn).toBeLessThan(3000);
  stuck.destroy(new Error('gone'));
  await expect(printing).rejects.toThrow('gone');
});

test.each(['page', 'cards', 'labels'] as const)(
  '500 coupons as %s take at most 7 seconds of processor time and 150 MB',
  async (layout) => {
    const codes = makeCodes(500);
    const before = process.memoryUsage().rss;
    const start = process.cpuUsage();
    await renderCoupons(nothing(), makeSheet({ layout, codes }));
    const { user, system } = process.cpuUsage(start);
    const seconds = (user + system) / 1e6;
    const megabytes = (process.memoryUsage().rss - before) / 1e6;
    expect(seconds).toBeLessThan(7);
    expect(megabytes).toBeLessThan(150);
  },
);

describe('four languages, one right-to-left', () => {
  const languages = ['en', 'es', 'zh', 'ar'];
  const couponText = {
    en: 'Take part in a short interview. It is private, and you receive a gift card worth $20. Bring this coupon.',
    es: 'Participe en una breve entrevista. Es confidencial y recibirá una tarjeta de regalo de $20. Traiga este cupón.',
    zh: '请参加简短的访谈。内容保密，您将获得一张价值20美元的礼品卡。请带上此券。',
    ar: 'شارك في مقابلة قصيرة (20 دقيقة) حول السكن والصحة. المقابلة سرية وستحصل على بطاقة هدية بقيمة 20 دولارًا.',
  };
  const sheetOf = (changes: object) =>
    makeSheet({
      languages,
      codes: makeCodes(4),
      expiresOn: null,
      fromHandingOut: { days: 21, afterHours: 0 },
      study: { ...makeSheet().study, couponText },
      ...changes,
    });

  test.each(['A4', 'LETTER'] as const)(
    'a card fits all of them, including contact and gift: %s',
    async (paper) => {
      const sheet = sheetOf({ layout: 'cards', paper });
      expect(checkCouponSheet(sheet)).toEqual({ refused: null, notes: [] });
      const printed = await print(sheet);
      expect(await printed.decode()).toEqual(
        sheet.codes.map((code) => `https://survey.example.org/c/${code}`),
      );
      const printedText = (await printed.said()).replaceAll(/\s/g, '');
      for (const part of [
        'cardworth$20',
        'regalode$20',
        '20美元',
        '2065550142',
        'count@example.org',
        'Downtownshelter',
      ])
        expect(printedText).toContain(part);
    },
  );

  test('a label fits all of them', () => {
    const { notes } = checkCouponSheet(sheetOf({ layout: 'labels', paper: 'A4' }));
    expect(notes.map(({ code }) => code)).toEqual(['NOT_ON_LABELS']);
  });

  test('an Arabic name is aligned with the others of its list', () => {
    const faces = new Fonts(new PDFDocument({ autoFirstPage: false }));
    const sites = ['Downtown shelter', 'مركز السلام'].map((name) => ({ name, address: null }));
    const leftEnds = (first: string[]) => {
      const { lines } = layoutCoupon(faces, sheetOf({ layout: 'page', sites, languages: first }), 0);
      return lines.filter(({ size, x }) => size === 11.5 && x < 300).map(({ x }) => Math.round(x));
    };
    expect(leftEnds(languages)).toEqual([58, 58]);
    for (const x of leftEnds(['ar', 'en'])) expect(x).toBeGreaterThan(58);
  });

  test('each language’s contact is printed once', async () => {
    const contactTexts = { es: 'Llame al 206 555 0143', zh: ' ' };
    const study = { ...makeSheet().study, couponText, contact: 'Call 206 555 0142', contactTexts };
    const saidOf = async (changes: object) =>
      (await print(sheetOf({ study, codes: makeCodes(1), ...changes }))).said();
    for (const layout of ['page', 'cards'] as const) {
      const printedText = await saidOf({ layout });
      for (const number of ['0142', '0143'])
        expect([layout, printedText.split(number).length]).toEqual([layout, 2]);
    }
    expect(await saidOf({ languages: ['es'] })).not.toContain('0142');
  });
});

test('past interview periods and coupon dates are reported', () => {
  const codesOf = (changes: object) => checkCouponSheet(makeSheet(changes)).notes.map(({ code }) => code);
  expect(codesOf({ expiresOn: null, today: '2026-12-18' })).toEqual([]);
  expect(codesOf({ expiresOn: null, today: '2026-12-19' })).toEqual(['INTERVIEWS_OVER']);
  expect(codesOf({ today: '2027-01-31' })).toEqual([]);
  expect(codesOf({ today: '2027-02-01' })).toEqual(['COUPON_DAYS_OVER']);
});
