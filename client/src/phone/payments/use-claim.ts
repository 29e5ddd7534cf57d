/** What is due to the person with this claim number, and paying it. */
import { useEffect, useState } from 'react';
import { useHasSignal } from '../../device/use-signal.ts';
import { payIncentive } from '../../offline/payments.ts';
import { RequestRefusal, request } from '../../session/api.ts';
import { useSubmit } from '../../ui/form.tsx';
import type { IncentiveClaim, PaidIncentive } from '../../wire.ts';
import type { PaymentMethod } from './card-choice.tsx';

interface ClaimOptions {
  /** Null while incomplete. */
  code: string | null;
  handed: PaymentMethod;
  /** Undefined means the payer's current site. */
  location: string | undefined;
}

interface ClaimState {
  code: string;
  claim: IncentiveClaim;
  paid: PaidIncentive[];
  /** Incentives that won't be paid now. */
  left: string[];
  /** The lookup this state belongs to. */
  startOver: number;
}

export function useClaim({ code, handed, location }: ClaimOptions) {
  const online = useHasSignal();
  const [last, setLast] = useState<ClaimState | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [startOver, setTurn] = useState(0);
  const lookAgain = () => setTurn((before) => before + 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the last result must not trigger a new request
  useEffect(() => {
    setFault(null);
    // After a lost reply, doesn't look the claim up again: the same payment is retried first.
    if (!code || !online || (last?.code === code && last.startOver === startOver)) return;
    let current = true;
    request<IncentiveClaim>('GET', `/api/incentives/claim/${code}`).then(
      (claim) =>
        current &&
        setLast((before) => ({
          ...(before?.code === code ? before : { paid: [], left: [] }),
          ...{ code, claim, startOver },
        })),
      (error: unknown) => current && setFault(error),
    );
    return () => {
      current = false;
    };
  }, [code, online, startOver]);
  // Never shows results of another number.
  const current = last?.code === code ? last : null;
  const change = (by: (before: ClaimState) => Partial<ClaimState>) =>
    setLast((before) => (before?.code === code ? { ...before, ...by(before) } : before));
  const { claim = null, paid = [], left: excludedIds = [] } = current ?? {};
  const due = (claim?.due ?? []).filter(({ id }) => !paid.some((one) => one.id === id));
  const chosen = due.filter(({ id }) => !excludedIds.includes(id));
  const { submit, busy, error } = useSubmit(async () => {
    if (!claim) return;
    try {
      for (const { id } of chosen) {
        const record = await payIncentive(id, {
          ...handed,
          code: claim.code,
          ...(location ? { location } : {}),
        });
        if (record.state === 'PAID') change((before) => ({ paid: [...before.paid, record] }));
        // Someone reopened it since it was paid.
        else lookAgain();
      }
    } catch (refused) {
      if (refused instanceof RequestRefusal) lookAgain();
      throw refused;
    }
  });
  const choose = (id: string, isChosen: boolean) =>
    change((before) => ({
      left: isChosen ? before.left.filter((one) => one !== id) : [...before.left, id],
    }));
  return { claim, fault, due, chosen, paid, choose, pay: () => submit(), busy, error: current && error };
}
