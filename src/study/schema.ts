/** The study's one record on the wire. Browser-safe. */
import { z } from 'zod';
import { Day, Instant, Name, someField, text } from '../http/fields.ts';
import { isLanguageTag } from '../lib/language-tag.ts';
import { knownZone } from '../lib/zone.ts';
import { Location } from '../locations/schema.ts';

/** BCP 47, as `en` or `es-MX`. */
const Language = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'a language tag, such as en or es-MX')
  .max(35)
  .refine(isLanguageTag, 'a language tag, such as en or es-MX');

const fields = {
  name: Name.meta({ example: 'Winter count' }),
  contact: text(0, 500).meta({
    description: 'Whom to call or where to go, as it stands on coupons.',
    example: 'Call or text 206 555 0142',
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
  populationSize: z.int().min(1).max(1_000_000_000).nullable(),
  dueFrom: Day.nullable(),
  dueTo: Day.nullable(),
  timeZone: z
    .string()
    .max(100)
    .refine(knownZone, 'an IANA time zone, such as America/Los_Angeles')
    .nullable()
    .meta({
      description: 'Where a day begins and ends, an IANA name; null: as `TIME_ZONE` says.',
      example: 'America/Los_Angeles',
    }),
};

export const Study = z.object({ ...fields, updatedAt: Instant }).meta({ id: 'Study' });

export const StudyPatch = z
  .strictObject(fields)
  .partial()
  .refine(...someField)
  .meta({ id: 'StudyPatch', minProperties: 1 });
export type StudyPatch = z.infer<typeof StudyPatch>;

/** What any printed coupon shows, and what a page needs before anyone has signed in. */
export const PublicStudy = z
  .object({
    name: z.string().meta({ example: 'Winter count' }),
    contact: z.string().meta({ example: 'Call or text 206 555 0142' }),
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
    needsSetup: z.boolean().meta({ description: 'True until someone has used the set-up link.' }),
  })
  .meta({ id: 'PublicStudy' });
