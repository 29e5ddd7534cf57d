/** Findings as visible to the caller. */
import mongoose, { type Types } from 'mongoose';
import type { QualityCheckCode } from '../../interviews/surveys/checks.ts';
import { SurveyModel, type SurveyRecord } from '../../interviews/surveys/model.ts';
import { DismissalModel, type DismissalRecord } from '../../interviews/surveys/review/dismissals.ts';
import { parseTimeRange } from '../../platform/http/lists/date-range.ts';
import { asSubject, type PermissionAction } from '../../platform/rights/ability.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { findVisible, readsAll, requireReadsAll } from '../../platform/rights/guard.ts';
import { queryStudyTable } from '../../statistics/study-table/ask.ts';
import { LocationModel } from '../../study/locations/model.ts';
import { allRounds, requestedRound } from '../../study/rounds/requested.ts';
import { loadStudy } from '../../study/settings/model.ts';
import type { Finding } from './finding.ts';
import {
  type FindingFilter,
  type FindingsTableArgs,
  findingByIdTableQuery,
  findingGroupsFromStudyTable,
  findingsTableQuery,
  surveysWithFindingsTableQuery,
} from './findings.ts';
import { CHECK_THRESHOLDS } from './rules.ts';
import type { FindingGroupQuery, QualityQuery } from './schema.ts';

/** More than any study has. */
const MAX_SITES = 2_000;
const MAX_REPEATS = 10_000;
/** Callers who can't read all interviews can read those of one day and their own. */
const MAX_READABLE = 20_000;
/** Maximum number of interviews with findings in one list; the worst ones are kept. */
const MAX_SUSPECTS = 2_000;

async function pageArgs(actor: Actor, query: QualityQuery | FindingGroupQuery) {
  const [args, dismissed, { ref: round }] = await Promise.all([
    argsFor(actor, query.check),
    dismissedValues(),
    requestedRound(query.round),
  ]);
  const { limit, cursor, total } = query;
  return { ...args, round, filter: filterOf(query, actor.zone), dismissed, page: { limit, cursor, total } };
}

export async function listFindings(actor: Actor, query: QualityQuery) {
  const findings = await queryStudyTable(
    findingsTableQuery,
    await pageArgs(actor, query),
    String(actor.user._id),
  );
  return { ...findings, data: await visibleFindings(actor, findings.data) };
}

export async function listFindingGroups(actor: Actor, query: FindingGroupQuery) {
  const groups = await queryStudyTable(
    findingGroupsFromStudyTable,
    await pageArgs(actor, query),
    String(actor.user._id),
  );
  return { ...groups, data: groups.data.map((one) => ({ ...one, at: new Date(one.at) })) };
}

/** Surveys with open findings (of one check), for the list of surveys. 403 if the caller may not list findings. */
export async function findSurveysWithFindings(
  actor: Actor,
  check: QualityCheckCode | undefined,
): Promise<Types.ObjectId[]> {
  requireReadsAll(actor, 'Recruitment');
  const [args, dismissed] = await Promise.all([argsFor(actor, check), dismissedValues()]);
  const filter = filterOf(check ? { check } : {}, actor.zone);
  const request = { ...args, filter, dismissed, max: MAX_SUSPECTS };
  const by = String(actor.user._id);
  const newestFirst = (await allRounds()).reverse();
  const ids = await Promise.all(
    newestFirst.map(({ ref: round }) =>
      queryStudyTable(surveysWithFindingsTableQuery, { ...request, round }, by),
    ),
  );
  return ids
    .flat()
    .slice(0, MAX_SUSPECTS)
    .map((id) => new mongoose.Types.ObjectId(id));
}

/** Searches all rounds; null if there is no such finding, or the caller may not see it. */
export async function findVisibleFinding(actor: Actor, id: string): Promise<Finding | null> {
  const [args, rounds] = await Promise.all([argsFor(actor), allRounds()]);
  for (const { ref: round } of rounds.reverse()) {
    const finding = await queryStudyTable(
      findingByIdTableQuery,
      { ...args, round, id },
      String(actor.user._id),
    );
    if (finding) return finding;
  }
  return null;
}

