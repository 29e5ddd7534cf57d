/**
 * The process that owns the study table (src/statistics/study-table/process.ts), with every figure that it can
 * calculate.
 */

import {
  findingByIdTableQuery,
  findingGroupsFromStudyTable,
  findingsTableQuery,
  surveysWithFindingsTableQuery,
} from './board/quality/findings.ts';
import { seedChainsFromStudyTable, seedsInStateStudyTableQuery } from './board/recruitment/chains/chains.ts';
import { forestFromStudyTable } from './board/recruitment/chains/forest.ts';
import { interviewerRowsTableQuery } from './board/recruitment/interviewers.ts';
import { paceFromStudyTable } from './board/recruitment/pace/pace.ts';
import { sitesStudyTableQuery } from './board/recruitment/sites.ts';
import { recruitmentSummaryTableQuery } from './board/recruitment/summary.ts';
import { forecastFromStudyTable } from './board/recruitment/tomorrow/tomorrow.ts';
import { connect } from './platform/db/connect.ts';
import { asProblem } from './platform/http/problems/errors.ts';
import { serveJobs } from './platform/lib/workers/worker.ts';
import { versionCountsFromStudyTable } from './statistics/activation/impact.ts';
import { roundForChangeFromStudyTable } from './statistics/change/change.ts';
import { countAnswersFromStudyTable } from './statistics/counts/tables/count-tables.ts';
import { countAnswersStudyTableQuery } from './statistics/counts/tables/person-cells.ts';
import { answersFromStudyTable } from './statistics/results/answers.ts';
import { groupComparisonTableQuery } from './statistics/results/compare/compare.ts';
import { outcomeTableQuery } from './statistics/results/estimates.ts';
import { reportFromStudyTable } from './statistics/results/report/report.ts';
import { answeredVersionsTableQuery } from './statistics/runs/create.ts';
import { offeredOutcomesTableQuery } from './statistics/sample/list-outcomes.ts';
import { sampleFromStudyTable } from './statistics/sample/load.ts';
import { versionsInUseTableQuery } from './statistics/sample/versions.ts';
import { LiveStudyTable } from './statistics/study-table/live-table.ts';
import { studyTableForRound } from './statistics/study-table/of-round.ts';
import type { TableProcessRequest, TableReply } from './statistics/study-table/process.ts';
import type { StudyTableQuery } from './statistics/study-table/table-query.ts';

/** Pulls changes this often, so that no request has to wait for all changes since the previous one. */
const REFRESH_MS = 3_000;

/** The worker side of process.ts: follows the collections, and calculates one figure at a time. */
function serveTable(figures: readonly StudyTableQuery<never, unknown>[]): void {
  const byName = new Map(figures.map((one) => [one.name, one]));
  const live = new LiveStudyTable();
  let connected: Promise<void> | null = null;
  const follow = async (uri: string, database: string) => {
    await connect(uri, database);
    setInterval(() => void live.upToDate().catch(() => undefined), REFRESH_MS);
  };
  serveJobs(async ({ uri, database, question: request }: TableProcessRequest): Promise<TableReply> => {
    try {
      connected ??= follow(uri, database);
      await connected.catch((error: unknown) => {
        connected = null;
        throw error;
      });
      const table = await live.upToDate();
      if (!request) return { result: null };
      const figure = byName.get(request.figure);
      if (!figure) throw new Error(`src/table-worker.ts does not list the figure "${request.figure}"`);
      return { result: figure.of(studyTableForRound(table, request.args), request.args as never) };
    } catch (error) {
      const { name, why, errors, headers, message, cause } = asProblem(error);
      if (name === 'INTERNAL') return { failed: cause };
      const options = { message, headers, ...(why && { why }), ...(errors && { errors }) };
      return { refused: { name, options } };
    }
  });
}

serveTable([
  recruitmentSummaryTableQuery,
  paceFromStudyTable,
  sitesStudyTableQuery,
  forecastFromStudyTable,
  interviewerRowsTableQuery,
  seedChainsFromStudyTable,
  forestFromStudyTable,
  seedsInStateStudyTableQuery,
  findingsTableQuery,
  findingGroupsFromStudyTable,
  findingByIdTableQuery,
  surveysWithFindingsTableQuery,
  sampleFromStudyTable,
  offeredOutcomesTableQuery,
  outcomeTableQuery,
  answersFromStudyTable,
  groupComparisonTableQuery,
  reportFromStudyTable,
  answeredVersionsTableQuery,
  versionsInUseTableQuery,
  versionCountsFromStudyTable,
  countAnswersFromStudyTable,
  countAnswersStudyTableQuery,
  roundForChangeFromStudyTable,
]);
