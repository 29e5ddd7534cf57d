/** The study's one record on the wire. Browser-safe. */
import { z } from 'zod';
import { Day, Instant, Name, someField, text } from '../http/fields.ts';

/** BCP 47, as `en` or `es-MX`. */
const Language = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'a language tag, such as en or es-MX')
  .max(35);

const fields = {
  name: Name,
  contact: text(0, 500).meta({ description: 'Whom to call or where to go, as it stands on coupons.' }),
  couponsPerSurvey: z.int().min(0).max(10).meta({ description: 'How many codes a completed survey issues.' }),
  couponValidDays: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .meta({ description: 'Days, of 24 hours each, from the first moment a coupon is valid; null for ever.' }),
  couponStartsAfterHours: z
    .int()
    .min(0)
    .max(24 * 365)
    .meta({ description: 'Hours from handing out a coupon to its first moment.' }),
  couponText: z
    .record(Language, text(0, 2000))
    .meta({ example: { en: 'Bring this coupon.', es: 'Traiga este cupón.' } }),
  languages: z.array(Language).min(1).max(20),
  targetSampleSize: z.int().min(1).max(100_000_000).nullable(),
  populationSize: z.int().min(1).max(1_000_000_000).nullable(),
  dueFrom: Day.nullable(),
  dueTo: Day.nullable(),
};

export const Study = z.object({ ...fields, updatedAt: Instant }).meta({ id: 'Study' });

export const StudyPatch = z
  .strictObject(fields)
  .partial()
  .refine(...someField)
  .meta({ id: 'StudyPatch' });
export type StudyPatch = z.infer<typeof StudyPatch>;
