/**
 * The process that owns the study table (src/statistics/study-table/process.ts), with every figure that it can
 * calculate.
 */

import {
  findingFigure,
  findingGroupsFigure,
  findingsFigure,
  surveysWithFindingsFigure,
} from './board/quality/findings.ts';
import { chainsFigure, seedsByStateFigure } from './board/recruitment/chains/chains.ts';
import { forestFigure } from './board/recruitment/chains/forest.ts';
import { interviewersFigure } from './board/recruitment/interviewers.ts';
import { paceFigure } from './board/recruitment/pace/pace.ts';
import { sitesFigure } from './board/recruitment/sites.ts';
import { summaryFigure } from './board/recruitment/summary.ts';
import { sitesForecastFigure } from './board/recruitment/tomorrow/tomorrow.ts';
import { connect } from './platform/db/connect.ts';
import { asProblem } from './platform/http/problems/errors.ts';
import { serveJobs } from './platform/lib/workers/worker.ts';
import { interviewsByVersionFigure } from './statistics/activation/impact.ts';
import { changeFigure } from './statistics/change/change.ts';
import { tableAnswersFigure } from './statistics/counts/tables/count-tables.ts';
import { personCellsFigure } from './statistics/counts/tables/person-cells.ts';
import { answersFigure } from './statistics/results/answers.ts';
import { comparisonFigure } from './statistics/results/compare/compare.ts';
import { outcomeFigure } from './statistics/results/estimates.ts';
import { reportFigure } from './statistics/results/report/report.ts';
import { versionsFigure } from './statistics/runs/create.ts';
import { outcomesFigure } from './statistics/sample/list-outcomes.ts';
import { sampleFigure } from './statistics/sample/load.ts';
import { versionsInUseFigure } from './statistics/sample/versions.ts';
import type { Figure } from './statistics/study-table/figure.ts';
import { LiveTable } from './statistics/study-table/live-table.ts';
import { tableFor } from './statistics/study-table/of-round.ts';
import type { TableAnswer, TableQuestion } from './statistics/study-table/process.ts';

/** Pulls changes this often, so that no request has to wait for all changes since the previous one. */
const REFRESH_MS = 3_000;

/** The worker side of process.ts: follows the collections, and calculates one figure at a time. */
function serveTable(figures: readonly Figure<never, unknown>[]): void {
  const byName = new Map(figures.map((one) => [one.name, one]));
  const live = new LiveTable();
  let connected: Promise<void> | null = null;
  const follow = async (uri: string, database: string) => {
    await connect(uri, database);
    setInterval(() => void live.upToDate().catch(() => undefined), REFRESH_MS);
  };
  serveJobs(async ({ uri, database, question: request }: TableQuestion): Promise<TableAnswer> => {
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
      return { result: figure.of(tableFor(table, request.args), request.args as never) };
    } catch (error) {
      const { name, why, errors, headers, message, cause } = asProblem(error);
      if (name === 'INTERNAL') return { failed: cause };
      const options = { message, headers, ...(why && { why }), ...(errors && { errors }) };
      return { refused: { name, options } };
    }
  });
}

serveTable([
  summaryFigure,
  paceFigure,
  sitesFigure,
  sitesForecastFigure,
  interviewersFigure,
  chainsFigure,
  forestFigure,
  seedsByStateFigure,
  findingsFigure,
  findingGroupsFigure,
  findingFigure,
  surveysWithFindingsFigure,
  sampleFigure,
  outcomesFigure,
  outcomeFigure,
  answersFigure,
  comparisonFigure,
  reportFigure,
  versionsFigure,
  versionsInUseFigure,
  interviewsByVersionFigure,
  tableAnswersFigure,
  personCellsFigure,
  changeFigure,
]);
