/** Which round an interview belongs to by its date, and whether a round still takes one. */
import type { Types } from 'mongoose';
import { dateAt } from '../../platform/lib/day.ts';
import type { RoundRecord } from './model.ts';

export type RoundSpan = Pick<RoundRecord, '_id' | 'openedAt' | 'closedAt'>;

/** An interview held at its last moment still belongs to it. */
const takes = ({ closedAt }: Pick<RoundSpan, 'closedAt'>, heldAt: Date): boolean =>
  closedAt === null || heldAt <= closedAt;

/** The round that was open then; before the first one, the first. Else the one before the gap, and `isOpen` is false. */
export function roundAt(rounds: readonly RoundSpan[], at: Date): { round: Types.ObjectId; isOpen: boolean } {
  const began = rounds.filter(({ openedAt }, index) => index === 0 || openedAt <= at);
  const last = began.at(-1);
  if (!last) throw new Error('there is no round');
  return { round: last._id, isOpen: takes(last, at) };
}

/** Whether this round, if any, was closed before the interview was held. */
export function isClosedFor(
  rounds: readonly RoundSpan[],
  round: Types.ObjectId | null | undefined,
  heldAt: Date,
): boolean {
  const span = round && rounds.find(({ _id }) => _id.equals(round));
  return span ? !takes(span, heldAt) : false;
}

export type RoundEnd = Pick<RoundRecord, 'state' | 'endsOn' | 'closedAt'>;

/** The day after which days are counted until something is erased: of an open round, the study's; null if it has none. */
export const lastDay = (
  { state, endsOn, closedAt }: RoundEnd,
  study: { endsOn: string | null },
  zone: string,
): string | null => (state === 'OPEN' ? study.endsOn : (endsOn ?? (closedAt && dateAt(closedAt, zone))));
