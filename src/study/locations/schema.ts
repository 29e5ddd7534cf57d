/** Locations in requests and replies. Browser-safe. */
import { z } from 'zod';
import {
  atLeastOneField,
  Id,
  Instant,
  LatitudeLongitude,
  Name,
  textSchema,
} from '../../platform/http/field-schemas.ts';
import { listSchema, nameSortedQuery } from '../../platform/http/lists/list-schema.ts';
import { FieldErrors } from '../../platform/http/problems/field-errors.ts';

export const LOCATION_TYPES = ['SHELTER', 'MEAL_SITE', 'STREET', 'CLINIC', 'OFFICE', 'OTHER'] as const;
export const LocationType = z.enum(LOCATION_TYPES);
export type LocationType = z.infer<typeof LocationType>;

export const Location = z
  .object({
    id: Id,
    name: z.string().meta({ example: 'Downtown shelter' }),
    address: z.string().nullable().meta({ example: '1 Main Street' }),
    type: LocationType,
    coordinates: z
      .object({ latitude: z.number(), longitude: z.number() })
      .nullable()
      .meta({ example: { latitude: 47.6062, longitude: -122.3321 } }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Location' });

export const LocationList = listSchema(Location).meta({ id: 'LocationList' });
export const LocationQuery = z.strictObject({
  ...nameSortedQuery,
  closed: z.enum(['true', 'false']).optional().meta({ description: '`true`: only deleted locations.' }),
});
export type LocationQuery = z.infer<typeof LocationQuery>;

const fields = {
  name: Name,
  address: textSchema(0, 300).nullable(),
  type: LocationType,
  coordinates: LatitudeLongitude.nullable(),
};

export const LocationCreate = z.strictObject({
  name: fields.name,
  type: fields.type.default('OTHER'),
  address: fields.address.optional(),
  coordinates: fields.coordinates.optional(),
});
export type LocationCreate = z.infer<typeof LocationCreate>;

export const LocationPatch = z
  .strictObject(fields)
  .partial()
  .refine(...atLeastOneField)
  .meta({ id: 'LocationPatch', minProperties: 1 });
export type LocationPatch = z.infer<typeof LocationPatch>;

export const LocationImport = z.strictObject({
  locations: z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .max(1000)
    .meta({ description: 'Each row as for creating a location. Invalid rows are reported in `results`.' }),
  dryRun: z.boolean().default(false),
});

export const LocationImported = z
  .object({
    stored: z.boolean().meta({ description: 'False after a dry run, or if a row was refused.' }),
    results: z.array(
      z.object({
        index: z.int().min(0),
        name: z.string().meta({ example: 'Downtown shelter' }),
        outcome: z.enum(['created', 'updated', 'unchanged', 'refused']),
        message: z
          .string()
          .nullable()
          .meta({ description: 'What has changed, or what is wrong.', example: null }),
        errors: FieldErrors.optional(),
      }),
    ),
  })
  .meta({ id: 'LocationImported' });
