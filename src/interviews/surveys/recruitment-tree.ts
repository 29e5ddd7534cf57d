/** The recruitment tree: updates seed and wave below a survey whose place became known late, and prevents cycles. */
import type { ClientSession, Types } from 'mongoose';
import { ReferralCodeModel } from '../../coupons/referral-codes/model.ts';
import { audit } from '../../platform/audit/model.ts';
import { lockInTransaction } from '../../platform/db/transaction.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { correctRecruitDates } from './dates-by-coupon.ts';
import { isClockOdd } from './interview-times.ts';
import { SurveyModel, type SurveyRecord } from './model.ts';
import { moveToRound } from './round-moves.ts';

/**
 * Take this lock before giving a stored survey a recruiter: two such links at the same time could close a cycle through
 * surveys that neither of them touches.
 */
export const RECRUITMENT_LOCK = 'recruitment';

export type ChainPosition = Pick<SurveyRecord, 'seed' | 'wave'> & { _id: Types.ObjectId };
type PlacedSurvey = ChainPosition & Pick<SurveyRecord, 'location'>;

/** The `candidates` that are `survey` itself or its ancestors. Walks up by `_id`, one lookup per wave. */
export async function findSelfAndAncestors(
  session: ClientSession,
  survey: Types.ObjectId | null,
  candidates: Types.ObjectId[],
): Promise<Types.ObjectId[]> {
  if (!survey || candidates.length === 0) return [];
  const [result] = await SurveyModel.collection
    .aggregate<{ ancestors: { _id: Types.ObjectId }[] }>(
      [
        { $match: { _id: survey } },
        {
          $graphLookup: {
            from: SurveyModel.collection.collectionName,
            startWith: '$recruiter',
            connectFromField: 'recruiter',
            connectToField: '_id',
            as: 'ancestors',
          },
        },
        { $project: { 'ancestors._id': 1 } },
      ],
      { session },
    )
    .toArray();
  const above = new Set([survey, ...(result?.ancestors ?? []).map((one) => one._id)].map(String));
  return candidates.filter((one) => above.has(String(one)));
}

/**
 * Call when the recruiter of these surveys has arrived: links them, clears their flag, and updates the tree below.
 * Returns everyone whose incentives may have changed: people whose coupon now shows that their clock was wrong, or
 * whose round is closed.
 */
export async function linkRecruits(
  session: ClientSession,
  recruiter: ChainPosition & Pick<SurveyRecord, 'round' | 'startedAt' | 'completedAt' | 'heldAt'>,
  recruits: Types.ObjectId[],
  doer: Author,
): Promise<Types.ObjectId[]> {
  if (recruits.length === 0) return [];
  await lockInTransaction(session, RECRUITMENT_LOCK);
  const wave = recruiter.seed && recruiter.wave !== null ? recruiter.wave + 1 : null;
  await SurveyModel.collection.updateMany(
    { _id: { $in: recruits } },
    {
      $set: { recruiter: recruiter._id, seed: recruiter.seed, wave, updatedAt: doer.now },
      $pull: { flags: { code: 'RECRUITER_PENDING' } as never },
    },
    { session },
  );
  const changes = [
    { path: 'recruiter', before: null, after: recruiter._id },
    { path: 'seed', before: null, after: recruiter.seed },
    { path: 'wave', before: null, after: wave },
  ].filter((change) => change.after !== null);
  await auditChanges(session, recruits, changes, doer);
  await setTreePlacesOfDescendants(session, recruits, recruiter.seed, wave, doer);
  // With a wrong clock, it isn't known when the coupons were handed out.
  const judged = isClockOdd(recruiter) ? [] : await correctRecruitDates(session, recruits, doer);
  return [...judged, ...(await moveToRound(session, recruits, recruiter.round, doer))];
}

/** Sets seed and wave, wave by wave, for the codes of `parents` and everything below them. */
export async function setTreePlacesOfDescendants(
  session: ClientSession,
  parents: Types.ObjectId[],
  seed: Types.ObjectId | null,
  wave: number | null,
  doer: Author,
): Promise<void> {
  if (!seed || wave === null) return;
  let above = parents;
  for (let depth = wave + 1; ; depth++) {
    const place = { chain: seed, wave: depth - 1 };
    await ReferralCodeModel.collection.updateMany({ survey: { $in: above } }, { $set: place }, { session });
    const below = await SurveyModel.find({ recruiter: { $in: above }, seed: null }, { _id: 1 })
      .session(session)
      .lean();
    if (below.length === 0) return;
    above = below.map((one) => one._id);
    await SurveyModel.collection.updateMany(
      { _id: { $in: above } },
      { $set: { seed, wave: depth, updatedAt: doer.now } },
      { session },
    );
    const changes = [
      { path: 'seed', before: null, after: seed },
      { path: 'wave', before: null, after: depth },
    ];
    await auditChanges(session, above, changes, doer);
  }
}

async function auditChanges(
  session: ClientSession,
  surveys: Types.ObjectId[],
  changes: { path: string; before: unknown; after: unknown }[],
  doer: Author,
): Promise<void> {
  const event = { ...UPDATE_EVENT, changes };
  const ids = { _id: { $in: surveys } };
  const records = await SurveyModel.find(ids, { location: 1 })
    .session(session)
    .lean<Pick<SurveyRecord, '_id' | 'location'>[]>();
  await audit(session, doer, ...records.map(({ _id: record, location }) => ({ ...event, record, location })));
}

/** Clears seed and wave, wave by wave, of the codes of `parents` and everything below them. */
export async function clearTreePlaceBelow(
  session: ClientSession,
  parents: Types.ObjectId[],
  doer: Author,
): Promise<void> {
  let above = parents;
  for (;;) {
    const away = { $unset: { chain: '' as const, wave: '' as const } };
    await ReferralCodeModel.collection.updateMany({ survey: { $in: above } }, away, { session });
    const below = await SurveyModel.find({ recruiter: { $in: above } }, { seed: 1, wave: 1, location: 1 })
      .session(session)
      .lean<PlacedSurvey[]>();
    if (below.length === 0) return;
    above = below.map((one) => one._id);
    const nowhere = { $set: { seed: null, wave: null, updatedAt: doer.now } };
    await SurveyModel.collection.updateMany({ _id: { $in: above } }, nowhere, { session });
    await audit(session, doer, ...below.filter(({ seed }) => seed).map(lostPlaceEvent));
  }
}

const UPDATE_EVENT = { action: 'update', subject: 'Survey' } as const;

const lostPlaceEvent = ({ _id: record, location, seed, wave }: PlacedSurvey) => ({
  ...UPDATE_EVENT,
  record,
  location,
  changes: [
    { path: 'seed', before: seed, after: null },
    { path: 'wave', before: wave, after: null },
  ],
});
