/** The process that owns the study table (src/study-table/process.ts), with every figure that it can calculate. */
import { interviewsByVersionFigure } from './activation/impact.ts';
import { versionsFigure } from './analysis-runs/create.ts';
import { connect } from './db/connect.ts';
import { asProblem } from './http/errors.ts';
import { serve } from './lib/worker.ts';
import { findingFigure, findingGroupsFigure, findingsFigure, suspectsFigure } from './quality/findings.ts';
import { chainsFigure, seedsByStateFigure } from './recruitment/chains.ts';
import { forestFigure } from './recruitment/forest.ts';
import { interviewersFigure } from './recruitment/interviewers.ts';
import { paceFigure } from './recruitment/pace.ts';
import { sitesFigure } from './recruitment/sites.ts';
import { summaryFigure } from './recruitment/summary.ts';
import { answersFigure } from './results/answers.ts';
import { comparisonFigure } from './results/compare.ts';
import { outcomeFigure } from './results/estimates.ts';
import { reportFigure } from './results/report.ts';
import { outcomesFigure } from './sample/list-outcomes.ts';
import { sampleFigure } from './sample/load.ts';
import { heldVersionsFigure } from './sample/versions.ts';
import type { Figure } from './study-table/figure.ts';
import { LiveTable } from './study-table/live-table.ts';
import type { Answer, Question } from './study-table/process.ts';

/** So that nobody has to wait for everything that changed since somebody last asked. */
const PULL_MS = 3_000;

/** The side of process.ts that works: follows the collections, and calculates one figure at a time. */
function serveTable(figures: readonly Figure<never, unknown>[]): void {
  const byName = new Map(figures.map((one) => [one.name, one]));
  const live = new LiveTable();
  let connected: Promise<void> | null = null;
  const follow = async (uri: string, database: string) => {
    await connect(uri, database);
    setInterval(() => void live.upToDate().catch(() => undefined), PULL_MS);
  };
  serve(async ({ uri, database, asked }: Question): Promise<Answer> => {
    try {
      connected ??= follow(uri, database);
      await connected.catch((error: unknown) => {
        connected = null;
        throw error;
      });
      const table = await live.upToDate();
      if (!asked) return { result: null };
      const found = byName.get(asked.figure);
      if (!found) throw new Error(`src/table-worker.ts does not list the figure "${asked.figure}"`);
      return { result: found.of(table, asked.args as never) };
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
  interviewersFigure,
  chainsFigure,
  forestFigure,
  seedsByStateFigure,
  findingsFigure,
  findingGroupsFigure,
  findingFigure,
  suspectsFigure,
  sampleFigure,
  outcomesFigure,
  outcomeFigure,
  answersFigure,
  comparisonFigure,
  reportFigure,
  versionsFigure,
  heldVersionsFigure,
  interviewsByVersionFigure,
]);
