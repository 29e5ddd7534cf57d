/**
 * All resources, and what follows from their declarations: models, problems for unique indexes, groups of the
 * documentation, routes, what the database needs before the service starts. A new resource needs a folder with a
 * `resource.ts` and two lines here; test/docs/resources.test.ts prints what else is missing.
 */
import { activation } from './activation/resource.ts';
import { analysisRuns } from './analysis-runs/resource.ts';
import { audit } from './audit/resource.ts';
import { auth } from './auth/resource.ts';
import { cashDays } from './cash-days/resource.ts';
import { counts } from './counts/resource.ts';
import { backfillRecords } from './db/backfill.ts';
import { createCollection, ensureIndexes, findMissingIndexes } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { MIGRATIONS } from './db/migrations/all.ts';
import { exports } from './export/resource.ts';
import { health } from './health/resource.ts';
import { registerIndexProblems } from './http/errors.ts';
import { prepareLimits } from './http/rate-limits.ts';
import type { Route } from './http/route.ts';
import { incentives } from './incentives/resource.ts';
import { locations } from './locations/resource.ts';
import type { Log } from './log.ts';
import { payments } from './payments/resource.ts';
import { print } from './print/resource.ts';
import { quality } from './quality/resource.ts';
import { questionnaireDrafts } from './questionnaire-drafts/resource.ts';
import { questionnaires } from './questionnaires/resource.ts';
import { recruitment } from './recruitment/resource.ts';
import { referralCodes } from './referral-codes/resource.ts';
import { results } from './results/resource.ts';
import type { ResourceDeclaration } from './rights/resource.ts';
import { sample } from './sample/resource.ts';
import { seeds } from './seeds/resource.ts';
import { study } from './study/resource.ts';
import { surveys } from './surveys/resource.ts';
import { users } from './users/resource.ts';

export const RESOURCES: readonly ResourceDeclaration[] = [
  auth,
  users,
  locations,
  seeds,
  surveys,
  incentives,
  payments,
  cashDays,
  referralCodes,
  print,
  questionnaires,
  questionnaireDrafts,
  study,
  recruitment,
  quality,
  sample,
  analysisRuns,
  results,
  counts,
  activation,
  exports,
  audit,
  health,
];

export const COLLECTIONS = RESOURCES.flatMap((one) => one.collections ?? []);
export const MODELS = COLLECTIONS.map(({ model }) => model);
export const TAGS = RESOURCES.flatMap((one) => one.tags ?? []);

for (const { unique } of COLLECTIONS) registerIndexProblems(unique ?? {});

export async function allRoutes(): Promise<Route[]> {
  const routes: Route[] = [];
  // One after another, because Jest's module loader can't load several at once.
  for (const one of RESOURCES) routes.push(...((await one.routes?.(RESOURCES)) ?? []));
  return routes;
}

/** Without them the database would store one interview twice. */
export const hasUniqueIndexes = async (): Promise<boolean> =>
  (await findMissingIndexes(MODELS)).every(({ unique }) => !unique);

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
  for (const one of RESOURCES) await one.prepare?.(now);
}
