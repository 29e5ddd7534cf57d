/** The files that there are, and what narrows them. Browser-safe. */
import { z } from 'zod';
import { DayOrInstant, IdInput } from '../http/field-schemas.ts';
import type { MediaType } from '../http/media-type.ts';
import { SampleWindow } from '../sample/schema.ts';

export interface ExportFile {
  type: MediaType;
  /** Made of the whole sample: for those alone who may read every interview, since part of a tree is none. */
  ofSample: boolean;
  summary: string;
}

export const EXPORT_FILES = {
  'interviews.csv': {
    type: 'text/csv',
    ofSample: false,
    summary: 'The interviews as a table: a row each, a column for each question',
  },
  'interviews.json': { type: 'application/json', ofSample: false, summary: 'The same table as JSON' },
  'codebook.csv': { type: 'text/csv', ofSample: false, summary: 'What the columns and their codes mean' },
  'incentives.csv': {
    type: 'text/csv',
    ofSample: false,
    summary: 'What people are owed and were paid: a row for each incentive',
  },
  'rds.csv': {
    type: 'text/csv',
    ofSample: true,
    summary: "The sample as R's package RDS reads it: who recruited whom, network sizes, outcomes",
  },
  'rdsat.txt': { type: 'text/plain', ofSample: true, summary: 'The sample in the format of RDSAT' },
  'tree.graphml': {
    type: 'application/xml',
    ofSample: true,
    summary: 'The tree of recruitment as GraphML, with all columns of the sample',
  },
  'tree.dot': { type: 'text/vnd.graphviz', ofSample: true, summary: 'The tree of recruitment as DOT' },
  'bundle.zip': {
    type: 'application/zip',
    ofSample: true,
    summary:
      'All files of the sample, weights with replicate weights, the codebook, incentives if the study pays any, a README and a script for R',
  },
} as const satisfies Record<string, ExportFile>;

export type ExportName = keyof typeof EXPORT_FILES;
export const EXPORT_NAMES = Object.keys(EXPORT_FILES) as [ExportName, ...ExportName[]];

export const InterviewsQuery = z.strictObject({
  location: IdInput.optional(),
  from: DayOrInstant.optional(),
  to: DayOrInstant.optional(),
});
export type InterviewsQuery = z.infer<typeof InterviewsQuery>;

export const IncentivesQuery = InterviewsQuery.extend({
  from: DayOrInstant.optional().meta({ description: 'Became due then or later.' }),
  to: DayOrInstant.optional().meta({ description: 'Became due then or earlier.' }),
  paidFrom: DayOrInstant.optional().meta({ description: 'Paid then or later.' }),
  paidTo: DayOrInstant.optional().meta({ description: 'Paid then or earlier.' }),
  paidBy: IdInput.optional().meta({ description: 'Only payments of this person.' }),
});
export type IncentivesQuery = z.infer<typeof IncentivesQuery>;

export const SampleQuery = SampleWindow;
export type SampleQuery = z.infer<typeof SampleQuery>;
