/** The browser's passkey functions. Loaded when someone uses a passkey. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { readLocalSetting, storeLocalSetting } from '../../device/local-settings.ts';
import { NoSignal, RequestRefusal, request } from '../../session/api.ts';
import { signInWithToken } from '../../session/session.tsx';
import type { PasskeyCreatedReply } from '../../wire.ts';
import { DEVICE_SECRET_STORAGE_KEY, type SignInReply } from './phone-proof.tsx';

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];
type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Canceled, timed out, or no passkey: browsers don't say which. */
async function asSameRefusal<T>(ceremony: Promise<T>): Promise<T> {
  return await ceremony.catch((error: unknown) => {
    if (error instanceof RequestRefusal || error instanceof NoSignal) throw error;
    throw new RequestRefusal(400, { code: 'PASSKEY_INVALID' }, null);
  });
}

async function getAssertion() {
  const optionsJSON = await request<RequestOptions>('POST', '/api/auth/passkeys/sign-in-options');
  return await asSameRefusal(startAuthentication({ optionsJSON }));
}

export async function signInWithPasskey(address: string): Promise<void> {
  const response = await getAssertion();
  const device = readLocalSetting(DEVICE_SECRET_STORAGE_KEY) ?? undefined;
  const body = { response, device };
  const proof = await request<SignInReply>('POST', '/api/auth/passkeys/sign-in', { body });
  storeLocalSetting(DEVICE_SECRET_STORAGE_KEY, proof.device);
  await signInWithToken(proof.token, address);
}

/** Confirms a session created by code. */
export async function verifyByPasskey(recovery: { recoveryCode: string } | null): Promise<void> {
  const body = recovery ?? { response: await getAssertion() };
  const { token } = await request<{ token: string }>('POST', '/api/auth/passkeys/verify', { body });
  await signInWithToken(token);
}

export async function addPasskey(name: string): Promise<PasskeyCreatedReply> {
  const optionsJSON = await request<CreationOptions>('POST', '/api/auth/passkeys/options');
  const response = await asSameRefusal(startRegistration({ optionsJSON }));
  return await request<PasskeyCreatedReply>('POST', '/api/auth/passkeys', { body: { name, response } });
}
