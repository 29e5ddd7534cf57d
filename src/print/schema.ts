/** What a caller may say about paper. Browser-safe. */
import { z } from 'zod';

export const LAYOUTS = ['page', 'cards', 'labels'] as const;

export const paperFields = (layout: (typeof LAYOUTS)[number]) => ({
  layout: z
    .enum(LAYOUTS)
    .default(layout)
    .meta({ description: 'A poster each, business cards, or sticky labels.' }),
  paper: z.enum(['A4', 'LETTER']).default('A4'),
  languages: z
    .array(z.string().min(1).max(35))
    .max(20)
    .default([])
    .meta({ description: "Of the study's languages, in this order; none: all of them." }),
});
