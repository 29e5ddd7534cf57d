/** A picture drawn by Observable Plot in the width that there is. Text in it always reads from left to right. */
import { useResizeObserver } from '@mantine/hooks';
import './charts.css';
import { type RefObject, useEffect, useRef } from 'react';

/** Lines end beside words, and never run through them; the colors are those of the page, light or dark. */
export const LABEL_STYLE = { fill: 'currentColor', stroke: 'var(--card)', strokeWidth: 4 } as const;
export const QUIET_LABEL = { ...LABEL_STYLE, fill: 'var(--mantine-color-dimmed)' } as const;
export const MAIN_COLOR = 'var(--mantine-color-anchor)';
export const QUIET_COLOR = 'var(--mantine-color-dimmed)';
export const GRID_STYLE = { stroke: 'var(--line)', strokeOpacity: 1 } as const;

export type PlotModule = typeof import('@observablehq/plot');
export type Drawing = SVGSVGElement | HTMLElement;

interface PlotPictureProps {
  /** What it shows, in a sentence, read out in its place; without it, what stands beside says the same. */
  label?: string;
  /** Of the picture, before it is drawn. */
  minHeight: number;
  /** Draws it; called again whenever the page is drawn again. */
  draw(plotting: PlotModule, width: number): Drawing;
  /** Holds the picture, for saving it. */
  drawn?: RefObject<SVGSVGElement | null>;
}

export function PlotPicture({ label, minHeight, draw, drawn }: PlotPictureProps) {
  const [frame, { width }] = useResizeObserver<HTMLDivElement>();
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (width <= 0) return;
    let isMounted = true;
    void import('@observablehq/plot').then((plotting) => {
      if (!isMounted) return;
      const picture = draw(plotting, width);
      // Plot names its parts, which have no role that may have a name.
      for (const part of picture.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
      if (label) {
        picture.setAttribute('role', 'img');
        picture.setAttribute('aria-label', label);
      } else {
        picture.setAttribute('aria-hidden', 'true');
      }
      picture.classList.add('chart');
      holder.current?.replaceChildren(picture);
      // It has its own height now.
      if (holder.current) holder.current.style.minHeight = '';
      if (drawn) drawn.current = picture instanceof SVGSVGElement ? picture : null;
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
