import { createdReply, defineRoute, noContentReply, routeGroup } from '../../../platform/http/route.ts';
import { signToken } from '../../../platform/rights/token.ts';
import { listPasskeys, removePasskey } from '../../../study/users/passkeys.ts';
import { SignedInReply } from '../schema.ts';
import { replyToSignIn } from '../signed-in.ts';
import { addPasskey, passkeyCreationOptions } from './add.ts';
import {
  PasskeyCreate,
  PasskeyCreatedReply,
  PasskeyCreationOptions,
  PasskeyList,
  PasskeyRequestOptions,
  PasskeySignIn,
  PasskeyVerifiedReply,
  PasskeyVerify,
} from './schema.ts';
import { createPasskeySignInOptions, signInWithPasskey, verifySecondFactor } from './use.ts';

const CREDENTIAL = { id: 'q4mJ0cX3', rawId: 'q4mJ0cX3', type: 'public-key' };
const ATTESTATION = { ...CREDENTIAL, response: { clientDataJSON: 'eyJ0', attestationObject: 'o2Nm' } };
const ASSERTION = {
  ...CREDENTIAL,
  response: { clientDataJSON: 'eyJ0', authenticatorData: 'SZYN', signature: 'MEUC', userHandle: 'Zl8c' },
};

export const passkeyRoutes = routeGroup({ tag: 'Passkeys' }, [
  defineRoute({
    method: 'post',
    path: '/api/auth/passkeys/options',
    access: 'signed-in',
    needsNoSecondFactor: true,
    summary: 'Get the options for making a passkey',
    description:
      'For `navigator.credentials.create`. Its challenge is good once, for 5 minutes, and only for this account. 403 in a session that a colleague’s code made.',
    reply: { 200: PasskeyCreationOptions },
    handle: async ({ actor, deps, now }) => await passkeyCreationOptions(actor, deps, now),
  }),
  defineRoute({
    method: 'post',
    path: '/api/auth/passkeys',
    access: 'signed-in',
    needsNoSecondFactor: true,
    summary: 'Add a passkey to your account',
    description:
      'The first one comes with ten recovery codes. Any later one needs a session with the second factor. At most 10. 403 in a session that a colleague’s code made. `response` is what the browser made.',
    body: PasskeyCreate,
    example: { name: 'Pixel 8', response: ATTESTATION },
    reply: { 201: PasskeyCreatedReply },
    problems: ['PASSKEY_INVALID', 'INVALID_TRANSITION'],
    handle: async ({ actor, body, deps, now }) =>
      createdReply(await addPasskey(actor, deps, body, now), '/api/auth/passkeys'),
  }),
  defineRoute({
    method: 'get',
    path: '/api/auth/passkeys',
    access: 'signed-in',
    summary: 'List your passkeys',
    description: 'Oldest first, with how many recovery codes are left.',
    reply: { 200: PasskeyList },
    handle: async ({ actor }) => listPasskeys(actor.user),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/auth/passkeys/:id',
    access: 'signed-in',
    summary: 'Remove one of your passkeys',
    description:
      'Needs a session with the second factor. With the last one, the recovery codes are deleted too.',
    reply: { 204: null },
    handle: async ({ actor, id, now }) => {
      await removePasskey(actor, id, now);
      return noContentReply();
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/auth/passkeys/sign-in-options',
    access: 'public',
    summary: 'Get the options for using a passkey',
    description:
      'For `navigator.credentials.get`, to sign in or to confirm a session. The same for everybody but for the challenge, which is good once, for 5 minutes.',
    reply: { 200: PasskeyRequestOptions },
    handle: async ({ deps, now }) => await createPasskeySignInOptions(deps, now),
  }),
  defineRoute({
    method: 'post',
    path: '/api/auth/passkeys/sign-in',
    access: 'public',
    summary: 'Sign in with a passkey',
    description:
      'Works with any approval status, and needs no code. `response` is what the browser made. 400 PASSKEY_INVALID whatever is wrong with it; a counter of signatures that falls back is also recorded in the history of the account.',
    body: PasskeySignIn,
    example: { response: ASSERTION },
    reply: { 200: SignedInReply },
    problems: ['PASSKEY_INVALID'],
    handle: async ({ body, deps, now, userAgent, deadline }) => {
      const user = await signInWithPasskey(deps, body.response, { now, deadline });
      return await replyToSignIn(deps, user, { device: body.device, userAgent, method: 'passkey', now });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/auth/passkeys/verify',
    access: 'signed-in',
    needsNoSecondFactor: true,
    summary: 'Confirm this session with a passkey or a recovery code',
    description:
      'The session then has the second factor. Either `response`, to a challenge of sign-in-options, or `recoveryCode`, which works once: 10 tries an hour. 403 in a session that a colleague’s code made.',
    body: PasskeyVerify,
    example: { recoveryCode: '7K3M-9QXF-2V0A-C5HT' },
    reply: { 200: PasskeyVerifiedReply },
    problems: ['PASSKEY_INVALID', 'OTP_INVALID'],
    handle: async ({ actor, body, deps, now }) => {
      const session = await verifySecondFactor(deps, actor, body, now);
      return { token: signToken(deps.config, actor.user, session, now) };
    },
  }),
]);
