/** A chart's axis below the drawing, with grid lines. */
import { AxisBottom } from '@visx/axis';
import type { Scale } from './value-scale.ts';

interface NumbersProps {
  scale: Scale;
  /** From where to where the thin lines go. */
  top: number;
  bottom: number;
  write(value: number): string;
  ticks?: number[] | undefined;
}

/** So many numbers as stand beside each other with room between them. */
const ROOM = 72;

export function Numbers({ scale, top, bottom, write, ticks }: NumbersProps) {
  const [from = 0, to = 0] = scale.range();
  const values = ticks ?? scale.ticks(Math.max(2, Math.min(8, Math.floor((to - from) / ROOM))));
  return (
    <>
      {values.map((value) => (
        <line key={value} className="chart-grid" x1={scale(value)} x2={scale(value)} y1={top} y2={bottom} />
      ))}
      <AxisBottom
        top={bottom}
        scale={scale}
        tickValues={values}
        tickFormat={(value) => write(Number(value))}
        tickLength={5}
        axisLineClassName="chart-axis"
        stroke="none"
        tickStroke="none"
        tickComponent={({ x, y, formattedValue }) => (
          <text x={x} y={y + 10} className="chart-small" textAnchor="middle">
            {formattedValue}
          </text>
        )}
      />
    </>
  );
}
