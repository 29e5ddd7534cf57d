/** Writes any of the files, chunk by chunk. */

import { setImmediate as turn } from 'node:timers/promises';
import mongoose, { type mongo, type Types } from 'mongoose';
import { audit } from '../platform/audit/model.ts';
import { inSnapshot } from '../platform/db/snapshot.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { WriteChunk } from '../platform/http/bodies/backpressure.ts';
import { definedFields } from '../platform/lib/objects/defined-fields.ts';
import { PopulationCountModel, type PopulationCountRecord } from '../statistics/counts/model.ts';
import { loadCountAnswersByPerson } from '../statistics/counts/tables/person-cells.ts';
import { LOCATION_OUTCOME_SPEC } from '../statistics/sample/catalog.ts';
import type { StudySample } from '../statistics/sample/load.ts';
import { siteMembershipOutcome } from '../statistics/sample/sites.ts';
import { loadQuestionnaireVersions } from '../statistics/sample/versions.ts';
import { LocationModel } from '../study/locations/model.ts';
import { requestedRound } from '../study/rounds/requested.ts';
import { hasIncentives } from '../study/settings/incentives.ts';
import { loadStudy } from '../study/settings/model.ts';
import { type BundleEntry, writeZip } from './bundle.ts';
import { exportedCardRows } from './interviews/cards.ts';
import { type IncentivePresenter, incentiveRows } from './interviews/incentives.ts';
import { codebookRowsForExport, exportRows, planExport } from './interviews/interviews.ts';
import { createJsonArrayWriter, csvText } from './interviews/row-text.ts';
import { readme } from './readme.ts';
import { cellsCsvColumns, personCountCellsCsv } from './sample/cells-csv.ts';
import { chainWeightsScript } from './sample/chain-r.ts';
import { requireSoundSample, sampleTableOf } from './sample/checked-sample.ts';
import { graphml, graphvizDot } from './sample/graph.ts';
import { rdsat } from './sample/rdsat.ts';
import { sampleCodebook } from './sample/sample-codebook.ts';
import { sampleCsv } from './sample/sample-csv.ts';
import type { SampleTable } from './sample/sample-table.ts';
import { type CountForScript, studyR } from './sample/study-r.ts';
import { estimatesCsv, weightsWithTreeIntervals } from './sample/tree-weights.ts';
import { weightsCsv } from './sample/weights.ts';
import {
  EXPORT_FILES,
  type ExportName,
  type IncentivesExportQuery,
  type InterviewsExportQuery,
  type SampleExportQuery,
} from './schema.ts';
import { interviewSyntaxFiles, sampleSyntax } from './syntax/syntax-files.ts';

/** Exports, as audited. */
export interface AuditedExport {
  name: string;
  /** The query as requested. */
  query: object;
  now: Date;
  /** Null for an operator's command. */
  by: Types.ObjectId | null;
  /** For files with answers: records who read it. Absent for a command. */
  recordRead?: (() => Promise<void>) | undefined;
}

export interface ExportFileRequest extends AuditedExport {
  name: ExportName;
  query: InterviewsExportQuery | IncentivesExportQuery | SampleExportQuery;
  /** A filter on interviews or incentives: the requested ones that the caller may read. */
  match: mongo.Document;
  zone: string;
  /** For bundle.zip: a filter on incentives. Absent if the reader may not read all of them. */
  incentives?: mongo.Document | undefined;
  /** What the reader of incentives.csv may see. */
  reader: IncentivePresenter;
}

/** 409 SAMPLE_BROKEN before any data is written; the download is audited even before that. */
export async function writeExportFile(
  request: ExportFileRequest,
  give: WriteChunk,
  signal?: AbortSignal,
): Promise<void> {
  const giveText = async (text: string) => await give(Buffer.from(text));
  if (request.name === 'incentives.csv') await writeIncentives(request, giveText);
  else if (request.name === 'cards.csv') await writeCards(request, giveText);
  else if (EXPORT_FILES[request.name].ofSample) await writeSampleFile(request, give, giveText, signal);
  else await writeInterviews(request, giveText);
}

type WriteText = (text: string) => Promise<void>;

async function writeInterviews(request: ExportFileRequest, give: WriteText): Promise<void> {
  await inSnapshot(async (session) => {
    const { name, match, zone } = request;
    const plan = await planExport({ match, zone, includeDeleted: false, coordinates: false }, session);
    await recordDownload(request);
    if (name === 'codebook.csv') return await give(csvText(codebookRowsForExport(plan)));
    if (name === 'interviews.csv') await give(csvText([plan.names]));
    const json = createJsonArrayWriter(plan.names);
    for await (const rows of exportRows(plan, session))
      await give(name === 'interviews.csv' ? csvText(rows) : json.some(rows));
    if (name === 'interviews.json') await give(json.end());
  });
}

async function writeIncentives(request: ExportFileRequest, give: WriteText): Promise<void> {
  await inSnapshot(async (session) => {
    await recordDownload(request);
    const { paidFrom, paidTo } = request.query as IncentivesExportQuery;
    const byPayment = paidFrom !== undefined || paidTo !== undefined;
    for await (const rows of incentiveRows({ ...request, people: true, byPayment }, session))
      await give(csvText(rows));
  });
}

async function writeCards(request: ExportFileRequest, give: WriteText): Promise<void> {
  await inSnapshot(async (session) => {
    await recordDownload(request);
    for await (const rows of exportedCardRows(request, session)) await give(csvText(rows));
  });
}

const SAMPLE_FILES: Partial<Record<ExportName, (table: SampleTable) => Iterable<string>>> = {
  'rds.csv': sampleCsv,
  'rdsat.txt': rdsat,
  'tree.graphml': graphml,
  'tree.dot': graphvizDot,
};

