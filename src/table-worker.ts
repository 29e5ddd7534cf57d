/** The process that owns the study's table (src/study-table/process.ts), with every figure that it can be asked for. */
import { versionsFigure } from './analysis-runs/make.ts';
import { findingFigure, findingsFigure } from './quality/findings.ts';
import { chainsFigure, seedsByStateFigure } from './recruitment/chains.ts';
import { interviewersFigure } from './recruitment/interviewers.ts';
import { paceFigure } from './recruitment/pace.ts';
import { sitesFigure } from './recruitment/sites.ts';
import { summaryFigure } from './recruitment/summary.ts';
import { answersFigure } from './results/answers.ts';
import { comparisonFigure } from './results/compare.ts';
import { outcomeFigure } from './results/estimates.ts';
import { reportFigure } from './results/report.ts';
import { sampleFigure } from './sample/load.ts';
import { outcomesFigure } from './sample/offer.ts';
import { serveTable } from './study-table/serve.ts';

serveTable([
  summaryFigure,
  paceFigure,
  sitesFigure,
  interviewersFigure,
  chainsFigure,
  seedsByStateFigure,
  findingsFigure,
  findingFigure,
  sampleFigure,
  outcomesFigure,
  outcomeFigure,
  answersFigure,
  comparisonFigure,
  reportFigure,
  versionsFigure,
]);
