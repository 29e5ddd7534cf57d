/**
 * Pays incentives. A payment's id is kept until the service has definitely replied, so that retrying after a lost
 * reply doesn't pay twice.
 */
import { randomId } from '../device/random-id.ts';
import { currentWorkspace, type PersonScope } from '../device/workspace.ts';
import { RequestRefusal, request } from '../session/api.ts';
import type { IncentiveHandedOver, PaidIncentive } from '../wire.ts';

/** Payment ids by incentive. */
const unconfirmedPayments = (_: PersonScope) => new Map<string, string>();

interface Payment extends IncentiveHandedOver {
  /** The claim number. */
  code?: string;
  location?: string;
  /** Pays with one of the study's gift cards, which the reply shows unless it is texted. */
  card?: true;
  deliver?: 'SMS';
}

export async function payIncentive(incentive: string, payment: Payment): Promise<PaidIncentive> {
  const unanswered = currentWorkspace.get().getOrCreate(unconfirmedPayments);
  const clientId = unanswered.get(incentive) ?? randomId();
  unanswered.set(incentive, clientId);
  try {
    const path = `/api/incentives/${incentive}/pay`;
    const paid = await request<PaidIncentive>('POST', path, { body: { ...payment, clientId } });
    unanswered.delete(incentive);
    return paid;
  } catch (error) {
    if (isAnswer(error)) unanswered.delete(incentive);
    throw error;
  }
}

/** Whether the service definitely replied that nothing was paid. */
const isAnswer = (error: unknown): boolean =>
  error instanceof RequestRefusal && error.status < 500 && error.status !== 401 && error.status !== 429;
