/** The study's settings in requests and replies. Browser-safe. */
import { z } from 'zod';
import { FAULTS } from '../http/error-codes.ts';
import { atLeastOneField, Day, Instant, Name, text } from '../http/field-schemas.ts';
import { isLanguageTag } from '../lib/language-tag.ts';
import { OTP_CHANNELS } from '../lib/otp-channels.ts';
import { isTimeZone } from '../lib/time-zone.ts';
import { Location } from '../locations/schema.ts';
import { IncentiveSettings } from './incentives.ts';

/** BCP 47, such as `en` or `es-MX`. */
const Language = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, FAULTS.NOT_LANGUAGE)
  .max(35)
  .refine(isLanguageTag, FAULTS.NOT_LANGUAGE);

/** Like a question's name, without dots and dollar signs, which have a meaning in the database. */
const OutcomeName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^(?!\$)[^.\s\0](?:[^.\0]*[^.\s\0])?$/, FAULTS.NAME_MARKS)
  .meta({ example: 'sleepsOutside' });

export const ComputedOutcome = z
  .strictObject({
    name: OutcomeName,
    title: z.record(Language, text(1, 200)).meta({ example: { en: 'Sleeps outside' } }),
    kind: z.enum(['CATEGORY', 'NUMBER']),
    expression: text(1, 1_000).meta({
      description:
        'A SurveyJS expression over questions of the active questionnaire that can be counted, and its calculated values; not over free text. An answer that is "refuse" or "don\'t know" is empty to it. Where none of its answers was given, or to a NUMBER not all of them, the outcome is missing, unless the expression itself asks what is `empty` or `notempty`.',
      example: "{sleptLastNight} anyof ['outside', 'tent', 'vehicle']",
    }),
  })
  .meta({ id: 'ComputedOutcome' });

const PopulationSize = z.int().min(1).max(1_000_000_000).nullable();

const fields = {
  name: Name.meta({ example: 'Winter count' }),
  contact: text(0, 500).meta({
    description: 'Whom to call or where to go, as it stands on coupons.',
    example: 'Call or text 206 555 0142',
  }),
  contacts: z.record(Language, text(0, 500)).meta({
    description: 'In place of `contact`, for the languages that have their own.',
    example: { es: 'Llame al 206 555 0143' },
  }),
  couponsPerSurvey: z.int().min(0).max(10).meta({ description: 'How many codes a completed survey issues.' }),
  couponValidDays: z.int().min(1).max(3650).nullable().meta({
    description: 'Days, of 24 hours each, from the first moment a coupon is valid; null for ever.',
    example: 21,
  }),
  couponStartsAfterHours: z
    .int()
    .min(0)
    .max(24 * 365)
    .meta({ description: 'Hours from handing out a coupon to its first moment.' }),
  couponText: z
    .record(Language, text(0, 2000))
    .meta({ example: { en: 'Bring this coupon.', es: 'Traiga este cupón.' } }),
  languages: z
    .array(Language)
    .min(1)
    .max(20)
    .meta({ example: ['en', 'es'] }),
  targetSampleSize: z.int().min(1).max(100_000_000).nullable(),
  endsOn: Day.nullable().meta({
    description:
      'The day by which the target is to be met, for pace and forecast; null: `dueTo`. Nothing is closed then.',
    example: '2027-02-28',
  }),
  populationSize: PopulationSize.meta({ description: 'How many people there are, as far as it is known.' }),
  populationSizeLow: PopulationSize.meta({ description: 'There are at least so many.' }),
  populationSizeHigh: PopulationSize.meta({ description: 'There are at most so many.' }),
  smallestCell: z.int().min(0).max(50).meta({
    description:
      'In results a level with fewer known answers has no figures, but for a SUPER_ADMIN, who alone changes this; 0: all have them.',
    example: 5,
  }),
  outcomes: z.array(ComputedOutcome).max(50).meta({
    description:
      'What is estimated beside the questions, worked out of the answers. Names are used nowhere else.',
  }),
  analysisRuns: z.enum(['OFF', 'AUTOMATIC']).meta({
    description:
      'AUTOMATIC: each night at 3 intervals are worked out for all outcomes (TREE), where 30 or more are in the sample and something has changed.',
  }),
  incentives: IncentiveSettings.meta({
    description:
      'What is paid for an interview and for a recruit. Replaced whole. What is due goes by the settings in force when the interview that makes it due was completed.',
  }),
  repeatCheck: z.boolean().meta({
    description:
      "Whether a phone may ask, before an interview, if someone with the same identity clues was interviewed. It tells who knows a person's clues that this person was here; a SUPER_ADMIN alone changes it.",
  }),
  siteRadius: z.int().min(1).max(100_000).meta({
    description:
      'Metres. An interview held further from its site is a finding (FAR_FROM_SITE in GET /api/quality).',
    example: 500,
  }),
  retentionDays: z.int().min(1).max(3650).nullable().meta({
    description:
      'So many days after `endsOn` the answers, positions, identity hashes and comments of all interviews are erased, with the values in their history, and so are phone numbers of accounts that are not approved; null: never. A SUPER_ADMIN alone changes it.',
    example: 365,
  }),
  dueFrom: Day.nullable(),
  dueTo: Day.nullable(),
  timeZone: z.string().max(100).refine(isTimeZone, FAULTS.NOT_ZONE).nullable().meta({
    description: 'Where a day begins and ends, an IANA name; null: as `TIME_ZONE` says.',
    example: 'America/Los_Angeles',
  }),
};

export const Study = z
  .object({
    ...fields,
    zone: z.string().meta({
      description: "Where a day begins and ends now: `timeZone`, or the service's own.",
      example: 'America/Los_Angeles',
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
    contacts: z
      .record(z.string(), z.string())

      .optional()
      .meta({ description: 'In place of `contact`, by language.', example: { es: 'Llame al 206 555 0143' } }),
    languages: z
      .array(z.string())
      .meta({ description: 'Those that have a text for coupons.', example: ['en', 'es'] }),
    couponText: z
      .record(z.string(), z.string())
      .meta({ example: { en: 'Bring this coupon.', es: 'Traiga este cupón.' } }),
    sites: z.array(Location.pick({ name: true, address: true, type: true, coordinates: true })),
    region: z.string().meta({
      description: 'The country whose national phone numbers are understood (`DEFAULT_REGION`).',
      example: 'US',
    }),
    otpChannels: z
      .array(z.enum(OTP_CHANNELS))
      .optional()
      .meta({ description: 'How people can get one-time codes; absent where by SMS alone.' }),
    needsSetup: z.boolean().meta({ description: 'True until someone has used the set-up link.' }),
  })
  .meta({ id: 'PublicStudy' });
