/** The available files and their filters. Browser-safe. */
import { z } from 'zod';
import type { MediaType } from '../platform/http/bodies/media-type.ts';
import { DayOrInstant, IdInput } from '../platform/http/field-schemas.ts';
import { RoundParam, SampleFilterQuery } from '../statistics/sample/schema.ts';

export interface ExportFileSpec {
  type: MediaType;
  /** Created from the whole sample, so only for callers who may read every interview: part of a tree is useless. */
  ofSample: boolean;
  summary: string;
}

export const EXPORT_FILES = {
  'interviews.csv': {
    type: 'text/csv',
    ofSample: false,
    summary: 'Interviews as a table: one row per interview, one column per question',
  },
  'interviews.json': { type: 'application/json', ofSample: false, summary: 'The same table as JSON' },
  'codebook.csv': { type: 'text/csv', ofSample: false, summary: 'What the columns and codes mean' },
  'incentives.csv': {
    type: 'text/csv',
    ofSample: false,
    summary: 'What people are owed and were paid: one row per incentive',
  },
  'cards.csv': {
    type: 'text/csv',
    ofSample: false,
    summary: 'Gift cards: one row per card, with its last four characters and the payment it went to',
  },
  'rds.csv': {
    type: 'text/csv',
    ofSample: true,
    summary: "The sample for R's package RDS: who recruited whom, network sizes, outcomes",
  },
  'rdsat.txt': { type: 'text/plain', ofSample: true, summary: 'The sample in RDSAT format' },
  'tree.graphml': {
    type: 'application/xml',
    ofSample: true,
    summary: 'The recruitment tree as GraphML, with all columns of the sample',
  },
  'tree.dot': { type: 'text/vnd.graphviz', ofSample: true, summary: 'The recruitment tree as DOT' },
  'bundle.zip': {
    type: 'application/zip',
    ofSample: true,
    summary:
      'All sample files, weights with replicate weights, the codebook, incentives if the study pays any, a README and an R script',
  },
} as const satisfies Record<string, ExportFileSpec>;

export type ExportName = keyof typeof EXPORT_FILES;
export const EXPORT_FILE_NAMES = Object.keys(EXPORT_FILES) as [ExportName, ...ExportName[]];

export const InterviewsExportQuery = z.strictObject({
  round: RoundParam,
  location: IdInput.optional(),
  from: DayOrInstant.optional(),
  to: DayOrInstant.optional(),
});
export type InterviewsExportQuery = z.infer<typeof InterviewsExportQuery>;

export const IncentivesExportQuery = InterviewsExportQuery.extend({
  from: DayOrInstant.optional().meta({ description: 'Became due at or after this time.' }),
  to: DayOrInstant.optional().meta({ description: 'Became due at or before this time.' }),
  paidFrom: DayOrInstant.optional().meta({ description: 'Paid at or after this time.' }),
  paidTo: DayOrInstant.optional().meta({ description: 'Paid at or before this time.' }),
  paidBy: IdInput.optional().meta({ description: 'Only payments made by this person.' }),
});
export type IncentivesExportQuery = z.infer<typeof IncentivesExportQuery>;

export const GiftCardsExportQuery = z.strictObject({
  from: DayOrInstant.optional().meta({ description: 'Given at or after this time.' }),
  to: DayOrInstant.optional().meta({ description: 'Given at or before this time.' }),
});

export const SampleExportQuery = SampleFilterQuery;
export type SampleExportQuery = z.infer<typeof SampleExportQuery>;
