/** Seals interviews as phones do. */
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { fieldPublicKeyOf } from '../src/study/settings/field-keys.ts';
import { testConfig } from './people.ts';

const PERSONS_KEY = await identityToRecipient(await generateX25519Identity());

/** As base64, for the study's key (by default that of the tests) and a person's. */
export async function seal(
  content: unknown,
  recipient = fieldPublicKeyOf(testConfig()).recipient,
): Promise<string> {
  const encrypter = new Encrypter();
  for (const one of [recipient, PERSONS_KEY]) encrypter.addRecipient(one);
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return Buffer.from(await encrypter.encrypt(text)).toString('base64');
}

type Body = Record<string, unknown> & {
  clientId: string;
  incentive?: { method: string; reference?: string };
};

/** A plain body with what phones seal moved to `sealed`. */
export async function sealBody(
  { responses, coordinates, note, contact, incentive, ...clear }: Body,
  owner: string,
  recipient?: string,
): Promise<Record<string, unknown>> {
  const { reference, ...paid } = incentive ?? {};
  const content = {
    ...{ clientId: clear.clientId, owner, responses, coordinates, note, contact, farewell: 'Thank you.' },
    ...(reference === undefined ? {} : { incentive: { reference } }),
  };
  return {
    ...clear,
    ...(incentive === undefined ? {} : { incentive: paid }),
    sealed: await seal(content, recipient),
  };
}
