/** The consequences of activating a questionnaire version, in requests and replies. Browser-safe. */
import { z } from 'zod';
import { NonNegativeInteger } from '../../platform/http/field-schemas.ts';
import { OutcomeName, TitleByLanguage } from '../sample/schema.ts';

export const ActivationImpact = z
  .object({
    networkSize: z.enum(['KEPT', 'LOST']).meta({ description: 'Whether the same question asks for it.' }),
    eligibility: z.enum(['KEPT', 'CHANGED', 'LOST']),
    outcomes: z
      .array(
        z.object({
          name: OutcomeName,
          title: TitleByLanguage,
          change: z.enum(['KEPT', 'CHOICES', 'NOT_ASKED', 'KIND']),
          interviews: NonNegativeInteger.meta({ description: 'Counted interviews whose version asks it.' }),
        }),
      )
      .meta({ description: 'Each outcome with interviews.' }),
    counts: z
      .array(z.object({ name: z.string(), outcome: OutcomeName }))
      .meta({ description: 'Population counts that get no further answers.' }),
    needsConfirm: z.boolean(),
  })
  .meta({ id: 'ActivationImpact' });
export type ActivationImpact = z.infer<typeof ActivationImpact>;
