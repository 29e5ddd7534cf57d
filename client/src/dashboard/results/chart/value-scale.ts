/** The scale for comparing figures: shares start at 0, other numbers around their values. */
import { scaleLinear } from '@visx/scale';

export type Scale = ReturnType<typeof scaleLinear<number>>;

interface Values {
  values: readonly (number | null | undefined)[];
  fromZero: boolean;
  range: [from: number, to: number];
  /** About how many numbers will stand on it. */
  nice?: number;
}

/** Of the reach of the values: so much stays free on either side. */
const ROOM = 0.12;
const LARGEST = Number.MAX_VALUE / 8;

export function valueScale({ values, fromZero, range, nice = 4 }: Values): Scale {
  const all = values.filter((one) => typeof one === 'number').filter(Number.isFinite);
  return scaleLinear<number>({ domain: reachOf(all, fromZero), range, nice, clamp: true });
}

function reachOf(all: number[], fromZero: boolean): [number, number] {
  if (all.length === 0) return [0, 1];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (fromZero) return [0, Math.min(most || 1, LARGEST)];
  const room = (most - least) * ROOM || Math.abs(most) * ROOM || 1;
  const reach: [number, number] = [least - room, most + room];
  // Beyond these, differences of numbers are infinite.
  return [Math.max(reach[0], -LARGEST), Math.min(reach[1], LARGEST)];
}
