/** Devices in requests and replies. Browser-safe. */
import { z } from 'zod';
import {
  Id,
  IdInput,
  Instant,
  InstantInput,
  NonNegativeInteger,
  textSchema,
} from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';

const Pieces = NonNegativeInteger.max(100_000);
const FINISHED = 'Interviews that are finished and have not arrived.';
const REFUSED = 'Finished interviews that the service refused, and that need a person.';

const counts = {
  drafts: Pieces.meta({ description: 'Interviews that are not finished.' }),
  unsent: Pieces.meta({ description: FINISHED }),
  refused: Pieces.meta({ description: REFUSED }),
  codesLeft: Pieces.meta({ description: 'Coupon codes in stock on the device.' }),
};

export const DeviceReport = z
  .strictObject({
    device: z
      .uuid(FAULTS.NOT_UUID)
      .transform((id) => id.toLowerCase())
      .meta({ type: 'string', format: 'uuid', description: 'Of the installation of the app.' }),
    appVersion: textSchema(1, 50),
    ...counts,
    oldestUnsentAt: InstantInput.nullable().meta({
      description: 'When the first of those that are unsent or refused was finished.',
    }),
    persisted: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the browser promises to keep stored data.' }),
  })
  .meta({ id: 'DeviceReport' });
export type DeviceReport = z.infer<typeof DeviceReport>;

export const Device = z
  .object({
    id: Id,
    user: Id,
    location: Id.nullable().meta({ description: 'The user’s current site when it reported.' }),
    appVersion: z.string().meta({ example: '1.4.0' }),
    ...counts,
    oldestUnsentAt: Instant.nullable(),
    persisted: z.boolean().nullable(),
    reportedAt: Instant,
  })
  .meta({ id: 'Device' });
export type Device = z.infer<typeof Device>;

export const DeviceList = listSchema(Device).meta({ id: 'DeviceList' });
export const DeviceListQuery = z.strictObject({
  ...creationSortedQuery,
  sort: z.enum(['oldestUnsentAt', '-oldestUnsentAt']).default('oldestUnsentAt').meta({
    description: 'By default the oldest unsent interview first; devices without any come last.',
  }),
  location: IdInput.optional(),
  user: IdInput.optional(),
  pending: z.enum(['true']).optional().meta({
    description: '`true`: only devices with something unsent or refused.',
  }),
});
