/** Writes the interviews and the codebook as files. */
import { createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientSession, mongo, Types } from 'mongoose';
import { inSnapshot } from '../platform/db/snapshot.ts';
import { dateFilter } from '../platform/http/lists/date-range.ts';
import { writeAtomically } from '../platform/lib/atomic-files.ts';
import { codebookRowsForExport, type ExportPlan, exportRows, planExport } from './interviews/interviews.ts';
import { type CsvOrJson, csvText, jsonLines } from './interviews/row-text.ts';
import { recordDownload } from './write-file.ts';

const BOM = '\uFEFF';

export interface DiskExportOptions {
  location: Types.ObjectId | null;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
  includeDeleted: boolean;
  completedOnly: boolean;
  coordinates: boolean;
  format: CsvOrJson;
  bom: boolean;
  zone: string;
  now: Date;
}

export interface ExportSummary {
  interviews: number;
  columns: number;
  bytes: number;
}

/** The codebook, if requested, appears together with the data. */
export async function exportInterviewsToFiles(
  paths: { data: string; codebook: string | null },
  request: DiskExportOptions,
  onProgress: (rowCount: number, total: number) => void,
): Promise<ExportSummary> {
  const match = matchOf(request);
  const targets = [paths.data, ...(paths.codebook ? [paths.codebook] : [])];
  const counts = await writeAtomically(targets, async ([data = '', words]) =>
    inSnapshot(async (session) => {
      const plan = await planExport({ ...request, match }, session);
      await recordDownload({
        name: nameOf(request),
        query: auditDetails(request, words),
        now: request.now,
        by: null,
      });
      const text = Readable.from(textOf(plan, request, session, onProgress));
      await pipeline(text, createWriteStream(data, { mode: 0o600 }));
      if (words)
        await writeFile(words, start(request) + csvText(codebookRowsForExport(plan)), { mode: 0o600 });
      return { interviews: plan.total, columns: plan.names.length };
    }),
  );
  return { ...counts, bytes: (await stat(paths.data)).size };
}

/** The name for the audit trail: by content, because a path would depend on the machine. */
const nameOf = ({ format }: DiskExportOptions) => (format === 'csv' ? 'interviews.csv' : 'interviews.jsonl');

function auditDetails(request: DiskExportOptions, words: string | undefined): object {
  const { location, from, to, completedOnly, includeDeleted, coordinates } = request;
  const chosen = Object.entries({
    completedOnly,
    includeDeleted,
    coordinates,
    codebook: words !== undefined,
  });
  return {
    ...{ location: location ? String(location) : undefined, from, to },
    ...Object.fromEntries(chosen.filter(([, isSo]) => isSo)),
  };
}

const start = ({ bom }: DiskExportOptions) => (bom ? BOM : '');

function matchOf({
  location,
  from,
  to,
  includeDeleted,
  completedOnly,
  zone,
}: DiskExportOptions): mongo.Document {
  const conditions: mongo.Document[] = [dateFilter('createdAt', { from, to }, zone)];
  if (!includeDeleted) conditions.push({ deletedAt: null });
  if (location) conditions.push({ location });
  if (completedOnly) conditions.push({ status: 'COMPLETED' });
  return { $and: conditions };
}

async function* textOf(
  plan: ExportPlan,
  request: DiskExportOptions,
  session: ClientSession,
  onProgress: (rowCount: number, total: number) => void,
): AsyncGenerator<string> {
  if (request.format === 'csv') yield start(request) + csvText([plan.names]);
  let rowCount = 0;
  onProgress(rowCount, plan.total);
  for await (const rows of exportRows(plan, session)) {
    yield request.format === 'csv' ? csvText(rows) : jsonLines(plan.names, rows);
    rowCount += rows.length;
    onProgress(rowCount, plan.total);
  }
}
