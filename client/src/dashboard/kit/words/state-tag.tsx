/** A state with its color. Only states that need attention are warnings. */
import { Tag, type Tone } from '../../../ui/notice.tsx';
import { useWordsOf, type WordsOf } from './desk-text.ts';

/** All others only inform. */
const TONES: Partial<Record<string, Tone>> = {
  PENDING: 'warn',
  APPROVED: 'good',
  REJECTED: 'bad',
  LIVE: 'good',
  EXPIRED: 'warn',
  VOID: 'bad',
  ALIVE: 'good',
  SILENT: 'warn',
  DONE: 'good',
  FAILED: 'bad',
  CANCELLED: 'warn',
};
export const toneOf = (state: string): Tone => TONES[state] ?? 'info';

export function StateTag({ of, state }: { of: WordsOf; state: string }) {
  return <Tag tone={toneOf(state)}>{useWordsOf()(of)[state]}</Tag>;
}
