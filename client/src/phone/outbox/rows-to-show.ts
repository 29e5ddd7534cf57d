/** The rows of the outbox page, those that need attention first. */
import type { OutboxRow, OutboxState } from '../../device/store/store.ts';
import { shownState } from '../../offline/row-states.ts';

const STATE_ORDER: OutboxState[] = ['attention', 'sending', 'waiting', 'sent'];
/** More than a day's work isn't worth scrolling through. */
const MAX_SENT_SHOWN = 50;

export function outboxRowsToShow(rows: OutboxRow[]): OutboxRow[] {
  const by = (state: OutboxState) => rows.filter((row) => shownState(row) === state);
  return STATE_ORDER.flatMap((state) =>
    state === 'sent' ? by(state).reverse().slice(0, MAX_SENT_SHOWN) : by(state),
  );
}
