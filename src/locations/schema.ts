/** Locations on the wire. Browser-safe. */
import { z } from 'zod';
import { Id, Instant, Name, Point, someField, text } from '../http/fields.ts';
import { byName, listOf } from '../http/list.ts';

export const LOCATION_TYPES = ['SHELTER', 'MEAL_SITE', 'STREET', 'CLINIC', 'OFFICE', 'OTHER'] as const;
export const LocationType = z.enum(LOCATION_TYPES);
export type LocationType = z.infer<typeof LocationType>;

export const Location = z
  .object({
    id: Id,
    name: z.string(),
    address: z.string().nullable(),
    type: LocationType,
    coordinates: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Location' });

export const LocationList = listOf(Location).meta({ id: 'LocationList' });
export const LocationQuery = z.strictObject(byName);

const fields = {
  name: Name,
  address: text(0, 300).nullable(),
  type: LocationType,
  coordinates: Point.nullable(),
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
  .refine(...someField)
  .meta({ id: 'LocationPatch' });
export type LocationPatch = z.infer<typeof LocationPatch>;
