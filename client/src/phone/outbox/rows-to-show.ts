/** The rows of the outbox page: those that need someone first. */
import type { OutboxRow, OutboxState } from '../../device/store/store.ts';
import { shownState } from '../../offline/row-states.ts';

const FIRST: OutboxState[] = ['attention', 'sending', 'waiting', 'sent'];
/** More of what has arrived than a day's work is not worth a scroll. */
const MAX_SENT_SHOWN = 50;

export function rowsToShow(rows: OutboxRow[]): OutboxRow[] {
  const by = (state: OutboxState) => rows.filter((row) => shownState(row) === state);
  return FIRST.flatMap((state) =>
    state === 'sent' ? by(state).reverse().slice(0, MAX_SENT_SHOWN) : by(state),
  );
}
