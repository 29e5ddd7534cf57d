/** The drawing of a chain. It can be moved by dragging, pinching, the mouse wheel, or keys. */
import { useComputedColorScheme } from '@mantine/core';
import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Icon } from '../../../ui/icon.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import type { NodeMark } from './tree-color.ts';
import { drawTree, type TreeInk } from './tree-draw.ts';
import type { PlacedNode, TreeLayout, TreeNode } from './tree-layout.ts';
import {
  type CanvasSize,
  fitView,
  initialTreeView,
  nearestNode,
  nodeByArrowKey,
  type TreeView,
  viewWithNodeVisible,
  zoomView,
} from './tree-view.ts';

interface TreeCanvasProps {
  layout: TreeLayout;
  label: string;
  selected: string | null;
  onSelect(id: string | null): void;
  markOf(node: TreeNode): NodeMark;
  isDim(node: TreeNode): boolean;
  labelOf(node: TreeNode): string;
}

const MAX_TAP_MOVE_PX = 6;
const TAP_REACH_PX = 20;

function inkOf(element: HTMLElement): TreeInk {
  const style = getComputedStyle(element);
  const variable = (name: string) => style.getPropertyValue(name).trim();
  return {
    line: variable('--line'),
    text: variable('--mantine-color-dimmed'),
    mark: variable('--mantine-color-text'),
    card: variable('--card'),
  };
}

function useSize(of: React.RefObject<HTMLElement | null>): CanvasSize {
  const [size, setSize] = useState<CanvasSize>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return size;
}

export function TreeCanvas({ layout, label, selected, onSelect, markOf, isDim, labelOf }: TreeCanvasProps) {
  const { t } = useDashboardText();
  const scheme = useComputedColorScheme('light');
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame);
  const [view, setView] = useState<TreeView | null>(null);
  // A node selected by the link is scrolled into view at first; later selections don't move the chart.
  const opened = useRef(selected);
  const { width, height } = size;

  // A different tree, shape, or size is first shown as a whole.
  useLayoutEffect(() => {
    if (width <= 0 || height <= 0) return;
    const whole = initialTreeView(layout, { width, height });
    const place = layout.placed.find(({ node }) => node.id === opened.current);
    setView(place ? viewWithNodeVisible(whole, place, { width, height }) : whole);
  }, [layout, width, height]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: redraws when the color scheme changes
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || !view) return;
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (element.width !== w || element.height !== h) Object.assign(element, { width: w, height: h });
    drawTree(context, {
      layout,
      view,
      size: { width, height },
      ink: inkOf(element),
      selected,
      markOf: ({ node }) => markOf(node),
      isDim: ({ node }) => isDim(node),
      labelOf: ({ node }) => labelOf(node),
      waveLabel: (wave) => (layout.shape === 'rows' ? t('tree.wave', { wave }) : String(wave)),
    });
  }, [layout, view, width, height, selected, markOf, isDim, labelOf, scheme, t]);

  const zoom = useCallback(
    (factor: number, x = width / 2, y = height / 2) => setView((now) => now && zoomView(now, factor, x, y)),
    [width, height],
  );
  useWheel(canvas, zoom);
  // If everything is visible, a vertical swipe scrolls the page instead.
  const whole = view !== null && view.scale <= fitView(layout, size).scale * 1.01;
  const pointers = usePointers({
    onMove: (dx, dy, touch) =>
      setView((now) => now && { ...now, x: now.x + dx, y: now.y + (touch && whole ? 0 : dy) }),
    onZoom: zoom,
    onTap: (x, y) => view && onSelect(nearestNode(layout, view, x, y, TAP_REACH_PX)?.node.id ?? null),
  });
  const choose = (place: PlacedNode | null | undefined) => {
    if (!place) return;
    onSelect(place.node.id);
    setView((now) => now && viewWithNodeVisible(now, place, size));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = layout.placed.find(({ node }) => node.id === selected);
    if (event.key.startsWith('Arrow')) choose(at ? nodeByArrowKey(at, event.key) : layout.placed[0]);
    else if (event.key === '+' || event.key === '=') zoom(1.3);
    else if (event.key === '-') zoom(1 / 1.3);
    else if (event.key === '0') setView(fitView(layout, size));
    else if (event.key === 'Escape') onSelect(null);
    else return;
    event.preventDefault();
  };
  return (
    <div className="tree-frame" ref={frame}>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it handles keys and pointers like an application */}
      <canvas
        ref={canvas}
        className="tree-canvas"
        role="application"
        aria-label={label}
        aria-describedby="tree-keys"
        tabIndex={0}
        style={{ touchAction: whole ? 'pan-y' : 'none' }}
        onKeyDown={onKeyDown}
        {...pointers}
      />
      <p id="tree-keys" className="hidden-text">
        {t('tree.keys')}
      </p>
      <div className="tree-buttons">
        <button type="button" className="icon-button" aria-label={t('tree.zoomIn')} onClick={() => zoom(1.4)}>
          <span aria-hidden="true">+</span>
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t('tree.zoomOut')}
          onClick={() => zoom(1 / 1.4)}
        >
          <span aria-hidden="true">−</span>
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t('tree.fit')}
          onClick={() => setView(fitView(layout, size))}
        >
          <Icon name="scan" size={20} />
        </button>
      </div>
    </div>
  );
}

/** React registers wheel listeners as passive, so they can't prevent scrolling. */
function useWheel(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  zoom: (factor: number, x: number, y: number) => void,
) {
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0018)), event.offsetX, event.offsetY);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas, zoom]);
}

interface PointerActs {
  onMove(dx: number, dy: number, touch: boolean): void;
  onZoom(factor: number, x: number, y: number): void;
  onTap(x: number, y: number): void;
}

type At = { x: number; y: number };

/** One finger moves, two zoom; a touch that barely moved is a tap. */
function usePointers({ onMove, onZoom, onTap }: PointerActs) {
  const down = useRef(new Map<number, At>());
  const travelled = useRef(0);
  const placeOf = ({ nativeEvent }: PointerEvent): At => ({ x: nativeEvent.offsetX, y: nativeEvent.offsetY });
  const spread = ([a, b]: At[]) => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0);
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      if (down.current.size === 0) travelled.current = 0;
      down.current.set(event.pointerId, placeOf(event));
    },
    onPointerMove: (event: PointerEvent) => {
      const before = down.current.get(event.pointerId);
      if (!before) return;
      const now = placeOf(event);
      const was = spread([...down.current.values()]);
      down.current.set(event.pointerId, now);
      travelled.current += Math.hypot(now.x - before.x, now.y - before.y);
      const all = [...down.current.values()];
      if (all.length === 1) onMove(now.x - before.x, now.y - before.y, event.pointerType === 'touch');
      else if (was > 0) {
        const [a = now, b = now] = all;
        onZoom(spread(all) / was, (a.x + b.x) / 2, (a.y + b.y) / 2);
      }
    },
    onPointerUp: (event: PointerEvent) => {
      const { x, y } = placeOf(event);
      if (down.current.size === 1 && travelled.current < MAX_TAP_MOVE_PX) onTap(x, y);
      down.current.delete(event.pointerId);
    },
    onPointerCancel: (event: PointerEvent) => void down.current.delete(event.pointerId),
  };
}
