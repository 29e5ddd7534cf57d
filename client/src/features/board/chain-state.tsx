/** How a chain stands: whether its coupons are out, and whether anybody comes with them. */
import { useDeskText } from '../../desk/desk-text.ts';
import { Tag, type Tone } from '../../ui/notice.tsx';
import type { ChainRow } from './board-wire.ts';

/** Only what asks for something is a warning. */
const TONES: Record<ChainRow['state'], Tone> = {
  ALIVE: 'good',
  SILENT: 'warn',
  NO_COUPONS: 'info',
  DIED: 'info',
};

export function ChainState({ state }: Pick<ChainRow, 'state'>) {
  const { t } = useDeskText();
  return <Tag tone={TONES[state]}>{t(`board.chain.${state}`)}</Tag>;
}
