/** Rounds in requests and replies. Browser-safe. */
import { z } from 'zod';
import { Day, Id, Instant, Name, NonNegativeInteger } from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { Device } from '../devices/schema.ts';
import { Amount } from '../settings/incentives.ts';
import { StudyPatch } from '../settings/schema.ts';

export const RoundState = z.enum(['OPEN', 'CLOSED']);

const { endsOn, targetSampleSize, populationSize, populationSizeLow, populationSizeHigh } = StudyPatch.shape;
const sizes = {
  endsOn: endsOn.unwrap(),
  targetSampleSize: targetSampleSize.unwrap(),
  populationSize: populationSize.unwrap(),
};

export const Round = z
  .object({
    id: Id,
    name: Name.meta({ example: 'Winter 2028' }),
    startsOn: Day,
    ...sizes,
    populationSizeLow: populationSizeLow.unwrap(),
    populationSizeHigh: populationSizeHigh.unwrap(),
    state: RoundState.meta({
      description:
        'At most one is OPEN: its last day, target and population sizes are those of the study. A CLOSED one keeps its own.',
    }),
    openedAt: Instant,
    closedAt: Instant.nullable(),
    closedBy: Id.nullable(),
    settings: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'Of a closed round: all settings of the study when it was closed.',
      example: null,
    }),
  })
  .meta({ id: 'Round' });
export type Round = z.infer<typeof Round>;

export const RoundList = listSchema(Round).meta({ id: 'RoundList' });
export const RoundQuery = z.strictObject({ ...creationSortedQuery });

export const RoundCreate = z
  .strictObject({
    name: Name.meta({ example: 'Winter 2028' }),
    startsOn: Day,
    endsOn: sizes.endsOn.optional(),
    targetSampleSize: sizes.targetSampleSize.optional(),
    populationSize: sizes.populationSize.optional(),
    resetVolunteers: z.boolean().optional().meta({
      description:
        'Moves approved volunteers back to PENDING, except those whose devices report unsent interviews.',
    }),
  })
  .meta({ id: 'RoundCreate' });
export type RoundCreate = z.infer<typeof RoundCreate>;

export const RoundPatch = z.strictObject({ name: Round.shape.name }).meta({ id: 'RoundPatch' });

export const OpenedRound = Round.extend({
  volunteers: z
    .object({
      reset: NonNegativeInteger.meta({ description: 'How many were moved back to PENDING.' }),
      unsent: z
        .array(
          z.object({
            id: Id,
            firstName: z.string().meta({ example: 'Ana' }),
            lastName: z.string().meta({ example: 'Reyes' }),
            unsent: NonNegativeInteger,
          }),
        )
        .meta({ description: 'Those who stay approved, because their devices report unsent interviews.' }),
    })
    .optional()
    .meta({ description: 'Only with `resetVolunteers`.' }),
}).meta({ id: 'OpenedRound' });

export const RoundClosingPreview = z
  .object({
    round: Round,
    couponsOut: NonNegativeInteger.meta({
      description: 'Coupons that somebody may still come with, unused seeds among them.',
    }),
    devices: z.array(Device).meta({
      description: 'Devices that report unsent or refused interviews, the oldest first; at most 200.',
    }),
    due: z
      .object({ count: NonNegativeInteger, total: Amount.nullable() })
      .meta({ description: 'Incentives that are owed. They stay payable.' }),
    unreviewed: NonNegativeInteger.meta({ description: 'Counted interviews that nobody has reviewed.' }),
  })
  .meta({ id: 'RoundClosing' });
export type RoundClosingPreview = z.infer<typeof RoundClosingPreview>;
