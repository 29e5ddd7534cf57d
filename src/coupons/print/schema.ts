/** Options for printing, and the header with notes. Browser-safe. */
import { z } from 'zod';
import { IdInput } from '../../platform/http/field-schemas.ts';
import { type CodedError, FAULTS } from '../../platform/http/problems/error-codes.ts';

export const SHEET_LAYOUTS = ['page', 'cards', 'labels'] as const;

const paperFields = (layout: (typeof SHEET_LAYOUTS)[number]) => ({
  layout: z
    .enum(SHEET_LAYOUTS)
    .default(layout)
    .meta({ description: 'One poster each, business cards, or sticky labels.' }),
  paper: z.enum(['A4', 'LETTER']).default('A4'),
  languages: z
    .array(z.string().min(1).max(35))
    .max(20)
    .default([])
    .meta({ description: "Some of the study's languages, in this order. Default: all." }),
});

export const SeedPrint = z
  .strictObject({
    seeds: z.array(IdInput).min(1).max(1000).optional(),
    unused: z.literal(true).optional().meta({ description: 'All unused planned seeds.' }),
    location: IdInput.optional().meta({
      description: 'With `unused`: only seeds of this site.',
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
 * Headers of a PDF reply: what was left out or cut, percent-encoded. The first has English lines, the second the codes
 * and params in the same order as JSON, for translation.
 */
const NOTES_HEADER = 'X-Print-Notes';
const CODES_HEADER = 'X-Print-Note-Codes';
const MAX_NOTES_LENGTH = 1000;
const MAX_PARAM_LENGTH = 300;
/** After encoding. */
const MAX_CODES_LENGTH = 2000;

/** No headers if nothing was cut. Long lists are shortened, because headers must be small. */
export function noteHttpHeaders(notes: CodedError[]): Record<string, string> {
  if (notes.length === 0) return {};
  const words = notes.map(({ message }) => message).join('\n');
  const plain = words.replace(/\p{Surrogate}/gu, '\ufffd');
  return {
    [NOTES_HEADER]: encodeURIComponent(shortened(plain, MAX_NOTES_LENGTH)),
    [CODES_HEADER]: codesOf(notes),
  };
}

function shortened(text: string, max: number): string {
  const all = Array.from(text);
  return all.length > max ? `${all.slice(0, max).join('')}…` : text;
}

function codesOf(notes: CodedError[]): string {
  const listed: Pick<CodedError, 'code' | 'params'>[] = [];
  const encoded = () => encodeURIComponent(JSON.stringify(listed));
  for (const { code, params = {} } of notes) {
    const short = Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? shortened(value, MAX_PARAM_LENGTH) : value,
    ]);
    listed.push({ code, params: Object.fromEntries(short) });
    if (encoded().length <= MAX_CODES_LENGTH) continue;
    listed.splice(-1, 1, { code: 'MORE_NOTES' });
    break;
  }
  return encoded();
}
