/**
 * incentives.csv: one row per incentive. The file on its own also names payers and interviewers, with claim numbers and
 * coupons, so that payments can be compared with receipts; in the bundle, which is for statistics, these are omitted.
 */

import type { ClientSession, mongo, Types } from 'mongoose';
import { formatCode } from '../../coupons/referral-codes/code.ts';
import { IncentiveModel, type IncentiveRecord } from '../../interviews/incentives/model.ts';
import { type ShownIncentive, showIncentives, staffNames } from '../../interviews/payments/show.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { LocationModel } from '../../study/locations/model.ts';
import { inBatches } from './in-batches.ts';
import type { CellRow } from './row-text.ts';

/** Records read and written at a time. */
const BATCH_SIZE = 500;

/** Shows incentives as the reader may see them. */
export interface IncentivePresenter {
  show(incentives: IncentiveRecord[]): Promise<ShownIncentive[]>;
  names(ids: (Types.ObjectId | null)[]): Promise<ReadonlyMap<string, string>>;
}

export const incentiveReaderOf = (actor: Actor | null): IncentivePresenter => ({
  show: (incentives) => showIncentives(actor, incentives),
  names: (ids) => staffNames(actor, ids),
});

/** For a site: what was paid there, and what its people are still owed. */
export const incentiveFilterForSite = (between: object, location: Types.ObjectId | null): object => ({
  ...between,
  ...(location ? { $or: [{ location }, { location: null, site: location }] } : {}),
});

const NAMES = [
  ...['id', 'survey_id', 'kind', 'recruit_id', 'amount', 'currency', 'state', 'method', 'reference'],
  ...['paid_by', 'paid_at', 'paid_day', 'recorded_at', 'paid_site', 'paid_site_id', 'site', 'site_id'],
  ...['reason', 'created_at', 'updated_at'],
];

const PEOPLE = ['paid_by_name', 'interviewer_id', 'interviewer', 'claim_number', 'coupon'];

interface IncentiveRowsRequest {
  match: mongo.Document;
  zone: string;
  reader: IncentivePresenter;
  /** Whether to include names, claim numbers and coupons. */
  people: boolean;
  /** By payment time, if only payments are requested. */
  byPayment?: boolean;
}

export async function* incentiveRows(
  { match, zone, reader, people, byPayment = false }: IncentiveRowsRequest,
  session: ClientSession,
): AsyncGenerator<CellRow[]> {
  yield [people ? [...NAMES, ...PEOPLE] : NAMES];
  const places = await LocationModel.collection.find({}, { session, projection: { name: 1 } }).toArray();
  const sites = new Map(places.map((one) => [String(one._id), String(one.name)]));
  const cursor = IncentiveModel.collection
    .find<IncentiveRecord>(match, { session, batchSize: BATCH_SIZE })
    .sort(byPayment ? { paidAt: 1 } : { createdAt: 1, _id: 1 });
  for await (const some of inBatches(cursor, BATCH_SIZE)) {
    const incentives = await reader.show(some);
    const rows = incentives.map((one) => rowOf(one, zone, sites));
    if (!people) yield rows;
    else {
      const names = await reader.names(
        incentives.flatMap(({ paidBy, interviewer }) => [paidBy, interviewer]),
      );
      yield rows.map((row, at) => [...row, ...peopleOf(incentives[at] as ShownIncentive, names)]);
    }
  }
}

function peopleOf(one: ShownIncentive, names: ReadonlyMap<string, string>): CellRow {
  const { paidBy, interviewer, claimNumber, coupon } = one;
  const nameOf = (id: Types.ObjectId | null) => names.get(idOf(id)) ?? '';
  return [
    nameOf(paidBy),
    idOf(interviewer),
    nameOf(interviewer),
    printedCode(claimNumber),
    printedCode(coupon),
  ];
}

/** With a hyphen, because spreadsheets would read a code such as 57658E62 as a number. */
const printedCode = (code: string | null): string => (code ? formatCode(code) : '');

const idOf = (id: unknown): string => (id ? String(id) : '');
const instant = (at: Date | null): string => at?.toISOString() ?? '';

function rowOf(one: ShownIncentive, zone: string, sites: ReadonlyMap<string, string>): CellRow {
  const siteOf = (id: Types.ObjectId | null) => [sites.get(idOf(id)) ?? '', idOf(id)];
  return [
    ...[idOf(one._id), idOf(one.survey), one.kind, idOf(one.recruit), one.amount, one.currency, one.state],
    ...[one.method, one.reference, idOf(one.paidBy), instant(one.paidAt)],
    ...[one.paidAt ? isoDateAt(one.paidAt, zone) : '', instant(one.recordedAt)],
    ...siteOf(one.location),
    // Callers who may not read the interview don't see where it took place.
    ...siteOf(one.survey ? one.site : null),
    ...[one.reason, instant(one.createdAt), instant(one.updatedAt)],
  ];
}
