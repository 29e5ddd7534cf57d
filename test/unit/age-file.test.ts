/** Age files as somebody hostile might craft them. */
import { Encrypter, generateX25519Identity, identityToRecipient, Stanza } from 'age-encryption';
import { newAgeIdentity, parseAgeIdentity } from '../../src/platform/lib/age/identity.ts';
import { AgeFileError, decryptAgeFile } from '../../src/platform/lib/age/open-file.ts';

const mine = parseAgeIdentity(newAgeIdentity());
if (!mine) throw new Error('no identity');
const { recipient } = mine;

async function fileFor(text: string, recipients: (string | { wrapFileKey(key: Uint8Array): Stanza[] })[]) {
  const encrypter = new Encrypter();
  for (const one of recipients) encrypter.addRecipient(one);
  return Buffer.from(await encrypter.encrypt(text));
}
const stranger = async () => await identityToRecipient(await generateX25519Identity());
const foreign = (type: string, args: string[] = ['x'], bytes = 32) => ({
  wrapFileKey: () => [new Stanza([type, ...args], new Uint8Array(bytes))],
});

function reasonOf(file: Buffer): string {
  try {
    decryptAgeFile(file, [mine as NonNullable<typeof mine>]);
    return 'OPENED';
  } catch (error) {
    return error instanceof AgeFileError ? error.reason : String(error);
  }
}

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 1_000_000])('opens a file of %i bytes', async (size) => {
  const text = 'ä'.repeat(size / 2) + 'x'.repeat(size % 2);
  const file = await fileFor(text, [await stranger(), recipient]);
  expect(decryptAgeFile(file, [mine]).toString()).toBe(text);
});

test('opens a file wherever the key’s stanza is, among stanzas of other kinds', async () => {
  const file = await fileFor('hello', [foreign('example.com/other'), await stranger(), recipient]);
  expect(decryptAgeFile(file, [mine]).toString()).toBe('hello');
});

test('a file for others is reported as encrypted for another key', async () => {
  expect(reasonOf(await fileFor('x', [await stranger()]))).toBe('OTHER_KEY');
  expect(reasonOf(await fileFor('x', [foreign('example.com/other')]))).toBe('OTHER_KEY');
});

test('every cut and every changed byte of a small file is noticed', async () => {
  const file = await fileFor('hello', [recipient]);
  for (let at = 0; at < file.length; at += 1) {
    expect([at, reasonOf(file.subarray(0, at))]).not.toEqual([at, 'OPENED']);
    const changed = Buffer.from(file);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect([at, reasonOf(changed)]).not.toEqual([at, 'OPENED']);
  }
  expect(reasonOf(Buffer.concat([file, Buffer.alloc(16)]))).toBe('DAMAGED');
});

test('a file of several chunks that ends after one of them is damaged', async () => {
  const file = await fileFor('x'.repeat(200_000), [recipient]);
  const payload = file.indexOf('\n', file.indexOf('\n--- ') + 1) + 1 + 16;
  for (const chunks of [1, 2, 3])
    expect(reasonOf(file.subarray(0, payload + chunks * (65_536 + 16)))).toBe('DAMAGED');
});

test('many stanzas, a huge header and passphrases are refused before any key is tried', async () => {
  const four = await Promise.all([1, 2, 3].map(stranger));
  expect(reasonOf(await fileFor('x', [...four, recipient]))).toBe('OPENED');
  const begin = process.cpuUsage();
  const passphrase = foreign('scrypt', ['c2FsdHNhbHRzYWx0c2FsdA', '22']);
  const many = Array.from({ length: 40 }, () =>
    foreign('X25519', [Buffer.alloc(32).toString('base64').slice(0, -1)]),
  );
  for (const recipients of [
    [...four, await stranger(), recipient],
    [passphrase],
    [passphrase, recipient],
    [foreign('example.com/other', ['a'.repeat(5_000)]), recipient],
    [foreign('example.com/other', ['x'], 100_000), recipient],
    [...many, recipient],
    [foreign('X25519', ['short']), recipient],
    [foreign('X25519', ['x'.repeat(43)], 5_000), recipient],
  ])
    expect(reasonOf(await fileFor('x', recipients))).toBe('DAMAGED');
  expect(reasonOf(Buffer.from(`age-encryption.org/v1\n${'-> X25519 '.repeat(100_000)}`))).toBe('DAMAGED');
  expect(reasonOf(Buffer.alloc(1_500_000, '-> a b\n'))).toBe('DAMAGED');
  const { user, system } = process.cpuUsage(begin);
  expect((user + system) / 1000).toBeLessThan(2_000);
});

test('a public key without a secret (all zeros) opens nothing', async () => {
  const zeros = foreign('X25519', [Buffer.alloc(32).toString('base64').slice(0, -1)]);
  expect(reasonOf(await fileFor('x', [zeros]))).toBe('OTHER_KEY');
});

test('the identity is read as age-keygen writes it', async () => {
  const text = await generateX25519Identity();
  expect(parseAgeIdentity(text)?.recipient).toBe(await identityToRecipient(text));
  expect(parseAgeIdentity(recipient)).toBeNull();
});
