/** J and K go from row to row of a list, X chooses the row. What has the focus then opens with Enter, as ever. */
import { type RefObject, useEffect } from 'react';
import { letterKey } from './letter-keys.ts';

const STEPS: Record<string, number> = { j: 1, k: -1 };
const WAYS = ['th a', 'summary', 'td a', '.desk-pick input', 'button'];

export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = letterKey(event);
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      const step = STEPS[key ?? ''];
      if (step) wayOn(rows, at < 0 ? 0 : at + step, step)?.focus();
      else if (key === 'x') choose(rows[at], event.shiftKey);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [list]);
}

/** Into the next row that has one. */
function wayOn(rows: HTMLElement[], from: number, step: number): HTMLElement | undefined {
  for (let at = from; at in rows; at += step) {
    const way = wayInto(rows[at]);
    if (way) return way;
  }
  return undefined;
}

/** Its heading's link, or what else can have the focus there. */
function wayInto(row: HTMLElement | undefined): HTMLElement | undefined {
  return WAYS.flatMap((way) => row?.querySelector<HTMLElement>(way) ?? [])[0];
}

/** The box has the focus after, from where Enter leads to what can be done. */
function choose(row: HTMLElement | undefined, shiftKey: boolean): void {
  const box = row?.querySelector<HTMLElement>('.desk-pick input');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
  box?.focus();
}
