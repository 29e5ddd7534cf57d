/**
 * All resources, and what follows from their declarations: models, problems for unique indexes, groups of the
 * documentation, routes. A new resource needs a folder with a `subject.ts` and two lines here;
 * test/docs/subjects.test.ts prints what else is missing.
 */
import { analysisRuns } from './analysis-runs/subject.ts';
import { audit } from './audit/subject.ts';
import { auth } from './auth/subject.ts';
import { counts } from './counts/subject.ts';
import { exports } from './export/subject.ts';
import { health } from './health/subject.ts';
import { registerIndexProblems } from './http/errors.ts';
import type { Route } from './http/route.ts';
import { incentives } from './incentives/subject.ts';
import { locations } from './locations/subject.ts';
import { payments } from './payments/subject.ts';
import { print } from './print/subject.ts';
import { quality } from './quality/subject.ts';
import { questionnaires } from './questionnaires/subject.ts';
import { recruitment } from './recruitment/subject.ts';
import { referralCodes } from './referral-codes/subject.ts';
import { results } from './results/subject.ts';
import type { SubjectDeclaration } from './rights/subject.ts';
import { sample } from './sample/subject.ts';
import { seeds } from './seeds/subject.ts';
import { study } from './study/subject.ts';
import { surveys } from './surveys/subject.ts';
import { users } from './users/subject.ts';

export const SUBJECTS: readonly SubjectDeclaration[] = [
  auth,
  users,
  locations,
  seeds,
  surveys,
  incentives,
  payments,
  referralCodes,
  print,
  questionnaires,
  study,
  recruitment,
  quality,
  sample,
  analysisRuns,
  results,
  counts,
  exports,
  audit,
  health,
];

export const COLLECTIONS = SUBJECTS.flatMap((one) => one.collections);
export const MODELS = COLLECTIONS.map(({ model }) => model);
export const TAGS = SUBJECTS.flatMap((one) => one.tags);

for (const { unique } of COLLECTIONS) registerIndexProblems(unique ?? {});

export async function allRoutes(): Promise<Route[]> {
  const routes: Route[] = [];
  // One after another, because Jest's module loader can't load several at once.
  for (const one of SUBJECTS) routes.push(...(await one.routes(SUBJECTS)));
  return routes;
}
