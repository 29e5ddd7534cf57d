/** Passkeys in requests and replies. Browser-safe. */
import { z } from 'zod';
import { Id, Instant, Name } from '../../../platform/http/field-schemas.ts';
import { FAULTS } from '../../../platform/http/problems/error-codes.ts';
import { KnownDeviceSecret } from '../schema.ts';

const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, FAULTS.NOT_BASE64URL)
    .meta({ description: 'base64url, as browsers make it.', example: 'AAAA' });

const Transports = z.array(z.string().max(32)).max(10);

/** Other fields that browsers send are ignored. */
const credential = { id: bytes(1_400), rawId: bytes(1_400), type: z.literal('public-key') };

export const PasskeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_000),
    attestationObject: bytes(32_000),
    transports: Transports.optional(),
  }),
});
export type PasskeyAttestation = z.infer<typeof PasskeyAttestation>;

export const PasskeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_000),
    authenticatorData: bytes(8_000),
    signature: bytes(8_000),
    userHandle: bytes(128).optional(),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

export const PasskeyCreate = z.strictObject({ name: Name, response: PasskeyAttestation });
export type PasskeyCreate = z.infer<typeof PasskeyCreate>;

export const PasskeySignIn = z.strictObject({
  response: PasskeyAssertion,
  device: KnownDeviceSecret.optional(),
});

export const PasskeyVerify = z
  .strictObject({
    response: PasskeyAssertion.optional(),
    recoveryCode: z.string().trim().min(1).max(40).optional().meta({ example: '7K3M-9QXF-2V0A-C5HT' }),
  })
  .refine((body) => Object.keys(body).length === 1, FAULTS.PASSKEY_OR_CODE)
  .meta({ minProperties: 1, maxProperties: 1 });
export type PasskeyVerify = z.infer<typeof PasskeyVerify>;

const Passkey = z.object({
  id: Id,
  name: z.string().meta({ example: 'Pixel 8' }),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
});

export const PasskeyCreatedReply = Passkey.extend({
  recoveryCodes: z
    .array(z.string())
    .optional()
    .meta({
      description:
        'With the first passkey: ten codes, each of which stands in for it once. They are not shown again.',
      example: ['7K3M-9QXF-2V0A-C5HT'],
    }),
}).meta({ id: 'CreatedPasskey' });
export type PasskeyCreatedReply = z.infer<typeof PasskeyCreatedReply>;

export const PasskeyList = z
  .object({ data: z.array(Passkey), recoveryCodesLeft: z.int() })
  .meta({ id: 'PasskeyList' });
export type PasskeyList = z.infer<typeof PasskeyList>;

export const PasskeyVerifiedReply = z.object({ token: z.string().meta({ example: 'eyJhbGciOi…' }) });

const key = z.literal('public-key');
const knownTransports = z.object({ id: z.string(), type: key, transports: z.array(z.string()).optional() });

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyCreationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: key, alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(knownTransports),
    authenticatorSelection: z.object({
      residentKey: z.string(),
      requireResidentKey: z.boolean(),
      userVerification: z.string(),
    }),
    attestation: z.string(),
  })
  .meta({ id: 'PasskeyCreationOptions' });

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const PasskeyRequestOptions = z
  .object({ rpId: z.string(), challenge: z.string(), timeout: z.int(), userVerification: z.string() })
  .meta({ id: 'PasskeyRequestOptions' });
