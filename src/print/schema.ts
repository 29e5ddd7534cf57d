/** What a caller may say about paper. Browser-safe. */
import { z } from 'zod';
import { FAULTS } from '../http/faults.ts';
import { IdIn } from '../http/fields.ts';

export const LAYOUTS = ['page', 'cards', 'labels'] as const;

const paperFields = (layout: (typeof LAYOUTS)[number]) => ({
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

export const SeedPrint = z
  .strictObject({
    seeds: z.array(IdIn).min(1).max(1000).optional(),
    unused: z.literal(true).optional().meta({ description: 'All planned ones that nobody has redeemed.' }),
    location: IdIn.optional().meta({
      description: 'With `unused`: only those of this site.',
      type: 'string',
    }),
    ...paperFields('page'),
  })
  .refine(({ seeds, unused }) => (seeds === undefined) !== (unused === undefined), {
    message: FAULTS.SEEDS_OR_UNUSED,
    path: ['seeds'],
  })
  .refine(({ location, unused }) => location === undefined || unused, {
    message: FAULTS.LOCATION_WITH_UNUSED,
    path: ['location'],
  })
  .meta({ id: 'SeedPrint' });

export const BatchPrint = z.strictObject(paperFields('cards')).meta({ id: 'CodeBatchPrint' });

/** On the answer with a PDF: what of it is left out or cut, a line each, percent-encoded. */
const NOTES_HEADER = 'X-Print-Notes';
const MOST_OF_NOTES = 1000;

/** None where all is on paper. Headers are small: the longest list of names ends early. */
export function notesHeader(notes: string[]): Record<string, string> {
  if (notes.length === 0) return {};
  const all = Array.from(notes.join('\n').replace(/\p{Surrogate}/gu, '\ufffd'));
  const shown = all.length > MOST_OF_NOTES ? [...all.slice(0, MOST_OF_NOTES), '…'] : all;
  return { [NOTES_HEADER]: encodeURIComponent(shown.join('')) };
}
