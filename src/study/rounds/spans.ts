/** Which round an interview belongs to by its date, and whether a round still accepts it. */
import type { Types } from 'mongoose';
import { isoDateAt } from '../../platform/lib/day.ts';
import type { RoundRecord } from './model.ts';

export type RoundSpan = Pick<RoundRecord, '_id' | 'openedAt' | 'closedAt'>;

/** An interview at the very moment of closing still belongs to the round. */
const takes = ({ closedAt }: Pick<RoundSpan, 'closedAt'>, heldAt: Date): boolean =>
  closedAt === null || heldAt <= closedAt;

/**
 * The round that was open then, or the first round if that is earlier. In a gap between rounds, the round before it,
 * and `isOpen` is false.
 */
export function roundAt(rounds: readonly RoundSpan[], at: Date): { round: Types.ObjectId; isOpen: boolean } {
  const began = rounds.filter(({ openedAt }, index) => index === 0 || openedAt <= at);
  const last = began.at(-1);
  if (!last) throw new Error('there is no round');
  return { round: last._id, isOpen: takes(last, at) };
}

/** Whether this round (if any) was closed before the interview took place. */
export function isRoundClosedAt(
  rounds: readonly RoundSpan[],
  round: Types.ObjectId | null | undefined,
  heldAt: Date,
): boolean {
  const span = round && rounds.find(({ _id }) => _id.equals(round));
  return span ? !takes(span, heldAt) : false;
}

export type RoundEnd = Pick<RoundRecord, 'state' | 'endsOn' | 'closedAt'>;

/** The day from which the retention period is counted: for an open round, the study's end date; null if it has none. */
export const lastDayOfRound = (
  { state, endsOn, closedAt }: RoundEnd,
  study: { endsOn: string | null },
  zone: string,
): string | null => (state === 'OPEN' ? study.endsOn : (endsOn ?? (closedAt && isoDateAt(closedAt, zone))));
