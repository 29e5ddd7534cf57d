/** A state with its color. Only states that need attention are warnings. */
import { Tag, type Tone } from '../../../ui/notice.tsx';
import { useValueLabels, type ValueLabelKey } from './dashboard-text.ts';

/** States not listed here are neutral. */
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

export function StateTag({ of, state }: { of: ValueLabelKey; state: string }) {
  return <Tag tone={toneOf(state)}>{useValueLabels()(of)[state]}</Tag>;
}
