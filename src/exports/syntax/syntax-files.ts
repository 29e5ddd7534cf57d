/** The files with which SPSS and Stata read rds.csv and interviews.csv, with labels, for the bundle. */
import type { mongo } from 'mongoose';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import type { BundleEntry } from '../bundle.ts';
import { type ExportPlan, exportRows, planExport } from '../interviews/interviews.ts';
import { OTHER_ANSWERS_COLUMN } from '../interviews/record-columns.ts';
import { csvCellText } from '../interviews/row-text.ts';
import { codebookValuesOf, type DescribedOutcome, TREE_COLUMN_TEXTS } from '../sample/sample-codebook.ts';
import { outcomeColumns, type SampleTable, TREE_COLUMNS } from '../sample/sample-table.ts';
import { type ColumnProfile, newObservedColumn, profileExportColumns } from './observed-cells.ts';
import { spssSyntax } from './spss.ts';
import { stataDo } from './stata.ts';
import { inEnglish, type Variable, variableTypeOf } from './statistics-variables.ts';

const ID_BYTES = 24;
/** With more interviews, the data isn't read twice; texts then get this width, and types come from the questions. */
const MAX_OBSERVED = 20_000;
const MAX_OBSERVED_BYTES = 16 * 1024 * 1024;
const TEXT_BYTES = 2_000;
const LEAST_TEXT_BYTES = 255;
const FILES = { SPSS: 'sps', Stata: 'do' } as const;
const WRITERS = { SPSS: spssSyntax, Stata: stataDo };
type Program = keyof typeof FILES;
const PROGRAMS = ['SPSS', 'Stata'] as const;

const OPENING = {
  SPSS: 'Run it in the folder of the file: CD sets the folder.',
  Stata: 'Run it in the folder of the file: cd sets the folder.',
};

export function sampleSyntax(outcomes: readonly DescribedOutcome[], table: SampleTable): BundleEntry[] {
  return PROGRAMS.map((program) => ({
    name: `rds.${FILES[program]}`,
    pieces: () =>
      WRITERS[program]('rds.csv', sampleVariables(outcomes, table), {
        notes: notesOf(program, 'rds.csv'),
        haveLineBreaks: false,
      }),
  }));
}

const SAMPLE_CONTENTS: Record<(typeof TREE_COLUMNS)[number], Variable['holds']> = {
  id: 'TEXT',
  'recruiter.id': 'TEXT',
  'network.size': 'NUMBER',
  wave: 'NUMBER',
  seed: 'TEXT',
  time: 'INSTANT',
  'max.coupons': 'NUMBER',
};

function sampleVariables(outcomes: readonly DescribedOutcome[], table: SampleTable): Variable[] {
  const place = TREE_COLUMNS.map(
    (column): Variable => ({
      ...{ column, label: TREE_COLUMN_TEXTS[column], holds: SAMPLE_CONTENTS[column] },
      ...{ bytes: ID_BYTES, values: [], isWhole: true },
    }),
  );
  const columns = outcomeColumns(table);
  const answers = outcomes.map((one, at): Variable => {
    const values = writtenValues(codebookValuesOf(one));
    const isNumber = one.outcome.kind === 'NUMBER';
    const holds = isNumber ? 'NUMBER' : variableTypeOf(values, 'category');
    const bytes = longest(values.map(({ value }) => value));
    const isWhole = one.outcome.kind === 'NUMBER' && one.outcome.values.every(isWholeOrMissing);
    const label = inEnglish(one.title, one.name);
    return { column: columns[at]!.name, label, holds, bytes, values, isWhole };
  });
  return [...place, ...answers];
}

const isWholeOrMissing = (value: number) => Number.isNaN(value) || Number.isInteger(value);

const longest = (texts: readonly string[]): number =>
  texts.reduce((max, text) => Math.max(max, Buffer.byteLength(text)), 0);

const writtenValues = (values: ReturnType<typeof codebookValuesOf>): Variable['values'] =>
  values.map(({ value, text }) => ({ value: csvCellText(value), label: inEnglish(text, value) }));

