/** An authenticator in software: makes passkeys and signs challenges as WebAuthn says, rightly or wrongly on purpose. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Wrong {
  origin?: string;
  rpId?: string;
  /** Of user presence (1) and user verification (4); attestation data (0x40) is added. */
  flags?: number;
  counter?: number;
  challenge?: string;
  type?: string;
  userHandle?: string;
}

const USER_IS_VERIFIED = 0b101;
const HAS_KEY = 0x40;
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');

export interface Authenticator {
  id: string;
  /** Of the last signature; a test may set it back. */
  counter: number;
  attest(options: { challenge: string; rp: { id: string }; user: { id: string } }, wrong?: Wrong): object;
  assert(options: { challenge: string; rpId: string }, wrong?: Wrong): object;
}

/** `counts: false`: its counter is always 0, as that of passkeys that are synchronized between devices. */
export function newAuthenticator(origin: string, { counts = true } = {}): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let userHandle = '';
  const clientData = (type: string, challenge: string, wrong: Wrong) =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (rpId: string, counter: number, wrong: Wrong, key?: Buffer) => {
    const head = Buffer.alloc(5);
    head.writeUInt8((wrong.flags ?? USER_IS_VERIFIED) | (key ? HAS_KEY : 0), 0);
    head.writeUInt32BE(wrong.counter ?? counter, 1);
    return Buffer.concat([sha256(wrong.rpId ?? rpId), head, key ?? Buffer.alloc(0)]);
  };
  const authenticator: Authenticator = {
    id: base64url(id),
    counter: 0,
    attest({ challenge, rp, user }, wrong = {}) {
      userHandle = user.id;
      const length = Buffer.from([0, id.length]);
      const data = authenticatorData(
        rp.id,
        0,
        wrong,
        Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)]),
      );
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(data)],
      ]);
      return {
        ...{ id: authenticator.id, rawId: authenticator.id, type: 'public-key', clientExtensionResults: {} },
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge, wrong)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      };
    },
    assert({ challenge, rpId }, wrong = {}) {
      if (counts) authenticator.counter++;
      const data = authenticatorData(rpId, authenticator.counter, wrong);
      const json = clientData('webauthn.get', challenge, wrong);
      const signature = sign('sha256', Buffer.concat([data, sha256(json)]), privateKey);
      return {
        ...{ id: authenticator.id, rawId: authenticator.id, type: 'public-key', clientExtensionResults: {} },
        response: {
          clientDataJSON: base64url(json),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle: wrong.userHandle ?? userHandle,
        },
      };
    },
  };
  return authenticator;
}

/** A P-256 key in COSE. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const [kty, alg, crv] = [
    [1, 2],
    [3, -7],
    [-1, 1],
  ].map(([label = 0, value = 0]): [Buffer, Buffer] => [cborInt(label), cborInt(value)]);
  const point = (label: number, text: string): [Buffer, Buffer] => [
    cborInt(label),
    cborBytes(Buffer.from(text, 'base64url')),
  ];
  return cborMap([kty, alg, crv, point(-2, x), point(-3, y)] as [Buffer, Buffer][]);
}

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (data: Buffer) => Buffer.concat([cborHead(2, data.length), data]);
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (pairs: [Buffer, Buffer][]) => Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()]);
