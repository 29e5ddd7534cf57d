/** Where everything of one coupon stands. All but the code and its QR is the same for each coupon of a sheet. */
import type { Line } from './paragraphs.ts';

export interface Composition {
  lines: Line[];
  rules: { x: number; y: number; width: number }[];
  /** The square of the QR, its quiet zone included. */
  qr: { x: number; y: number; side: number };
  code: { x: number; baseline: number; size: number };
}

export interface Size {
  width: number;
  height: number;
}
