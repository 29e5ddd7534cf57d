/** Signing up and in: requests and replies. Browser-safe. */
import { z } from 'zod';
import { Id, IdInput, Instant, Name } from '../../platform/http/field-schemas.ts';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';
import { OTP_CHANNELS } from '../../platform/lib/otp-channels.ts';
import { Email, PhoneInput, SecondFactorStatus, User } from '../../study/users/schema.ts';

const OneTimeCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/, FAULTS.NOT_OTP)
  .meta({ example: '123456' });

export const KnownDeviceSecret = z
  .string()
  .regex(/^[\w-]{43}$/, FAULTS.NOT_DEVICE)
  .meta({
    description:
      'From an earlier sign-in on this device. A device on which the phone has signed in before has its own limits, which requests from elsewhere don’t use up.',
    example: 'q4mJ0cX3bWm1nT8yUe5LrZ7hKd2sVg9aPf6oQi0xBtE',
  });
const device = { device: KnownDeviceSecret.optional() };

export const SendOtp = z
  .strictObject({ phone: PhoneInput, channel: z.enum(OTP_CHANNELS).default('sms'), ...device })
  .meta({ id: 'SendOtp' });

export const VerifyLogin = z.strictObject({
  phone: PhoneInput,
  code: z
    .string()
    .trim()
    .regex(/^(\d{6}|[0-9A-HJKMNP-TV-Z]{12})$/i, FAULTS.NOT_OTP)
    .meta({
      description: 'Six digits, or the twelve characters in the link of a colleague’s code.',
      example: '123456',
    }),
  ...device,
});

const person = { phone: PhoneInput, firstName: Name, lastName: Name, email: Email.nullable().optional() };

export const VerifySignup = z.strictObject({
  ...person,
  code: OneTimeCode,
  ...device,
  role: z
    .enum(['VOLUNTEER', 'MANAGER', 'ADMIN'])
    .default('VOLUNTEER')
    .meta({ description: 'The role the user asks for, shown to the people who approve accounts.' }),
  location: IdInput.nullable().optional(),
});
export type VerifySignup = z.infer<typeof VerifySignup>;

export const SignedInReply = z
  .object({
    token: z.string().meta({ description: 'A JWT, for `Authorization: Bearer`.', example: 'eyJhbGciOi…' }),
    device: KnownDeviceSecret,
    user: User,
  })
  .meta({ id: 'SignedIn' });

export const Session = z
  .object({
    user: User,
    currentLocation: Id.nullable(),
    rules: z.array(z.array(z.unknown())).meta({
      description: 'Packed CASL rules for records as the API returns them; empty until the user is approved.',
    }),
    codeSignIn: z
      .object({ name: z.string().nullable(), at: Instant })
      .optional()
      .meta({
        description:
          'The last sign-in with a code that a colleague created, and the colleague’s name. Absent if there was none.',
        example: { name: 'Bo Lind', at: '2026-11-21T18:00:00.000Z' },
      }),
    secondFactor: SecondFactorStatus.meta({
      description:
        'VERIFIED: this session has the second factor. NOT_NEEDED: it can do without. Otherwise most routes refuse it (403, SECOND_FACTOR_REQUIRED). VERIFY: confirm it with a passkey or a recovery code. ENROLL: add a passkey, then confirm it. SIGN_IN_AGAIN: with a passkey, or with a code that was sent to the phone.',
    }),
    signOutToken: z.string().optional().meta({
      description:
        'Good for nothing but POST /api/auth/sign-out, for as long as the session. Absent with a token that was issued before there were sessions.',
      example: 'eyJhbGciOi…',
    }),
    passkeysRemoved: z
      .object({ name: z.string().nullable(), at: Instant })
      .optional()
      .meta({
        description:
          'When somebody else last removed all passkeys of the user, and who; null for an operator. Absent if nobody has.',
        example: { name: 'Bo Lind', at: '2026-11-21T18:00:00.000Z' },
      }),
    publicUrl: z.string().optional().meta({
      description:
        'The address that coupon links begin with (`PUBLIC_URL`). Absent if it is only an address of the machine itself.',
      example: 'https://survey.example.org',
    }),
  })
  .meta({ id: 'Session' });

export const FirstAdminSetup = z.strictObject({
  token: z.string().min(1).max(200),
  ...person,
  code: OneTimeCode.optional().meta({ description: 'If left out, a code is sent to the phone.' }),
  ...device,
});

const UserSession = z.object({
  id: Id,
  client: z.string().meta({
    description: 'The browser and the system that signed in; `Unknown` for other programs.',
    example: 'Firefox, Android',
  }),
  createdAt: Instant,
  lastSeenAt: Instant.meta({ description: 'The hour of its last request.' }),
  current: z.boolean().meta({ description: 'The session of this request.' }),
  secondFactor: z.boolean(),
});

export const SessionList = z.object({ data: z.array(UserSession) }).meta({ id: 'SessionList' });

export const SendTokenReply = z
  .object({ token: z.string().meta({ example: 'eyJhbGciOi…' }), expiresAt: Instant })
  .meta({ id: 'SendToken' });
export type SendTokenReply = z.infer<typeof SendTokenReply>;

export const CreatedSignInCode = z
  .object({
    code: z.string().meta({ example: '123456' }),
    url: z
      .string()
      .meta({ example: 'https://survey.example.org/sign-in#phone=%2B12065550123&code=7K3M9QXF2V0A' }),
    expiresAt: Instant,
  })
  .meta({ id: 'SignInCode' });
export type CreatedSignInCode = z.infer<typeof CreatedSignInCode>;
