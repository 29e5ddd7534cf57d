/** The study's settings in requests and replies. Browser-safe. */
import { z } from 'zod';
import { atLeastOneField, Day, Instant, Name, textSchema } from '../../platform/http/field-schemas.ts';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';
import { OTP_CHANNELS } from '../../platform/lib/otp-channels.ts';
import { isOneLine } from '../../platform/lib/text/visible-text.ts';
import { isTimeZone } from '../../platform/lib/time-zone.ts';
import { Location } from '../locations/schema.ts';
import { SecondFactorMode } from '../users/schema.ts';
import { IncentiveSettings } from './incentives.ts';
import { LanguageTag } from './language.ts';
import { ContactConsentText, MessageSettings, QuietHours } from './messages.ts';

/** Like a question name: no dots and no leading dollar sign, which have a special meaning in the database. */
const OutcomeName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^(?!\$)[^.\s\0](?:[^.\0]*[^.\s\0])?$/, FAULTS.NAME_MARKS)
  .meta({ example: 'sleepsOutside' });

export const ExpressionOutcome = z
  .strictObject({
    name: OutcomeName,
    fromQuestionnaire: z.literal(false).optional(),
    title: z.record(LanguageTag, textSchema(1, 200)).meta({ example: { en: 'Sleeps outside' } }),
    kind: z.enum(['CATEGORY', 'NUMBER']),
    expression: textSchema(1, 1_000).meta({
      description:
        'A SurveyJS expression over countable questions of the active questionnaire and its calculated values, but not over free text. "Refuse" and "don\'t know" count as empty. The outcome is missing if none of the answers it uses was given (for a NUMBER, if any of them was not given), unless the expression itself tests for `empty` or `notempty`.',
      example: "{sleptLastNight} anyof ['outside', 'tent', 'vehicle']",
    }),
  })
  .meta({ id: 'ComputedOutcome' });

/** A value that a questionnaire calculates; it is an outcome only if named here. */
export const CalculatedValueOutcome = z
  .strictObject({ name: OutcomeName.meta({ example: 'ageGroup' }), fromQuestionnaire: z.literal(true) })
  .meta({ id: 'QuestionnaireOutcome' });

const PopulationSize = z.int().min(1).max(1_000_000_000).nullable();

const People = z.int().min(1).max(1_000_000_000);

export const SiteSize = z
  .strictObject({
    location: z.string().min(1).max(1000).meta({
      description: 'The id of a site, or an answer to `siteQuestion` if that is set.',
      example: '665f1f77bcf86cd799439011',
    }),
    size: People,
    low: People.optional().meta({ description: 'The smallest size it may have.' }),
    high: People.optional().meta({ description: 'The largest size it may have.' }),
    source: textSchema(1, 1000).meta({ example: 'Bed lists of the night of 2027-01-28' }),
  })
  .refine(({ size, low = size, high = size }) => low <= size && size <= high, FAULTS.SIZES_REVERSED)
  .meta({ id: 'SiteSize' });

/** The contact of a publication: an address that a web page can link to. */
const isMailOrWebAddress = (address: string) =>
  z
    .union([z.literal(''), z.email(), z.url({ protocol: /^https?$/, hostname: z.regexes.domain })])
    .safeParse(address).success;

