/**
 * All resources, and what follows from their declarations: models, problems for unique indexes, groups of the
 * documentation, routes, what the database needs before the service starts. A new resource needs a folder with a
 * `resource.ts` and two lines here; test/docs/resources.test.ts prints what else is missing.
 */
import { auth } from './access/auth/resource.ts';
import { quality } from './board/quality/resource.ts';
import { recruitment } from './board/recruitment/resource.ts';
import { print } from './coupons/print/resource.ts';
import { referralCodes } from './coupons/referral-codes/resource.ts';
import { seeds } from './coupons/seeds/resource.ts';
import { exports } from './exports/resource.ts';
import { cashDays } from './interviews/cash-days/resource.ts';
import { incentives } from './interviews/incentives/resource.ts';
import { payments } from './interviews/payments/resource.ts';
import { surveys } from './interviews/surveys/resource.ts';
import { audit } from './platform/audit/resource.ts';
import { createCollection, ensureIndexes, findMissingIndexes } from './platform/db/connect.ts';
import { migrate } from './platform/db/migrate.ts';
import { MIGRATIONS } from './platform/db/migrations/all.ts';
import { health } from './platform/health/resource.ts';
import { prepareLimits } from './platform/http/limits/rate-limits.ts';
import type { IndexProblems } from './platform/http/problems/errors.ts';
import type { Route } from './platform/http/route.ts';
import type { Log } from './platform/log.ts';
import type { ResourceDeclaration } from './platform/rights/resource.ts';
import { questionnaireDrafts } from './questionnaires/drafts/resource.ts';
import { questionnaires } from './questionnaires/resource.ts';
import { activation } from './statistics/activation/resource.ts';
import { counts } from './statistics/counts/resource.ts';
import { results } from './statistics/results/resource.ts';
import { analysisRuns } from './statistics/runs/resource.ts';
import { sample } from './statistics/sample/resource.ts';
import { locations } from './study/locations/resource.ts';
import { study } from './study/settings/resource.ts';
import { users } from './study/users/resource.ts';

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

export const INDEX_PROBLEMS: IndexProblems = Object.assign({}, ...COLLECTIONS.map(({ unique }) => unique));

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
  await prepareLimits();
  // Created here, because two transactions that create it at the same time would fail.
  await createCollection('locks');
  for (const one of RESOURCES) await one.prepare?.(now);
}
