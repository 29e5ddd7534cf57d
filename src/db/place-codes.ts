/**
 * Codes that earlier versions handed out don't say where: fills in `location`, `handedOutAt`, `chain`, `wave` and
 * `daysOut` from the surveys, some thousands at a time. Finds nothing to do when all have been filled.
 */
import { ReferralCodes, SMALLEST } from '../referral-codes/model.ts';
import { Surveys } from '../surveys/model.ts';
import { tellDaysOut } from '../surveys/redeem.ts';

const AT_ONCE = 20_000;
const UNPLACED = { survey: { $gt: SMALLEST }, location: { $exists: false } };
/** Nearly all codes were handed out: their index would be the longer way. */
const SCAN = { hint: { $natural: 1 } } as const;

export async function placeCodes(): Promise<void> {
  while (await ReferralCodes.collection.findOne(UNPLACED, { projection: { _id: 1 }, ...SCAN })) {
    await ReferralCodes.collection.aggregate(placing, SCAN).toArray();
  }
}

const inAdvance = { $or: [{ $gt: ['$reservedBy', null] }, { $gt: ['$batch', null] }] };
const placing = [
  { $match: UNPLACED },
  { $limit: AT_ONCE },
  {
    $lookup: {
      from: Surveys.collection.collectionName,
      localField: 'survey',
      foreignField: '_id',
      pipeline: [{ $project: { seed: 1, wave: 1, location: 1, completedAt: 1, createdAt: 1 } }],
      as: 'by',
    },
  },
  { $set: { by: { $first: '$by' } } },
  {
    $project: {
      // Null where there is no such survey, or it would be looked for again and again.
      location: { $ifNull: ['$by.location', null] },
      chain: { $ifNull: ['$by.seed', '$$REMOVE'] },
      wave: { $ifNull: ['$by.wave', '$$REMOVE'] },
      handedOutAt: {
        $cond: [inAdvance, { $ifNull: ['$by.completedAt', '$by.createdAt', '$$REMOVE'] }, '$createdAt'],
      },
      redeemedAt: 1,
    },
  },
  tellDaysOut,
  { $merge: { into: ReferralCodes.collection.collectionName, whenNotMatched: 'discard' } },
];
