/**
 * cards.csv: one row per gift card, with the payment that used it, to compare with the vendor's list. Without complete
 * card numbers.
 */
import type { ClientSession, mongo, Types } from 'mongoose';
import { formatCode } from '../../coupons/referral-codes/code.ts';
import { CardModel, type CardRecord } from '../../interviews/cards/model.ts';
import { IncentiveModel } from '../../interviews/incentives/model.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import { inBatches } from './in-batches.ts';
import type { IncentivePresenter } from './incentives.ts';
import type { CellRow } from './row-text.ts';

const BATCH_SIZE = 500;

const NAMES = [
  ...['id', 'last_four', 'amount', 'currency', 'expires_on', 'state', 'incentive_id', 'claim_number'],
  ...['paid_by_name', 'given_at', 'given_day', 'delivery', 'reason', 'imported_at'],
];

interface CardRowsRequest {
  match: mongo.Document;
  zone: string;
  reader: IncentivePresenter;
}

export async function* exportedCardRows(
  { match, zone, reader }: CardRowsRequest,
  session: ClientSession,
): AsyncGenerator<CellRow[]> {
  yield [NAMES];
  const cursor = CardModel.collection
    .find<CardRecord>(match, { session, batchSize: BATCH_SIZE, projection: { sealed: 0, hashes: 0 } })
    .sort({ createdAt: 1, _id: 1 });
  for await (const some of inBatches(cursor, BATCH_SIZE)) {
    const ids = some.flatMap(({ incentive }) => incentive ?? []);
    const incentives = await IncentiveModel.find({ _id: { $in: ids } })
      .session(session)
      .lean();
    const incentiveById = new Map((await reader.show(incentives)).map((one) => [String(one._id), one]));
    const names = await reader.names(some.map(({ givenBy }) => givenBy));
    yield some.map((card) => {
      const claim = incentiveById.get(String(card.incentive))?.claimNumber;
      return rowOf(card, {
        zone,
        claim: claim ? formatCode(claim) : '',
        paidBy: nameOf(names, card.givenBy),
      });
    });
  }
}

const nameOf = (names: ReadonlyMap<string, string>, id: Types.ObjectId | null) =>
  id ? (names.get(String(id)) ?? '') : '';

function rowOf(
  card: CardRecord,
  { zone, claim, paidBy }: { zone: string; claim: string; paidBy: string },
): CellRow {
  const { givenAt, incentive, createdAt } = card;
  return [
    ...[String(card._id), card.lastFour, card.amount, card.currency, card.expiresOn, card.state],
    ...[incentive ? String(incentive) : '', claim, paidBy],
    ...[givenAt?.toISOString() ?? '', givenAt ? isoDateAt(givenAt, zone) : '', card.delivery],
    ...[card.reason, createdAt.toISOString()],
  ];
}