async function writeSampleFile(
  request: ExportFileRequest,
  give: WriteChunk,
  giveText: WriteText,
  signal?: AbortSignal,
): Promise<void> {
  const { name, zone, now } = request;
  const window = request.query as SampleExportQuery;
  const sample = await requireSoundSample({ window, zone, now, outcomes: 'ALL' });
  const table = sampleTableOf(sample);
  const pieces = SAMPLE_FILES[name];
  if (pieces) {
    await recordDownload(request);
    for (const piece of pieces(table)) {
      await giveText(piece);
      await turn();
    }
    return;
  }
  const entries = await bundleOf(request, { sample, table }, signal);
  await recordDownload(request);
  await writeZip(entries, now, give);
}

/** All as of the moment when writing starts. */
async function* incentivesCsv(
  match: mongo.Document,
  { zone, reader }: ExportFileRequest,
): AsyncGenerator<string> {
  const session = mongoose.connection.getClient().startSession({ snapshot: true });
  try {
    for await (const rows of incentiveRows({ match, zone, reader, people: false }, session))
      yield csvText(rows);
  } finally {
    await session.endSession();
  }
}

async function bundleOf(
  request: ExportFileRequest,
  { sample, table }: { sample: StudySample; table: SampleTable },
  signal?: AbortSignal,
): Promise<BundleEntry[]> {
  const { query, zone, incentives } = request;
  const window = query as SampleExportQuery;
  const site = await siteOf(window.location);
  const pays = incentives !== undefined && hasIncentives(await loadStudy());
  const versions = await loadQuestionnaireVersions();
  const waves = table.tree.waves.reduce((max, wave) => Math.max(max, wave), 0);
  const outcomes = sample.outcomes.map((one) => ({
    ...{ name: one.name, kind: one.outcome.kind, notAsked: one.notAsked },
  }));
  const { populationSize } = sample.study;
  const sites = sitesOf(sample);
  const siteName = siteMembershipOutcome(sample.outcomes, await loadStudy())?.name ?? null;
  const counts = await countsOfSample(window);
  const labelOf = (id: string) => versions.get(id)?.label ?? id;
  const script = { outcomes, sites, people: table.ids.length, populationSize, site: siteName, counts };
  const weights = await weightsWithTreeIntervals(sample, window, signal);
  const cells = await loadCountAnswersByPerson({ window, zone });
  const hasCells = cellsCsvColumns(cells.answers).length > 0;
  return [
    { name: 'README.md', pieces: () => readme(sample, waves, { window, zone, site, pays, hasCells }) },
    ...Object.entries(SAMPLE_FILES).map(([file, make]) => ({ name: file, pieces: () => make(table) })),
    { name: 'weights.csv', pieces: () => weightsCsv(table, weights) },
    { name: 'estimates.csv', pieces: () => estimatesCsv(sample.outcomes, weights) },
    ...(hasCells ? [{ name: 'cells.csv', pieces: () => personCountCellsCsv(cells) }] : []),
    { name: 'codebook.csv', pieces: () => [csvText(sampleCodebook(sample.outcomes, labelOf))] },
    ...(pays ? [{ name: 'incentives.csv', pieces: () => incentivesCsv(incentives, request) }] : []),
    { name: 'study.R', pieces: () => [studyR(script)] },
    { name: 'chain.R', pieces: () => [chainWeightsScript(script)] },
    ...sampleSyntax(sample.outcomes, table),
    ...interviewSyntaxFiles(request),
  ];
}

/** More than any study has. */
const MAX_COUNTS = 100;

/** Counts of the whole sample, for study.R. */
async function countsOfSample({ round, location, from, to }: SampleExportQuery): Promise<CountForScript[]> {
  if (location !== undefined || from !== undefined || to !== undefined) return [];
  const { _id } = (await requestedRound(round)).round;
  const whole = { deletedAt: null, round: _id, location: null, from: null, to: null };
  const finishedCounts = await PopulationCountModel.find(whole)
    .sort({ createdAt: 1 })
    .limit(MAX_COUNTS)
    .lean<PopulationCountRecord[]>();
  return finishedCounts.map(({ _id, name, outcome, value, known, knownLow, knownHigh }) => ({
    ...{ id: _id.toHexString(), name, outcome, value, known },
    ...{ low: knownLow ?? known, high: knownHigh ?? known },
  }));
}

/** Names of the sample's sites, by id. */
function sitesOf({ outcomes }: StudySample): Map<string, string> {
  const siteColumn = outcomes.find(({ name }) => name === LOCATION_OUTCOME_SPEC.name);
  const levels = siteColumn?.outcome.kind === 'CATEGORY' ? siteColumn.outcome.levels : [];
  return new Map(levels.map((id, at) => [id, siteColumn?.levelTitles[at]?.en ?? id]));
}

async function siteOf(location: string | undefined): Promise<string | null> {
  if (location === undefined) return null;
  const site = await LocationModel.findById(location, { name: 1 }).lean<{ name: string }>();
  return site?.name ?? location;
}

/** Records the download before the first piece is sent, so that it is known even if the reader hangs up. */
export async function recordDownload({ name, query, by, now, recordRead }: AuditedExport): Promise<void> {
  const parameters = definedFields({ file: name, ...query });
  const changes = Object.entries(parameters).map(([path, after]) => ({ path, before: null, after }));
  const record = new mongoose.Types.ObjectId();
  await inTransaction((session) =>
    audit(session, { by, now }, { action: 'download', subject: 'Export', record, changes }),
  );
  await recordRead?.();
}
