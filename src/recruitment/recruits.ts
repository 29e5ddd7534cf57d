/**
 * What became of each interview's coupons: how many recruits it brought, and which sites' coupons come back. A
 * look-up of each recruiter would take a hundred thousand look-ups; so each interview goes into one grouping twice, as
 * itself and as the recruit of its recruiter, which meets both in one pass.
 */
import type { Types } from 'mongoose';
import { Surveys } from '../surveys/model.ts';
import { LIMITS, RETURN_DAYS } from './limits.ts';
import type { Window } from './window.ts';

const DAY = 86_400_000;

interface Counted {
  each: { _id: number; surveys: number }[];
  sites: {
    _id: Types.ObjectId;
    issued: number;
    returned: number;
    due: number;
    dueReturned: number;
    since: Date | null;
  }[];
}

export async function countRecruits({ holds }: Window, now: Date) {
  const due = {
    $and: [
      { $ne: ['$issuedCodes', []] },
      { $gte: ['$createdAt', new Date(now.getTime() - RETURN_DAYS.from * DAY)] },
      { $lte: ['$createdAt', new Date(now.getTime() - RETURN_DAYS.to * DAY)] },
    ],
  };
  const itself = {
    _id: 0,
    of: '$_id',
    location: 1,
    asked: { $cond: [{ $and: [{ $eq: ['$status', 'COMPLETED'] }, holds] }, 1, 0] },
    issued: { $size: '$issuedCodes' },
    dueSince: { $cond: [due, '$createdAt', null] },
  };
  const recruit = {
    _id: 0,
    of: '$recruiter',
    returned: { $literal: 1 },
    // A deleted one is no recruit any more, but the coupon did come back.
    recruit: { $cond: [{ $lte: ['$deletedAt', null] }, 1, 0] },
  };
  const recruiters = {
    coll: Surveys.collection.collectionName,
    pipeline: [{ $match: { recruiter: { $ne: null } } }, { $project: recruit }],
  };
  const [counted] = await Surveys.collection
    .aggregate<Counted>(
      [
        { $project: itself },
        { $unionWith: recruiters },
        {
          $group: {
            _id: '$of',
            location: { $max: '$location' },
            asked: { $max: '$asked' },
            issued: { $sum: '$issued' },
            dueSince: { $max: '$dueSince' },
            returned: { $sum: '$returned' },
            recruits: { $sum: '$recruit' },
          },
        },
        {
          $group: {
            _id: {
              location: '$location',
              asked: '$asked',
              recruits: '$recruits',
              due: { $gt: ['$dueSince', null] },
            },
            surveys: { $sum: 1 },
            issued: { $sum: '$issued' },
            returned: { $sum: '$returned' },
            since: { $min: '$dueSince' },
          },
        },
        {
          $facet: {
            each: [
              { $match: { '_id.asked': 1 } },
              { $group: { _id: '$_id.recruits', surveys: { $sum: '$surveys' } } },
              { $sort: { _id: 1 } },
            ],
            sites: [
              {
                $group: {
                  _id: '$_id.location',
                  issued: { $sum: '$issued' },
                  returned: { $sum: '$returned' },
                  due: { $sum: { $cond: ['$_id.due', '$issued', 0] } },
                  dueReturned: { $sum: { $cond: ['$_id.due', '$returned', 0] } },
                  since: { $min: '$since' },
                },
              },
              { $match: { $or: [{ issued: { $gt: 0 } }, { returned: { $gt: 0 } }] } },
              { $sort: { _id: 1 } },
            ],
          },
        },
      ],
      LIMITS,
    )
    .toArray();
  const { each = [], sites = [] } = counted ?? {};
  return {
    recruitsEach: each.map(({ _id: recruits, surveys }) => ({ recruits, surveys })),
    bySiteCoupons: sites.map(({ _id: location, issued, returned }) => ({ location, issued, returned })),
    quietSites: sites.filter((one) => one.due >= RETURN_DAYS.atLeast && one.dueReturned === 0),
  };
}
