/**
 * Drags an outline row by its handle, with a mouse, pen, or finger, to before or after another row. Keyboard users
 * have buttons on the selected row.
 */
import { type PointerEvent as GripEvent, useEffect, useRef, useState } from 'react';
import { isDeepEqual } from '../../../../../src/platform/lib/objects/deep-equal.ts';
import type { ElementPlace } from '../element-paths.ts';
import { type ElementMove, mayDropAt } from './definition/change-elements.ts';

/** Within this distance from its edge the list scrolls, by this many pixels per frame. */
const EDGE_PX = 56;
const PX_PER_FRAME = 9;
/** Height covered by the header and by a phone's navigation. */
const COVERED_PX = 64;

/** All rows except the whole questionnaire's. */
const ROWS = '.build-line:not([data-depth="0"])';

const placeOf = (row: Element): ElementPlace =>
  ((row as HTMLElement).dataset.place ?? '').split('.').map(Number);

/** Where the element would be dropped now; null if nowhere. */
function dragAt(from: ElementPlace, x: number, y: number): ElementMove | null {
  const isPage = from.length === 1;
  const row = document.elementFromPoint(x, y)?.closest(isPage ? '.build-page' : ROWS);
  if (!row) return null;
  const over = placeOf(row);
  const { top, bottom } = row.getBoundingClientRect();
  const side = y < (top + bottom) / 2 ? 'before' : 'behind';
  const drag: ElementMove = { from, over, side: over.length === 1 && !isPage ? 'behind' : side };
  return mayDropAt(drag) ? drag : null;
}

/** The outline if it scrolls, otherwise the page. */
function scroller(within: Element): { top: number; bottom: number; by(step: number): void } {
  const list = within.closest('.build-outline');
  if (list && list.scrollHeight > list.clientHeight) {
    const { top, bottom } = list.getBoundingClientRect();
    return { top, bottom, by: (step) => list.scrollBy(0, step) };
  }
  return { top: COVERED_PX, bottom: innerHeight - COVERED_PX, by: (step) => scrollBy(0, step) };
}

/** `within`: the definition the places refer to. If it changes, as after an undo, the drag is canceled. */
export function useElementDrag(within: object, onDrop: (move: ElementMove) => void) {
  const [drag, setDrag] = useState<ElementMove | null>(null);
  const stop = useRef<() => void>(undefined);
  const drop = useRef(onDrop);
  useEffect(() => {
    drop.current = onDrop;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: cancels a drag whose places refer to the previous definition
  useEffect(() => () => stop.current?.(), [within]);
  const take = (from: ElementPlace) => (event: GripEvent<HTMLElement>) => {
    if (event.button !== 0 || stop.current) return;
    event.preventDefault();
    const grip = event.currentTarget;
    const container = scroller(grip);
    let [x, y, frame] = [event.clientX, event.clientY, 0];
    let latest: ElementMove | null = null;
    const look = () => {
      const next = dragAt(from, x, y);
      if (!isDeepEqual(next, latest)) setDrag(next);
      latest = next;
    };
    const follow = () => {
      if (y < container.top + EDGE_PX) container.by(-PX_PER_FRAME);
      else if (y > container.bottom - EDGE_PX) container.by(PX_PER_FRAME);
      look();
      frame = requestAnimationFrame(follow);
    };
    const leave = new AbortController();
    const { signal } = leave;
    stop.current = () => {
      leave.abort();
      cancelAnimationFrame(frame);
      setDrag(null);
      stop.current = undefined;
    };
    const move = (to: PointerEvent) => {
      if (frame === 0 && Math.abs(to.clientY - y) < 4) return;
      [x, y] = [to.clientX, to.clientY];
      if (frame === 0) follow();
    };
    grip.setPointerCapture(event.pointerId);
    grip.addEventListener('pointermove', move, { signal });
    grip.addEventListener(
      'pointerup',
      () => {
        if (frame !== 0) look();
        stop.current?.();
        if (latest) drop.current(latest);
      },
      { signal },
    );
    grip.addEventListener('lostpointercapture', () => stop.current?.(), { signal });
    addEventListener('keydown', ({ key }) => key === 'Escape' && stop.current?.(), { signal });
  };
  return { drag, take };
}
