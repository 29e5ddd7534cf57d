import { parseTimeRange } from '../../platform/http/lists/date-range.ts';
import { idFilter } from '../../platform/http/lists/id-filter.ts';
import { loadRecordPage } from '../../platform/http/lists/page.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { visibleFilter } from '../../platform/rights/guard.ts';
import { decimalAmount } from '../incentives/totals.ts';
import { CashDayModel, type CashDayRecord } from './model.ts';
import { loadCashPaidBySiteDay, siteDayKey } from './paid-in-cash.ts';
import type { CashDayQuery } from './schema.ts';

export async function listCashDays(actor: Actor, query: CashDayQuery) {
  const { location, state, from, to } = query;
  // Throws if a day doesn't exist or they are in the wrong order.
  parseTimeRange({ from, to }, actor.zone);
  const days = { ...(from && { $gte: from }), ...(to && { $lte: to }) };
  const filter = {
    ...idFilter({ location }),
    ...(state && { state }),
    ...(from || to ? { day: from === to ? from : days } : {}),
  };
  const cashDays = await loadRecordPage(
    CashDayModel,
    visibleFilter(actor, ['read'], CashDayModel, filter),
    query,
  );
  return { ...cashDays, data: await showDays(actor, cashDays.data) };
}

/** Adds the current sum of payments on these days. */
async function showDays(actor: Actor, days: readonly CashDayRecord[]) {
  const sums = await loadCashPaidBySiteDay(days, actor.zone);
  return days.map(({ createdAt, ...one }) => ({
    ...one,
    closedAt: createdAt,
    paidNow: decimalAmount(sums.get(siteDayKey(one)) ?? 0, one.currency),
  }));
}

export async function showCashDay(actor: Actor, day: CashDayRecord) {
  const [reply] = await showDays(actor, [day]);
  return reply;
}
