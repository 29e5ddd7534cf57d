/**
 * Detects people who were interviewed before. When a survey begins to count or its identity answers change, it is
 * compared with the other surveys that count and weren't rejected. The result is stored separately from the other
 * flags, because only reviewers of the survey may see it, also in lists, counts, files and the history.
 */

import type { ClientSession, Types } from 'mongoose';
import { AuditEventModel, REVIEWER_ONLY_FIELDS } from '../../../platform/audit/model.ts';
import { lockInTransaction } from '../../../platform/db/transaction.ts';
import { DAY_MS, isoDateAt } from '../../../platform/lib/day.ts';
import { asSubject } from '../../../platform/rights/ability.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import { loadStudy, type StudyRecord } from '../../../study/settings/model.ts';
import { IN_THE_SAMPLE, isUndeletedInSample, NOT_DELETED } from '../counted-interviews.ts';
import { type FlagRecord, type RepeatRecord, SurveyModel, type SurveyRecord } from '../model.ts';
import {
  IdentityHashModel,
  type IdentityRecord,
  loadIdentityHashes,
  storeIdentityHashes,
} from './identities.ts';
import { haveSameIdentityAnswers, type IdentityHashes } from './identity-hashes.ts';

/** If more people share the same answers, it is probably a default that nobody changed. */
const MAX_CANDIDATES = 200;

interface DetectionOptions {
  hashes: IdentityHashes | null;
  /** Whether it counted before the change. */
  counted: boolean;
  /** Whether it is stored in this transaction, so that it has no stored hashes. */
  isNew?: boolean;
  /** Whether it was completed before, so that other answers are a change, of which only a few are allowed. */
  isFinal?: boolean;
  now: Date;
  /** If already loaded. */
  study?: Pick<StudyRecord, 'reEnrolAfterDays'>;
}

interface DetectionResult {
  /** The survey's flag after the check. */
  repeat: RepeatRecord | undefined;
  /** Whether the identity answers differ from before. */
  hasNewIdentityAnswers: boolean;
}

/** Stores the hashes (if not null), and looks for matches if the survey begins to count or its answers changed. */
export async function detectRepeat(
  session: ClientSession,
  survey: SurveyRecord,
  { hashes, counted, isNew = false, isFinal = false, now, study }: DetectionOptions,
): Promise<DetectionResult> {
  const { _id, repeat } = survey;
  const isAnew =
    hashes !== null && (await storeIdentityHashes(session, _id, hashes, { isNew, isChange: isFinal }));
  if (!isUndeletedInSample(survey) || (counted && !isAnew)) return { repeat, hasNewIdentityAnswers: isAnew };
  const own = hashes ?? (await loadIdentityHashes(session, _id));
  if (own.length === 0) return { repeat, hasNewIdentityAnswers: isAnew };
  await lockHashes(session, own);
  const { reEnrolAfterDays } = study ?? (await loadStudy(session));
  const match = await findRepeatMatch(session, own, { ...survey, reEnrolAfterDays, self: _id });
  const isKnown = match && repeat?.survey.equals(match.survey) && repeat.strength === match.strength;
  return { repeat: match && !isKnown ? { ...match, at: now } : repeat, hasNewIdentityAnswers: isAnew };
}

/**
 * The flag of a survey that counts again. If a repeat was found before, somebody may have reviewed it, so it isn't
 * flagged again.
 */
export async function detectRepeatOnReinstatement(
  session: ClientSession,
  survey: SurveyRecord,
  now: Date,
): Promise<RepeatRecord | undefined> {
  const ofRepeat = {
    record: survey._id,
    action: 'update',
    'changes.path': REPEAT_FIELD_RESTRICTION.path,
  } as const;
  const counted = (await AuditEventModel.collection.findOne(ofRepeat, { session })) !== null;
  return (await detectRepeat(session, survey, { hashes: null, counted, now })).repeat;
}

/**
 * Two matching surveys that arrive at the same time would not see each other, so both write the same lock record, and one
 * has to start again. The lock is named by the first letters of a shared hash, so there are at most 4,096 locks.
 */
const lockHashes = (session: ClientSession, hashes: IdentityHashes): Promise<void> =>
  lockInTransaction(session, ...hashes.map((hash) => `identity ${hash.slice(0, 2)}`));

type RepeatMatch = Omit<RepeatRecord, 'at'>;

interface Comparison {
  round: Types.ObjectId;
  heldAt: Date;
  /** Interviews of other rounds are only compared within this many days; null means never. */
  reEnrolAfterDays: number | null;
  self?: Types.ObjectId;
}

