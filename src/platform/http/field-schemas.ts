/** Schemas of fields that several resources share. Browser-safe. */
import { z } from 'zod';
import { hasVisibleCharacters, isOneLine, removeInvisibleCharacters } from '../lib/text/visible-text.ts';
import { FAULTS, fault } from './problems/error-codes.ts';

export const Id = z
  .string()
  .regex(/^[0-9a-f]{24}$/)
  .meta({ description: '24 hexadecimal digits.', example: '665f1c2ab7e4d90012345678' });

/** An id in a request, in upper or lower case. */
export const IdInput = z
  .string()
  .regex(/^[0-9a-fA-F]{24}$/, FAULTS.NOT_ID)
  .transform((id) => id.toLowerCase())
  .meta({
    type: 'string',
    description: 'The `id` of a record: 24 hexadecimal digits.',
    example: '665f1c2ab7e4d90012345678',
  });

export const Instant = z.iso
  .datetime()
  .meta({ description: 'ISO 8601, UTC.', example: '2026-11-21T18:00:00.000Z' });

/** A timestamp in a request, with any offset; the handler gets a Date. */
export const InstantInput = z.iso
  .datetime({ offset: true, message: FAULTS.NOT_INSTANT })
  .transform((text, context) => {
    const at = new Date(text);
    // With an offset, it may be in a year without four digits.
    if (Number.isNaN(at.getTime()) || !/^\d{4}-/.test(at.toISOString()))
      context.addIssue({ code: 'custom', message: FAULTS.NO_INSTANT });
    return at;
  })
  .meta({ type: 'string', format: 'date-time', example: '2026-11-21T18:00:00.000Z' });

export const Day = z.iso
  .date({ message: FAULTS.NOT_DAY })
  .meta({ description: 'A calendar day.', example: '2026-11-21' });

export const DayOrInstant = z.union([Day, InstantInput], FAULTS.NOT_DAY_OR_INSTANT).meta({
  type: 'string',
  description:
    "A day in the study's time zone, such as 2026-11-21, or an instant, such as 2026-11-21T18:00:00Z; inclusive.",
  example: '2026-11-21',
});

/** Trims spaces first, so a text of only spaces is empty. */
export const textSchema = (min: number, max: number) =>
  z
    .string()
    .trim()
    .min(min, { error: FAULTS.EMPTY, abort: true })
    .max(max, fault('AT_MOST', { count: max }).message)
    .meta(min > 0 ? { pattern: '\\S' } : {});

/** One line without invisible characters, which could make two names look alike. */
export const Name = textSchema(1, 100)
  .overwrite(removeInvisibleCharacters)
  .refine(hasVisibleCharacters, FAULTS.EMPTY)
  .refine(isOneLine, FAULTS.NOT_ONE_LINE);
export const NoteText = textSchema(0, 1000);

export const NonNegativeInteger = z.int().min(0);
export const Share = z.number().min(0).max(1);
/** Null if it can't be calculated. */
export const NullableNumber = z.number().nullable();

const Latitude = z.number().min(-90).max(90);
const Longitude = z.number().min(-180).max(180);
export const LatitudeLongitude = z
  .strictObject({ latitude: Latitude, longitude: Longitude })
  .meta({ example: { latitude: 47.6062, longitude: -122.3321 } });
export const GpsPoint = z.strictObject({
  latitude: Latitude,
  longitude: Longitude,
  accuracy: z.number().min(0).max(1e7).optional().meta({ description: 'Radius in meters.' }),
});

/** Refuses a PATCH without any field; its `meta` says `minProperties: 1`. */
export const atLeastOneField = [
  (body: object) => Object.keys(body).length > 0,
  { message: FAULTS.NO_CHANGE },
] as const;

/** A whole number in a query. */
export const integerParamSchema = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, FAULTS.NOT_WHOLE)
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .meta({ type: 'integer', minimum: least, maximum: most });

export const MessageReply = z.object({ message: z.string().meta({ example: 'A code is on its way.' }) });
