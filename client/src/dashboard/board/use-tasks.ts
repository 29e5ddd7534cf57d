/** Work outside the board: possible repeats, quality findings, unpaid incentives, and gift cards. */
import type { z } from 'zod';
import type { CardSummary } from '../../../../src/interviews/cards/schema.ts';
import { now } from '../../device/clock.ts';
import { everPays } from '../../session/incentives.ts';
import { useStudy } from '../../session/records.ts';
import { readsAll } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import type { Incentive } from '../../wire.ts';
import { useGet, useList } from '../kit/data/use-list.tsx';
import { usePossibleRepeats } from '../surveys/repeats/use-repeats.ts';

const REFRESH_MS = 60_000;
/** Slow to compute: the checks compare all interviews. */
const FINDINGS_REFRESH_MS = 300_000;
/** People collect payments when it suits them, so only older debts need attention. */
const UNPAID_DAYS = 14;
const DAY_MS = 86_400_000;

interface Tasks {
  repeats: number;
  findings: number;
  /** Amounts in use with few gift cards left. */
  lowCards: { amount: string; currency: string }[];
  /** Null if nothing has been owed that long. `since`: the oldest. */
  unpaid: { count: number; since: string } | null;
}

/** Requests one record and the total. */
const FIRST_AND_TOTAL = { limit: '1', total: 'true' };

export function useTasks(): Tasks {
  const ability = useAbility();
  const study = useStudy();
  const reviews = ability.can('review', 'Survey');
  const seesFindings = readsAll(ability, 'Recruitment');
  const seesUnpaid = everPays(study) && readsAll(ability, 'Incentive');
  const { repeats } = usePossibleRepeats({ enabled: reviews, refetchInterval: REFRESH_MS });
  const findings = useList('/api/quality', FIRST_AND_TOTAL, {
    enabled: seesFindings,
    refetchInterval: FINDINGS_REFRESH_MS,
  });
  const due = useList<Incentive>(
    '/api/incentives',
    { state: 'DUE', sort: 'createdAt', ...FIRST_AND_TOTAL },
    { enabled: seesUnpaid, refetchInterval: REFRESH_MS },
  );
  const seesCards = study?.giftCards === true && readsAll(ability, 'Card');
  const cards = useGet<z.infer<typeof CardSummary>>('/api/cards/summary', {
    enabled: seesCards,
    refetchInterval: REFRESH_MS,
  });
  const since = due.rows?.[0]?.createdAt;
  const isLong = since !== undefined && now() - Date.parse(since) > UNPAID_DAYS * DAY_MS;
  return {
    repeats: reviews ? (repeats?.length ?? 0) : 0,
    findings: seesFindings ? (findings.total ?? 0) : 0,
    lowCards: seesCards ? (cards.data?.data ?? []).filter(({ isLow }) => isLow) : [],
    unpaid: seesUnpaid && isLong ? { count: due.total ?? 0, since } : null,
  };
}
