/** The number of cards left for each amount. */
import { isoDateAt } from '../../platform/lib/day.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { CardModel } from './model.ts';

/** Fewer than this need attention. */
export const LOW_CARD_COUNT = 20;

interface Group {
  _id: { currency: string; amount: string };
  free: number;
  given: number;
  void: number;
  expiresFirst: string | null;
}

export async function loadGiftCardSummary(study: StudyRecord, now: Date, zone: string) {
  const today = isoDateAt(now, zone);
  const isFree = {
    $and: [
      { $eq: ['$state', 'FREE'] },
      { $or: [{ $eq: ['$expiresOn', null] }, { $gte: ['$expiresOn', today] }] },
    ],
  };
  const countIf = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } });
  const groups = await CardModel.collection
    .aggregate<Group>([
      {
        $group: {
          _id: { currency: '$currency', amount: '$amount' },
          free: countIf(isFree),
          given: countIf({ $eq: ['$state', 'GIVEN'] }),
          void: countIf({ $eq: ['$state', 'VOID'] }),
          // $min ignores null.
          expiresFirst: { $min: { $cond: [isFree, '$expiresOn', null] } },
        },
      },
      { $sort: { _id: 1 } },
    ])
    .toArray();
  const { currency, interview, recruit } = study.incentives;
  const isPaid = (one: Group['_id']) =>
    one.currency === currency && [interview, recruit].includes(one.amount);
  return {
    data: groups.map(({ _id, ...counts }) => ({
      ..._id,
      ...counts,
      isLow: isPaid(_id) && counts.free < LOW_CARD_COUNT,
    })),
  };
}
