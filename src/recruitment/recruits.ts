/**
 * How many recruits each interview brought, and sites whose coupons don't come back. A look-up of each recruiter would
 * take a hundred thousand look-ups. So recruits are counted by recruiter, and to the same grouping are added those few
 * interviews of which more must be known: whether they are among the counted ones, and where coupons are due.
 */
import type { Types } from 'mongoose';
import { Surveys } from '../surveys/model.ts';
import { RETURN_DAYS } from './limits.ts';
import { inOrderHeld, SCAN, type Window } from './window.ts';

const DAY = 86_400_000;
const DELETED = { deletedAt: { $gt: new Date(0) } };

interface RecruitCount {
  _id: { recruits: number; marked: number | null; site: Types.ObjectId | null; came: boolean };
  surveys: number;
  issued: number;
  since: Date | null;
}

export async function countRecruits({ match, whole, dated }: Window, now: Date) {
  const counted = { ...match, status: 'COMPLETED' };
  // Of the whole study it takes fewer marks to say which ones are not counted.
  const marked = whole ? { $or: [{ status: 'IN_PROGRESS' }, DELETED] } : counted;
  const groups = await Surveys.collection
    .aggregate<RecruitCount>(
      [
        { $match: { recruiter: { $ne: null } } },
        { $group: { _id: '$recruiter', returned: { $sum: 1 } } },
        // A deleted one is no recruit any more, but the coupon did come back.
        alsoSurveys({ ...DELETED, recruiter: { $ne: null } }, { _id: '$recruiter', gone: { $literal: 1 } }),
        alsoSurveys(marked, { marked: { $literal: 1 } }, dated ? [inOrderHeld] : []),
        // Deleted ones too, since their coupons stay good.
        alsoSurveys({ deletedAt: null, ...dueBy(now) }, OF_DUE, [inOrderHeld]),
        alsoSurveys({ ...DELETED, ...dueBy(now) }, OF_DUE),
        {
          $group: {
            _id: '$_id',
            returned: { $sum: '$returned' },
            gone: { $sum: '$gone' },
            marked: { $max: '$marked' },
            site: { $max: '$site' },
            issued: { $sum: '$issued' },
            since: { $max: '$since' },
          },
        },
        {
          $group: {
            _id: {
              recruits: { $subtract: ['$returned', '$gone'] },
              marked: '$marked',
              site: '$site',
              came: { $gt: ['$returned', 0] },
            },
            surveys: { $sum: 1 },
            issued: { $sum: '$issued' },
            since: { $min: '$since' },
          },
        },
      ],
      SCAN,
    )
    .toArray();
  return { recruiters: recruitersOf(groups, whole ? null : 1), quietSites: quietSitesOf(groups) };
}

const alsoSurveys = (match: object, project: object, order: object[] = []) => ({
  $unionWith: {
    coll: Surveys.collection.collectionName,
    pipeline: [{ $match: match }, ...order, { $project: project }],
  },
});

const OF_DUE = { site: '$location', issued: { $size: '$issuedCodes' }, since: '$heldAt' };

/** Interviews whose coupons should begin to come back. */
function dueBy(now: Date) {
  const [from, to] = [RETURN_DAYS.from, RETURN_DAYS.to].map((days) => new Date(now.getTime() - days * DAY));
  return { heldAt: { $gte: from, $lte: to }, issuedCodes: { $ne: [] } };
}

/** How many of the counted interviews brought one recruit, two, ... */
function recruitersOf(groups: RecruitCount[], mark: 1 | null): Map<number, number> {
  const found = new Map<number, number>();
  for (const { _id, surveys } of groups)
    if (_id.recruits > 0 && _id.marked === mark)
      found.set(_id.recruits, (found.get(_id.recruits) ?? 0) + surveys);
  return found;
}

function quietSitesOf(groups: RecruitCount[]): { site: Types.ObjectId; due: number; since: Date }[] {
  const sites = new Map<string, { site: Types.ObjectId; due: number; came: boolean; since: Date }>();
  for (const { _id, issued, since } of groups) {
    if (!_id.site || !since) continue;
    const before = sites.get(String(_id.site));
    sites.set(String(_id.site), {
      site: _id.site,
      due: issued + (before?.due ?? 0),
      came: _id.came || (before?.came ?? false),
      since: before && before.since < since ? before.since : since,
    });
  }
  return [...sites.values()].filter(({ due, came }) => due >= RETURN_DAYS.atLeast && !came);
}
