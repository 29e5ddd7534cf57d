/** What each state asks for, in a colour: only what somebody should look at is a warning. */
import { Tag, type Tone } from '../ui/notice.tsx';
import { useWordsOf, type WordsOf } from './desk-text.ts';

export const TONES = {
  PENDING: 'warn',
  APPROVED: 'good',
  REJECTED: 'bad',
  RESERVED: 'info',
  LIVE: 'good',
  USED: 'info',
  EXPIRED: 'warn',
  VOID: 'bad',
  ALIVE: 'good',
  SILENT: 'warn',
  NO_COUPONS: 'info',
  DIED: 'info',
  WAITING: 'info',
  RUNNING: 'info',
  DONE: 'good',
  FAILED: 'bad',
  CANCELLED: 'warn',
} as const satisfies Record<string, Tone>;

export function StateTag({ of, state }: { of: WordsOf; state: keyof typeof TONES }) {
  const words = useWordsOf()(of);
  return <Tag tone={TONES[state]}>{words[state]}</Tag>;
}
