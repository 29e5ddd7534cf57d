/** What a caller may say about paper. Browser-safe. */
import { z } from 'zod';
import { FAULTS, type Fault } from '../http/faults.ts';
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

/**
 * On the answer with a PDF: what of it is left out or cut, percent-encoded. In English, a line each; and in the same
 * order as JSON, by code and params, for a client that tells it in its reader's language.
 */
const NOTES_HEADER = 'X-Print-Notes';
const CODES_HEADER = 'X-Print-Note-Codes';
const MOST_OF_NOTES = 1000;
const MOST_OF_PARAM = 300;
/** As it is sent. */
const MOST_OF_CODES = 2000;

/** None where all is on paper. Headers are small: the longest list of names ends early. */
export function notesHeader(notes: Fault[]): Record<string, string> {
  if (notes.length === 0) return {};
  const words = notes.map(({ message }) => message).join('\n');
  const plain = words.replace(/\p{Surrogate}/gu, '\ufffd');
  return {
    [NOTES_HEADER]: encodeURIComponent(shortened(plain, MOST_OF_NOTES)),
    [CODES_HEADER]: codesOf(notes),
  };
}

function shortened(text: string, most: number): string {
  const all = Array.from(text);
  return all.length > most ? `${all.slice(0, most).join('')}…` : text;
}

function codesOf(notes: Fault[]): string {
  const told: Pick<Fault, 'code' | 'params'>[] = [];
  const encoded = () => encodeURIComponent(JSON.stringify(told));
  for (const { code, params = {} } of notes) {
    const short = Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? shortened(value, MOST_OF_PARAM) : value,
    ]);
    told.push({ code, params: Object.fromEntries(short) });
    if (encoded().length <= MOST_OF_CODES) continue;
    told.splice(-1, 1, { code: 'MORE_NOTES' });
    break;
  }
  return encoded();
}
