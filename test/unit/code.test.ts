import { randomBytes } from 'node:crypto';
import {
  ALPHABET,
  CODE_LENGTH,
  checkCharacterOf,
  formatCode,
  generateCode,
  parseCode,
  plainCode,
  readsAsNumber,
} from '../../src/coupons/referral-codes/code.ts';
import fc from '../fast-check.ts';

const CHARACTERS = [...ALPHABET];
const seven = fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: 7, maxLength: 7 });
const code = seven.map((text) => text + checkCharacterOf(text));
const many = { numRuns: 500 };

test('the alphabet has 32 characters that are not confused with each other', () => {
  expect(ALPHABET).toBe('0123456789ABCDEFGHJKMNPQRSTVWXYZ');
});

test.each([
  ['0000000', '0'],
  ['ABCDEFG', 'C'],
  ['7K3M9QX', 'F'],
  ['ZZZZZZZ', 'C'],
])('the check character of %s is %s', (text, check) => {
  expect(checkCharacterOf(text)).toBe(check);
});

test.each(['', 'ABCDEF', 'ABCDEFGH', 'ABCDEFU', 'abcdefg', 'ABCDEF '])(
  'there is no check character for %j',
  (text) => {
    expect(() => checkCharacterOf(text)).toThrow(RangeError);
  },
);

test('any single wrong character is detected', () => {
  fc.assert(
    fc.property(code, (good) => {
      for (let at = 0; at < 8; at += 1) {
        for (const other of CHARACTERS) {
          const bad = good.slice(0, at) + other + good.slice(at + 1);
          if (parseCode(bad) !== (bad === good ? good : null)) throw new Error(bad);
        }
      }
    }),
    many,
  );
});

test('any swap of two adjacent characters is detected', () => {
  fc.assert(
    fc.property(code, (good) => {
      for (let at = 0; at < 7; at += 1) {
        const bad = good.slice(0, at) + good.charAt(at + 1) + good.charAt(at) + good.slice(at + 2);
        if (parseCode(bad) !== (bad === good ? good : null)) throw new Error(bad);
      }
    }),
    many,
  );
});

test('a code is parsed in any case, with spaces, hyphens, O for 0, I and L for 1', () => {
  const writings = fc.tuple(
    code,
    fc.array(fc.constantFrom('', ' ', '-', ' - ', '–'), { minLength: 9, maxLength: 9 }),
    fc.array(fc.nat(2), { minLength: 8, maxLength: 8 }),
  );
  fc.assert(
    fc.property(writings, ([good, gaps, variants]) => {
      const written = [...good].map((character, at) => {
        const variant = variants[at] ?? 0;
        if (character === '0') return ['0', 'O', 'o'][variant];
        if (character === '1') return ['1', 'I', 'l'][variant];
        return variant ? character.toLowerCase() : character;
      });
      expect(parseCode(gaps.map((gap, at) => gap + (written[at] ?? '')).join(''))).toBe(good);
    }),
    many,
  );
});

test('a formatted code parses back to itself', () => {
  expect(formatCode('ABCDEFGC')).toBe('ABCD-EFGC');
  fc.assert(fc.property(code, (good) => parseCode(formatCode(good)) === good));
});

test('a well-formed code is shown in its canonical form, any other text as typed', () => {
  expect(plainCode(' abcd-efgc ')).toBe('ABCDEFGC');
  expect(plainCode('abcd-efgd')).toBe('abcd-efgd');
});

test.each([
  ['nothing', ''],
  ['only spaces', ' -  - '],
  ['too short', 'ABCDEFG'],
  ['too long', 'ABCDEFGC0'],
  ['nine characters, of which eight are a code', '000000000'],
  ['a wrong check character', 'ABCDEFGD'],
  ['a U, which is not read as V', '000000U0'],
  ['a null byte', 'ABCDEFG\0C'],
  ['a letter whose capital is ASCII (long s)', '0000000ſ'],
  ['a dotless i', '000000ıı'],
  ['digits of another script', '0000000０'],
  ['a lone surrogate', '0000000\ud800'],
  ['other marks', 'ABCD_EFGC'],
])('%s is malformed', (_what, text) => {
  expect(parseCode(text)).toBeNull();
});

test('a text over 64 characters is rejected without parsing', () => {
  expect(parseCode(`${' '.repeat(56)}ABCDEFGC`)).toBe('ABCDEFGC');
  expect(parseCode(`${' '.repeat(57)}ABCDEFGC`)).toBeNull();
  expect(parseCode(' '.repeat(10_000_000))).toBeNull();
});

test('parsing any text never fails, and its result is canonical', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const read = parseCode(text);
      if (read !== null) expect(parseCode(read)).toBe(read);
    }),
  );
});

test('a new code is well formed and uses five bits of each of seven random bytes', () => {
  const byteCounts: number[] = [];
  const newCode = generateCode((bytes) => {
    byteCounts.push(bytes);
    return Uint8Array.from([0, 31, 32, 63, 255, 10, 200]);
  });
  expect(byteCounts).toEqual([7]);
  expect(newCode).toHaveLength(CODE_LENGTH);
  expect(newCode.slice(0, 7)).toBe('0Z0ZZA8');
  expect(parseCode(newCode)).toBe(newCode);
});

test('all characters are equally likely', () => {
  // Each byte value once at each position: every character must appear eight times.
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const first = generateCode(() => new Uint8Array(7).fill(byte)).charAt(0);
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  expect([...counts.values()]).toEqual(Array(32).fill(8));
});

test('10,000 different draws are 10,000 different codes', () => {
  const draw = (number: number) => Uint8Array.from({ length: 7 }, (_, at) => (number >> (5 * at)) & 31);
  const codes = Array.from({ length: 10_000 }, (_, number) => generateCode(() => draw(number)));
  expect(new Set(codes).size).toBe(10_000);
});

test('10,000 random codes are well formed and use each character in each position', () => {
  const codes = Array.from({ length: 10_000 }, () => generateCode(randomBytes));
  expect(codes.every((one) => parseCode(one) === one)).toBe(true);
  // The probability that one of these 224 is missing is 10^-135.
  for (let at = 0; at < 7; at += 1) expect(new Set(codes.map((one) => one.charAt(at))).size).toBe(32);
});

test.each(['57658E62', '12345678', '1234D567', '0X12AB3C', '1MAR2026', 'SEPT2026', 'DEC12345', '2026MAY1'])(
  'a spreadsheet or R would misread %s',
  (code) => {
    expect(readsAsNumber(code)).toBe(true);
  },
);

test.each([
  ...['ABCD1234', '5765E86A', 'E1234567', '1234567E', 'ABC12E34', 'AB0X1234'],
  ...['1MARCH2A', 'MARTHA12'],
])('%s is read as text by all of them', (code) => {
  expect(readsAsNumber(code)).toBe(false);
});
