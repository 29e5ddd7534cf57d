/** A chart drawn by Observable Plot at the available width. Its text always reads left to right. */
import { useResizeObserver } from '@mantine/hooks';
import './charts.css';
import { type RefObject, useEffect, useRef } from 'react';

/** The outline keeps lines from running through labels. Colors follow the theme. */
export const LABEL_STYLE = { fill: 'currentColor', stroke: 'var(--card)', strokeWidth: 4 } as const;
export const MUTED_LABEL_STYLE = { ...LABEL_STYLE, fill: 'var(--mantine-color-dimmed)' } as const;
export const MAIN_COLOR = 'var(--mantine-color-anchor)';
export const MUTED_COLOR = 'var(--mantine-color-dimmed)';
/** Below the axis, in its middle. */
export const AXIS_TITLE_HEIGHT = 18;
export const AXIS_STYLE = {
  labelAnchor: 'center',
  labelArrow: 'none',
  fontSize: 12.5,
  color: MUTED_COLOR,
} as const;
export const GRID_STYLE = { stroke: 'var(--line)', strokeOpacity: 1 } as const;

export type PlotModule = typeof import('@observablehq/plot');
export type DrawnChart = SVGSVGElement | HTMLElement;

interface PlotChartProps {
  /** One-sentence description for screen readers. Omit it if the text next to the chart says the same. */
  label?: string;
  /** Height reserved until the chart is drawn. */
  minHeight: number;
  /** Draws the chart; called on every render. */
  draw(plotting: PlotModule, width: number): DrawnChart;
  /** Set to the drawn SVG, so that it can be saved. */
  onDrawn?: RefObject<SVGSVGElement | null>;
}

export function PlotChart({ label, minHeight, draw, onDrawn }: PlotChartProps) {
  const [frame, { width }] = useResizeObserver<HTMLDivElement>();
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (width <= 0) return;
    let isMounted = true;
    void import('@observablehq/plot').then((plotting) => {
      if (!isMounted) return;
      const picture = draw(plotting, width);
      // Plot puts labels on parts whose role doesn't allow one.
      for (const part of picture.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
      if (label) {
        picture.setAttribute('role', 'img');
        picture.setAttribute('aria-label', label);
      } else {
        picture.setAttribute('aria-hidden', 'true');
      }
      picture.classList.add('chart');
      holder.current?.replaceChildren(picture);
      // The chart now has its own height.
      if (holder.current) holder.current.style.minHeight = '';
      if (onDrawn) onDrawn.current = picture instanceof SVGSVGElement ? picture : null;
    });
    return () => {
      isMounted = false;
    };
  });
  return (
    <div ref={frame} dir="ltr" className="chart-frame">
      <div ref={holder} style={{ minHeight }} />
    </div>
  );
}
