/**
 * Closes a day of a site's cash box. The sum of payments is as of the transaction. Payments that are recorded or
 * reopened later change nothing stored here; replies show the current sum (`paidNow`).
 */
import mongoose, { type ClientSession } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { invalidFieldProblem } from '../../platform/http/problems/problem.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import { decimalsOf } from '../../platform/lib/decimals.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import { requireRightToCreate } from '../../platform/rights/guard.ts';
import { requireExistingLocation } from '../../study/locations/model.ts';
import { currencyDecimals, incentiveCurrency } from '../../study/settings/incentives.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { IncentiveModel } from '../incentives/model.ts';
import type { IncentiveMethod } from '../incentives/schema.ts';
import { amountTotalsPipeline, decimalAmount, type TotalsGroup } from '../incentives/totals.ts';
import { CashDayModel, type CashDayRecord } from './model.ts';
import { paidOnFilter, type SiteDay } from './paid-in-cash.ts';
import type { CashDayClose } from './schema.ts';

export async function closeDay(actor: Actor, body: CashDayClose): Promise<CashDayRecord> {
  const { day } = body;
  const location = new mongoose.Types.ObjectId(body.location);
  requireRightToCreate(actor, 'CashDay', { location, day, closedBy: actor.user._id, createdAt: actor.now });
  if (day > isoDateAt(actor.now, actor.zone)) throw invalidFieldProblem('day', 'DAY_IN_FUTURE');
  return await inTransaction(async (session) => {
    await requireExistingLocation(body.location, session);
    const currency = incentiveCurrency(await loadStudy(session));
    if (currency === null) throw invalidFieldProblem('opening', 'NO_CURRENCY');
    for (const field of ['opening', 'counted'] as const)
      if (decimalsOf(body[field]) !== currencyDecimals(currency))
        throw invalidFieldProblem(field, 'NOT_CASH');
    const byMethod = await sumByMethod({ location, day }, actor.zone, session);
    const cash = byMethod.find(({ _id }) => _id === 'CASH')?.sum ?? 0;
    const closed: CashDayRecord = {
      _id: new mongoose.Types.ObjectId(),
      ...{ location, day, currency, opening: body.opening, counted: body.counted },
      paid: amountOf(cash, currency),
      difference: amountOf(Number(body.counted) - (Number(body.opening) - cash), currency),
      byMethod: byMethod.map(({ _id, count, sum }) => ({
        method: _id as IncentiveMethod,
        count,
        total: amountOf(sum, currency),
      })),
      ...{ state: 'CLOSED', closedBy: actor.user._id, createdAt: actor.now },
      ...{ reopenedBy: null, reopenedAt: null, reason: null },
    };
    // The unique index refuses to close the same day twice (DAY_CLOSED).
    await CashDayModel.collection.insertOne(closed, { session });
    const event = { action: 'create', subject: 'CashDay', record: closed._id, location } as const;
    await audit(session, authorFromActor(actor), event);
    return closed;
  }, actor.deadline);
}

async function sumByMethod(of: SiteDay, zone: string, session: ClientSession): Promise<TotalsGroup[]> {
  const paid = paidOnFilter(of, zone);
  if (!paid) throw invalidFieldProblem('day', 'NO_DAY');
  return await IncentiveModel.collection
    .aggregate<TotalsGroup>([{ $match: paid }, ...amountTotalsPipeline('$method')], { session })
    .toArray();
}

/** Rounded, so that floating-point errors don't give `-0.00`. */
function amountOf(sum: number, currency: string): string {
  const units = 10 ** currencyDecimals(currency);
  return decimalAmount(Math.round(sum * units) / units || 0, currency) as string;
}