async function argsFor(actor: Actor, check?: QualityCheckCode): Promise<FindingsTableArgs> {
  const [study, locations, mayReview, mayRead] = await Promise.all([
    loadStudy(),
    LocationModel.find({}, { coordinates: 1, type: 1 }).sort({ _id: 1 }).limit(MAX_SITES).lean(),
    check === undefined || check === 'POSSIBLE_REPEAT' ? reviewableRepeats(actor) : [],
    readableSurveys(actor),
  ]);
  const sites = locations.flatMap(({ _id, type, coordinates }) =>
    coordinates && type !== 'STREET' ? [{ id: _id.toHexString(), ...coordinates }] : [],
  );
  const { siteRadius, incentives, earlierIncentives, incentiveCurrency } = study;
  return {
    siteRadius,
    sites,
    mayReview,
    mayRead,
    incentives: { incentives, earlierIncentives, incentiveCurrency },
  };
}

/** Null if the caller may read all. */
async function readableSurveys(actor: Actor): Promise<ReadonlySet<string> | null> {
  return readsAll(actor, 'Survey') ? null : new Set(await idsFor(actor, 'read', {}, MAX_READABLE));
}

async function reviewableRepeats(actor: Actor): Promise<string[]> {
  if (!actor.ability.can('review', 'Survey')) return [];
  return await idsFor(actor, 'review', { 'repeat.strength': { $gt: '' } }, MAX_REPEATS);
}

/** Ids of the surveys on which the caller may do this. */
async function idsFor(
  actor: Actor,
  action: PermissionAction,
  filter: object,
  most: number,
): Promise<string[]> {
  const surveys = await findVisible(actor, [action], SurveyModel, filter)
    .select({ _id: 1 })
    .limit(most)
    .lean<{ _id: Types.ObjectId }[]>();
  return surveys.map(({ _id }) => _id.toHexString());
}

async function dismissedValues(): Promise<Map<string, Finding['value']>> {
  const dismissals = DismissalModel.collection.find<Pick<DismissalRecord, '_id' | 'value'>>(
    {},
    { projection: { value: 1 }, sort: { _id: 1 } },
  );
  const values = new Map<string, Finding['value']>();
  for await (const { _id, value } of dismissals) values.set(_id.toHexString(), value);
  return values;
}

const filterOf = (
  { check, location, interviewer, dismissed, survey, round: _, ...days }: Partial<QualityQuery>,
  zone: string,
): FindingFilter => ({
  ...{ check, location, interviewer },
  ...parseTimeRange(days, zone),
  isDismissed: dismissed === 'true',
  surveys: survey && new Set(survey),
});

export async function visibleFindings(actor: Actor, findings: Finding[]) {
  const ids = findings.flatMap(({ survey }) => survey ?? []);
  const [surveys, dismissals] = await Promise.all([
    SurveyModel.find({ _id: { $in: ids } }, { responses: 0, flags: 0 }).lean<SurveyRecord[]>(),
    DismissalModel.find({ _id: { $in: findings.map(({ id }) => id) } }).lean<DismissalRecord[]>(),
  ]);
  const readable = new Set(
    surveys
      .filter((survey) => actor.ability.can('read', asSubject('Survey', survey)))
      .map(({ _id }) => String(_id)),
  );
  const dismissalOf = new Map(dismissals.map((one) => [String(one._id), one]));
  return findings.map((one) => {
    const dismissal = dismissalOf.get(one.id);
    const isDismissed = dismissal?.value === one.value;
    return {
      ...one,
      value: one.survey === null || readable.has(one.survey) ? one.value : null,
      rule: CHECK_THRESHOLDS[one.check].rule,
      at: new Date(one.at),
      dismissed:
        dismissal && isDismissed
          ? { by: dismissal.by, at: dismissal.createdAt, comment: dismissal.comment }
          : null,
    };
  });
}
