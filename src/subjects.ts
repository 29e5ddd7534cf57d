/**
 * All resources, in the order in which a newcomer meets them, and what follows from their declarations: models,
 * translations of the database's refusals, groups of the documentation, routes. A new one is a folder with a
 * `subject.ts`, and its two lines here; what else is missing test/docs/subjects.test.ts prints.
 */
import { analysisRuns } from './analysis-runs/subject.ts';
import { audit } from './audit/subject.ts';
import { auth } from './auth/subject.ts';
import { counts } from './counts/subject.ts';
import { exports } from './export/subject.ts';
import { health } from './health/subject.ts';
import { declareRefusals } from './http/errors.ts';
import type { Route } from './http/route.ts';
import { locations } from './locations/subject.ts';
import { print } from './print/subject.ts';
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
  referralCodes,
  print,
  questionnaires,
  study,
  recruitment,
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

for (const { unique } of COLLECTIONS) declareRefusals(unique ?? {});

export async function allRoutes(): Promise<Route[]> {
  const routes: Route[] = [];
  // One after another: Jest's loader of modules can't do several at once.
  for (const one of SUBJECTS) routes.push(...(await one.routes(SUBJECTS)));
  return routes;
}
