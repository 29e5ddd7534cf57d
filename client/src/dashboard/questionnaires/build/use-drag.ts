/**
 * Drags a row of the outline by its handle, with a mouse, a pen or a finger, to before or after another row. Keyboard
 * users have the buttons of the selected row.
 */
import { type PointerEvent as GripEvent, useEffect, useRef, useState } from 'react';
import { isDeepEqual } from '../../../../../src/platform/lib/objects/deep-equal.ts';
import type { ElementPlace } from '../element-paths.ts';
import { type ElementMove, mayDropAt } from './definition/change-elements.ts';

/** So near to its edge the list moves on by itself, so many pixels a frame. */
const EDGE_PX = 56;
const PX_PER_FRAME = 9;
/** How much of the window the header and a phone's navigation cover. */
const COVERED_PX = 64;

/** All but that of the whole questionnaire. */
const ROWS = '.build-line:not([data-depth="0"])';

const placeOf = (row: Element): ElementPlace =>
  ((row as HTMLElement).dataset.place ?? '').split('.').map(Number);

/** Where it would be put now; null where nothing can be. */
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

/** The outline itself where it scrolls, else the page. */
function scroller(within: Element): { top: number; bottom: number; by(step: number): void } {
  const list = within.closest('.build-outline');
  if (list && list.scrollHeight > list.clientHeight) {
    const { top, bottom } = list.getBoundingClientRect();
    return { top, bottom, by: (step) => list.scrollBy(0, step) };
  }
  return { top: COVERED_PX, bottom: innerHeight - COVERED_PX, by: (step) => scrollBy(0, step) };
}

/** `within`: what the places are of. Once it is another, as after a step back, nothing is held any more. */
export function useDrag(within: object, onDrop: (move: ElementMove) => void) {
  const [drag, setDrag] = useState<ElementMove | null>(null);
  const stop = useRef<() => void>(undefined);
  const drop = useRef(onDrop);
  useEffect(() => {
    drop.current = onDrop;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is held stood in what was there before
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
