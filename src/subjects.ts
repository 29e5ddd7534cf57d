/**
 * All resources, and what follows from their declarations: models, problems for unique indexes, groups of the
 * documentation, routes, what the database needs before the service starts. A new resource needs a folder with a
 * `subject.ts` and two lines here; test/docs/subjects.test.ts prints what else is missing.
 */
import { analysisRuns } from './analysis-runs/subject.ts';
import { audit } from './audit/subject.ts';
import { auth } from './auth/subject.ts';
import { counts } from './counts/subject.ts';
import { backfillRecords } from './db/backfill.ts';
import { createCollection, ensureIndexes } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { MIGRATIONS } from './db/migrations/all.ts';
import { exports } from './export/subject.ts';
import { health } from './health/subject.ts';
import { registerIndexProblems } from './http/errors.ts';
import { prepareLimits } from './http/rate-limits.ts';
import type { Route } from './http/route.ts';
import { incentives } from './incentives/subject.ts';
import { locations } from './locations/subject.ts';
import type { Log } from './log.ts';
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

export const COLLECTIONS = SUBJECTS.flatMap((one) => one.collections ?? []);
export const MODELS = COLLECTIONS.map(({ model }) => model);
export const TAGS = SUBJECTS.flatMap((one) => one.tags ?? []);

for (const { unique } of COLLECTIONS) registerIndexProblems(unique ?? {});

export async function allRoutes(): Promise<Route[]> {
  const routes: Route[] = [];
  // One after another, because Jest's module loader can't load several at once.
  for (const one of SUBJECTS) routes.push(...((await one.routes?.(SUBJECTS)) ?? []));
  return routes;
}

/**
 * Migrations, indexes, first records. Safe to repeat, and in several processes at once. Migrations come first, because an
 * index of this version may not fit the data of an earlier one.
 */
export async function prepareDatabase(now: Date, log?: Log): Promise<void> {
  await migrate(MIGRATIONS, log ? { log } : {});
  await ensureIndexes(MODELS);
  const mended = await backfillRecords();
  if (mended > 0) log?.warn(`An earlier version wrote to this database: ${mended} records were mended.`);
  await prepareLimits();
  // Created here, because two transactions that create it at the same time would fail.
  await createCollection('locks');
  for (const one of SUBJECTS) await one.prepare?.(now);
}