const fields = {
  name: Name.meta({ example: 'Winter count' }),
  organization: textSchema(0, 200).refine(isOneLine, FAULTS.NOT_ONE_LINE).meta({
    description: 'Who is responsible for the study, as its publication names them. Empty: not stated.',
    example: 'King County Regional Homelessness Authority',
  }),
  publicationContact: textSchema(0, 300).refine(isMailOrWebAddress, FAULTS.NOT_MAIL_OR_WEB).meta({
    description: 'An e-mail or web address for questions about the publication. Empty: none.',
    example: 'count@example.org',
  }),
  contact: textSchema(0, 500).meta({
    description: 'Whom to call or where to go, as printed on coupons.',
    example: 'Call or text 206 555 0142',
  }),
  contactTexts: z.record(LanguageTag, textSchema(0, 500)).meta({
    description: 'Instead of `contact`, for languages that have their own.',
    example: { es: 'Llame al 206 555 0143' },
  }),
  couponsPerSurvey: z.int().min(0).max(10).meta({ description: 'How many codes a completed survey issues.' }),
  couponValidDays: z.int().min(1).max(3650).nullable().meta({
    description: 'Days of 24 hours from when a coupon becomes valid until it expires; null means never.',
    example: 21,
  }),
  couponStartsAfterHours: z
    .int()
    .min(0)
    .max(24 * 365)
    .meta({ description: 'Hours from handing out a coupon until it becomes valid.' }),
  couponText: z
    .record(LanguageTag, textSchema(0, 2000))
    .meta({ example: { en: 'Bring this coupon.', es: 'Traiga este cupón.' } }),
  languages: z
    .array(LanguageTag)
    .min(1)
    .max(20)
    .meta({ example: ['en', 'es'] }),
  targetSampleSize: z.int().min(1).max(100_000_000).nullable(),
  endsOn: Day.nullable().meta({
    description:
      'The day by which the target should be reached, for pace and forecast; null means `dueTo`. Interviews are still accepted afterwards. While `retentionDays` is set, only a SUPER_ADMIN can change this.',
    example: '2027-02-28',
  }),
  populationSize: PopulationSize.meta({ description: 'The size of the population, if known.' }),
  populationSizeLow: PopulationSize.meta({ description: 'The smallest size that the population may have.' }),
  populationSizeHigh: PopulationSize.meta({ description: 'The largest size that the population may have.' }),
  smallestCell: z.int().min(0).max(50).meta({
    description:
      'In results, levels with fewer known answers have no figures, except for a SUPER_ADMIN. Only a SUPER_ADMIN can change this. 0 shows all.',
    example: 5,
  }),
  outcomes: z
    .array(z.discriminatedUnion('fromQuestionnaire', [ExpressionOutcome, CalculatedValueOutcome]))
    .max(50)
    .meta({
      description:
        'The study’s own outcomes, calculated from answers, whose names must not be used elsewhere; and those values calculated by a questionnaire that are outcomes (`fromQuestionnaire`), as the stored versions calculate them now. A version that calculates a value differently later is not counted until the outcomes are saved again. Only a SUPER_ADMIN can change this.',
    }),
  siteQuestion: z.string().min(1).max(100).nullable().meta({
    description:
      'The name of a question with one choice that says where people live or slept. Intervals and standardized estimates go by it; null means the site of the interview. Only a SUPER_ADMIN can change this.',
    example: 'sleptLastNight',
  }),
  siteSizes: z
    .array(SiteSize)
    .max(200)
    .refine((all) => new Set(all.map(({ location }) => location)).size === all.length, FAULTS.SITE_TWICE)
    .meta({
      description:
        'How many people of the population belong to each site, for estimates that are standardized to sites. Only a SUPER_ADMIN can change this.',
    }),
  interviewMode: z.enum(['IN_PERSON', 'PHONE', 'SELF', 'MIXED']).nullable().meta({
    description:
      'How interviews are held: face to face, by phone, filled in by the person alone, or in several of these ways. Each round keeps its own, because a change between rounds may be due to it. Null: not stated.',
    example: 'IN_PERSON',
  }),
  analysisRuns: z.enum(['OFF', 'AUTOMATIC']).meta({
    description:
      'AUTOMATIC: each night at 3 a.m. the service calculates intervals for all outcomes (CHAIN and TREE), if the sample has at least 30 interviews and something has changed.',
  }),
  incentives: IncentiveSettings.meta({
    description:
      'What is paid for an interview and for a recruit. Replaced as a whole. The settings at the time when an interview was completed determine what is due for it.',
  }),
  contacts: z.enum(['OFF', 'SMS']).meta({
    description:
      'SMS: after the last question, phones ask whether the person wants texts, and take a phone number. Numbers are sealed and shown to nobody. Only a SUPER_ADMIN can change this.',
  }),
  contactDays: z.int().min(1).max(365).meta({
    description:
      'Phone numbers of respondents are erased this many days after `endsOn`, at most 400 days after consent. Only a SUPER_ADMIN can change this.',
    example: 90,
  }),
  contactConsent: ContactConsentText,
  messages: MessageSettings.meta({
    description:
      'What people are texted who agreed to it: that money is due, their gift card, that their coupons expire. Replaced as a whole; all off by default. 409 in production without `MESSAGE_PROVIDER=twilio`. Only a SUPER_ADMIN can change this.',
  }),
  quietHours: QuietHours.meta({ description: 'Nobody is texted then, in the time zone of the study.' }),
  messagesPerDay: z.int().min(1).max(10_000).meta({
    description: 'At most so many texts a day in all. Only a SUPER_ADMIN can change this.',
    example: 200,
  }),
  repeatCheck: z.boolean().meta({
    description:
      "Whether a phone may check, before an interview, if someone with the same identity clues was interviewed. Anyone who knows a person's clues can then learn that this person was here. Only a SUPER_ADMIN can change this.",
  }),
  reEnrolAfterDays: z.int().min(0).max(3650).nullable().meta({
    description:
      'People who are interviewed twice are flagged within a round, and within so many days also across rounds; null means never across rounds.',
    example: 180,
  }),
  statusPage: z.enum(['OFF', 'ON']).meta({
    description:
      'ON: each person who is interviewed gets a secret, with which they can see how many of their coupons came back and what they are owed, as of the last midnight. Only a SUPER_ADMIN can change this.',
  }),
  secondFactor: SecondFactorMode.meta({
    description:
      'Passkeys as a second factor. OPTIONAL: a session of somebody who has a passkey can do nothing until it is confirmed with one. REQUIRED: the same for all managers, admins, super-admins and accounts with grants, who first have to add one; 409 unless `PUBLIC_URL` is https or localhost, and the caller has a passkey. OFF: no session needs one. Only a SUPER_ADMIN can change this.',
    example: 'OPTIONAL',
  }),
  siteRadius: z.int().min(1).max(100_000).meta({
    description:
      'In meters. An interview further from its site is a finding (FAR_FROM_SITE in GET /api/quality).',
    example: 500,
  }),
  retentionDays: z.int().min(1).max(3650).nullable().meta({
    description:
      'This many days after `endsOn`, the answers, positions, identity hashes and comments of all interviews are erased, with the values in their history, and so are phone numbers of accounts that are not approved. Null means never. Only a SUPER_ADMIN can change this.',
    example: 365,
  }),
  dueFrom: Day.nullable(),
  dueTo: Day.nullable(),
  deviceLock: z.enum(['OFF', 'PIN']).meta({
    description:
      'PIN: on phones, everybody chooses a PIN, without which nobody can read or continue an interview there. OFF: whoever holds a phone on which somebody is signed in can read its unfinished interviews.',
  }),
  lockAfterMinutes: z.int().min(1).max(60).meta({
    description: 'With `deviceLock: PIN`: minutes out of sight after which a phone asks for the PIN again.',
    example: 10,
  }),
  timeZone: z.string().max(100).refine(isTimeZone, FAULTS.NOT_ZONE).nullable().meta({
    description: 'The time zone in which days begin and end, as an IANA name; null means `TIME_ZONE`.',
    example: 'America/Los_Angeles',
  }),
};