/** Interviews after which a person should not have been interviewed again. */
function comparedWith({ round, heldAt, reEnrolAfterDays }: Comparison): object {
  if (reEnrolAfterDays === null) return { round };
  const span = reEnrolAfterDays * DAY_MS;
  const near = { $gt: new Date(heldAt.getTime() - span), $lt: new Date(heldAt.getTime() + span) };
  return { $or: [{ round }, { heldAt: near }] };
}

/**
 * The earliest counted survey with all answers the same, or else the earliest with all but one the same. Runs the same
 * query whether there is a match or not, because the response time must not reveal it.
 */
export async function findRepeatMatch(
  session: ClientSession,
  hashes: IdentityHashes,
  comparison: Comparison,
): Promise<RepeatMatch | null> {
  const [all] = hashes;
  if (all === undefined) return null;
  const near = await findCandidates(session, { $in: hashes }, comparison);
  const isComplete = near.length < MAX_CANDIDATES;
  const same = isComplete ? near : await findCandidates(session, all, comparison);
  const exact = same.find((one) => one.counted[0] && haveSameIdentityAnswers(one.hashes, hashes));
  const first = exact ?? near.find((one) => one.counted[0]);
  const [counted] = first?.counted ?? [];
  if (!first || !counted) return null;
  const { createdAt, heldAt = createdAt, location } = counted;
  return { strength: exact ? 'EXACT' : 'NEAR', survey: first.survey, heldAt, location };
}

/** Earliest first, whether or not they count. */
const findCandidates = (session: ClientSession, condition: unknown, comparison: Comparison) =>
  IdentityHashModel.collection
    .aggregate<IdentityRecord & { counted: CountedSurvey[] }>(
      [
        { $match: { hashes: condition, survey: { $ne: comparison.self ?? null } } },
        { $sort: { survey: 1 } },
        { $limit: MAX_CANDIDATES },
        {
          $lookup: {
            from: SurveyModel.collection.name,
            localField: 'survey',
            foreignField: '_id',
            pipeline: [
              { $match: { ...IN_THE_SAMPLE, ...NOT_DELETED } },
              { $match: comparedWith(comparison) },
              { $project: { heldAt: 1, createdAt: 1, location: 1 } },
            ],
            as: 'counted',
          },
        },
      ],
      { session },
    )
    .toArray();

type CountedSurvey = Pick<SurveyRecord, '_id' | 'heldAt' | 'createdAt' | 'location'>;

/** Paths in the history: of the flag, and of the dismissal of such a finding (src/board/quality). */
export const [REPEAT_AUDIT_PATH, DISMISSED_REPEAT_AUDIT_PATH] = REVIEWER_ONLY_FIELDS;

/** Changes to `repeat` are shown as changes to the flags. */
export const REPEAT_FIELD_RESTRICTION = {
  path: REPEAT_AUDIT_PATH,
  shownAs: 'flags',
  hiddenWith: DISMISSED_REPEAT_AUDIT_PATH,
  action: 'review',
} as const;

export const maySeeRepeat = ({ ability }: Pick<Actor, 'ability'>, survey: SurveyRecord): boolean =>
  ability.can(REPEAT_FIELD_RESTRICTION.action, asSubject('Survey', survey));

/** The survey with its repeat flag, if the reader may review it. */
export async function withRepeatFlag(actor: Actor, survey: SurveyRecord): Promise<SurveyRecord> {
  const { repeat, flags } = survey;
  if (!repeat || !maySeeRepeat(actor, survey)) return survey;
  const other = await SurveyModel.findOne({ _id: repeat.survey }, { responses: 0 }).lean<SurveyRecord>();
  const isReadable = other && !other.deletedAt && actor.ability.can('read', asSubject('Survey', other));
  const flag: FlagRecord = {
    code: 'POSSIBLE_REPEAT',
    referralCode: null,
    at: repeat.at,
    strength: repeat.strength,
    other: {
      survey: isReadable ? repeat.survey : null,
      day: isoDateAt(repeat.heldAt, actor.zone),
      location: repeat.location,
    },
  };
  return { ...survey, flags: [...flags, flag] };
}

/** For the audit trail, without the other survey. */
export const repeatForAudit = (repeat: RepeatRecord | undefined) =>
  repeat ? { code: 'POSSIBLE_REPEAT', strength: repeat.strength, at: repeat.at } : null;