/** For the same interviews as the file downloaded with the same filters. */
export function interviewSyntaxFiles(request: { match: mongo.Document; zone: string }): BundleEntry[] {
  let read: Promise<InterviewFile> | undefined;
  return PROGRAMS.map((program) => ({
    name: `interviews.${FILES[program]}`,
    async *pieces() {
      read ??= interviewVariables(request);
      const { variables, haveLineBreaks } = await read;
      const notes = [
        ...notesOf(program, 'interviews.csv'),
        'interviews.csv is a download of its own: use the same site and dates as for this bundle.',
      ];
      yield* WRITERS[program]('interviews.csv', variables, { notes, haveLineBreaks });
    },
  }));
}

const notesOf = (program: Program, file: string): string[] => [
  `Reads ${file} into ${program}, with types, labels and missing values`,
  OPENING[program],
  'The codebook has the whole texts, in all languages.',
];

const INSTANTS = ['started_at', 'completed_at', 'created_at', 'held_at', 'erased_at'];
const DAYS = ['started_day', 'created_day', 'held_day'];
const NUMBERS = ['wave', 'network_size', 'questionnaire_version'];

function contentOfRecord(name: string): Variable['holds'] {
  if (INSTANTS.includes(name)) return 'INSTANT';
  if (DAYS.includes(name)) return 'DAY';
  return NUMBERS.includes(name) ? 'NUMBER' : 'TEXT';
}

interface InterviewFile {
  variables: Variable[];
  haveLineBreaks: boolean;
}

async function interviewVariables({
  match,
  zone,
}: {
  match: mongo.Document;
  zone: string;
}): Promise<InterviewFile> {
  return await inSnapshot(async (session) => {
    const plan = await planExport({ match, zone, includeDeleted: false, coordinates: false }, session);
    const observed = await observedIn(plan, session);
    const record = [...plan.record, OTHER_ANSWERS_COLUMN].map(
      ({ name, text }): Variable => ({
        ...{ column: name, label: text, holds: contentOfRecord(name) },
        ...{ bytes: ID_BYTES, values: [], isWhole: true },
      }),
    );
    const answers = plan.answers.map(({ name, text, type, values }): Variable => {
      const written = writtenValues(values);
      const bytes = longest(written.map(({ value }) => value));
      return {
        ...{ column: name, label: inEnglish(text, name) },
        holds: variableTypeOf(written, type),
        bytes: values.length > 0 ? bytes : LEAST_TEXT_BYTES,
        values: written,
        isWhole: true,
      };
    });
    const [remainderVariable] = record.splice(-1);
    return {
      variables: [...record, ...answers, remainderVariable!].map((one, at) => fitted(one, observed[at]!)),
      haveLineBreaks: observed.some((one) => one.haveLineBreak),
    };
  });
}

async function observedIn(plan: ExportPlan, session: mongo.ClientSession): Promise<ColumnProfile[]> {
  const observed = plan.names.map(newObservedColumn);
  const unknown = () => plan.names.map(() => ({ ...newObservedColumn(), bytes: TEXT_BYTES }));
  if (plan.total > MAX_OBSERVED) return unknown();
  let bytes = 0;
  for await (const rows of exportRows(plan, session)) {
    bytes += profileExportColumns(observed, rows);
    if (bytes > MAX_OBSERVED_BYTES) return unknown();
  }
  return observed;
}

/**
 * Changes the type if some cells don't fit it, since they would be lost. Texts get extra width, because a later
 * download may have longer ones.
 */
function fitted(variable: Variable, { bytes, areNumbers, areDays, areWhole }: ColumnProfile): Variable {
  const isOdd = (variable.holds === 'NUMBER' && !areNumbers) || (variable.holds === 'DAY' && !areDays);
  const holds = !isOdd ? variable.holds : variable.values.length > 0 ? 'CATEGORY' : 'TEXT';
  const room = holds === 'TEXT' && bytes > ID_BYTES ? 2 * bytes : bytes;
  return { ...variable, holds, bytes: Math.max(variable.bytes, room), isWhole: areWhole };
}