const FieldKey = z
  .object({
    id: z.string().meta({ description: 'Names the key.', example: 'c48aebfd9e54f1ef' }),
    recipient: z.string().meta({
      description: 'An age public key.',
      example: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
    }),
  })
  .meta({ description: 'The key for which phones seal answers; see `sealed` of POST /api/surveys.' });

export const Study = z
  .object({
    ...fields,
    fieldKey: FieldKey,
    zone: z.string().meta({
      description: "The time zone in use: `timeZone`, or the service's own.",
      example: 'America/Los_Angeles',
    }),
    giftCards: z.boolean().meta({
      description: 'True once gift cards were imported: payments can be made with `card: true`.',
      example: false,
    }),
    updatedAt: Instant,
  })
  .meta({ id: 'Study' });

export const StudyPatch = z
  .strictObject(fields)
  .partial()
  .refine(...atLeastOneField)
  .meta({ id: 'StudyPatch', minProperties: 1 });
export type StudyPatch = z.infer<typeof StudyPatch>;

/** What printed coupons show, and what pages need before anyone has signed in. */
export const PublicStudy = z
  .object({
    name: z.string().meta({ example: 'Winter count' }),
    contact: z.string().meta({ example: 'Call or text 206 555 0142' }),
    contactTexts: z
      .record(z.string(), z.string())

      .optional()
      .meta({ description: 'Instead of `contact`, by language.', example: { es: 'Llame al 206 555 0143' } }),
    languages: z
      .array(z.string())
      .meta({ description: 'Languages that have a text for coupons.', example: ['en', 'es'] }),
    couponText: z
      .record(z.string(), z.string())
      .meta({ example: { en: 'Bring this coupon.', es: 'Traiga este cupón.' } }),
    sites: z.array(Location.pick({ name: true, address: true, type: true, coordinates: true })),
    region: z.string().meta({
      description: 'The country of phone numbers without a country code (`DEFAULT_REGION`).',
      example: 'US',
    }),
    otpChannels: z
      .array(z.enum(OTP_CHANNELS))
      .optional()
      .meta({ description: 'How people can get one-time codes; absent if only by SMS.' }),
    fieldKey: FieldKey,
    needsSetup: z.boolean().meta({ description: 'True until someone has used the setup link.' }),
  })
  .meta({ id: 'PublicStudy' });
