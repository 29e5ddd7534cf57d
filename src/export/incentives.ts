/** incentives.csv: one row per incentive, without coupon codes. */

import type { ClientSession, mongo, Types } from 'mongoose';
import { type IncentiveRecord, Incentives } from '../incentives/model.ts';
import { dateAt } from '../lib/day.ts';
import { Locations } from '../locations/model.ts';
import { inBatches } from './in-batches.ts';
import type { Row } from './row-text.ts';

/** Read and written at a time. */
const BATCH = 500;

/** The interviews that the reader may not know are null. */
export type ShownIncentive = Omit<IncentiveRecord, 'survey'> & { survey: Types.ObjectId | null };
export type HideInterviews = (incentives: IncentiveRecord[]) => Promise<ShownIncentive[]>;

/** Of a site: what was paid there, and what its people are still owed. */
export const incentivesOf = (between: object, location: Types.ObjectId | null): object => ({
  ...between,
  ...(location ? { $or: [{ location }, { location: null, site: location }] } : {}),
});

const NAMES = [
  ...['id', 'survey_id', 'kind', 'recruit_id', 'amount', 'currency', 'state', 'method', 'reference'],
  ...['paid_by', 'paid_at', 'paid_day', 'recorded_at', 'paid_site', 'paid_site_id', 'site', 'site_id'],
  ...['reason', 'created_at', 'updated_at'],
];

interface IncentivesWish {
  match: mongo.Document;
  zone: string;
  hide: HideInterviews;
  /** In the order of payment, where only payments are asked for. */
  byPayment?: boolean;
}

export async function* incentiveRows(
  { match, zone, hide, byPayment = false }: IncentivesWish,
  session: ClientSession,
): AsyncGenerator<Row[]> {
  yield [NAMES];
  const places = await Locations.collection.find({}, { session, projection: { name: 1 } }).toArray();
  const sites = new Map(places.map((one) => [String(one._id), String(one.name)]));
  const found = Incentives.collection
    .find<IncentiveRecord>(match, { session, batchSize: BATCH })
    .sort(byPayment ? { paidAt: 1 } : { createdAt: 1, _id: 1 });
  for await (const some of inBatches(found, BATCH))
    yield (await hide(some)).map((one) => rowOf(one, zone, sites));
}

const idOf = (id: unknown): string => (id ? String(id) : '');
const instant = (at: Date | null): string => at?.toISOString() ?? '';

function rowOf(one: ShownIncentive, zone: string, sites: ReadonlyMap<string, string>): Row {
  const siteOf = (id: Types.ObjectId | null) => [sites.get(idOf(id)) ?? '', idOf(id)];
  return [
    ...[idOf(one._id), idOf(one.survey), one.kind, idOf(one.recruit), one.amount, one.currency, one.state],
    ...[one.method, one.reference, idOf(one.paidBy), instant(one.paidAt)],
    ...[one.paidAt ? dateAt(one.paidAt, zone) : '', instant(one.recordedAt)],
    ...siteOf(one.location),
    ...siteOf(one.site),
    ...[one.reason, instant(one.createdAt), instant(one.updatedAt)],
  ];
}
