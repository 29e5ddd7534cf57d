/** The grid of coupons on a sheet of paper, in points. */
import type { CouponSheet } from './coupon-sheet.ts';

const mm = (length: number) => (length * 72) / 25.4;

export const PAPER_SIZES_IN_POINTS = {
  A4: { width: 595.28, height: 841.89 },
  LETTER: { width: 612, height: 792 },
};

export interface CouponGrid {
  columns: number;
  rows: number;
  /** Size of one coupon. */
  width: number;
  height: number;
  /** Distance between the left edges of neighboring coupons; more than `width` if there are gaps. */
  pitch: number;
  left: number;
  top: number;
  cutMarks: boolean;
}

/** Centered on the paper, without gaps. */
function centered(
  paper: CouponSheet['paper'],
  columns: number,
  rows: number,
  width: number,
  height: number,
): CouponGrid {
  const sheet = PAPER_SIZES_IN_POINTS[paper];
  const left = (sheet.width - columns * width) / 2;
  return {
    columns,
    rows,
    width,
    height,
    pitch: width,
    left,
    top: (sheet.height - rows * height) / 2,
    cutMarks: false,
  };
}

export function paperGridFor({ layout, paper }: Pick<CouponSheet, 'layout' | 'paper'>): CouponGrid {
  const a4 = paper === 'A4';
  switch (layout) {
    case 'page':
      return centered(paper, 1, 1, PAPER_SIZES_IN_POINTS[paper].width, PAPER_SIZES_IN_POINTS[paper].height);
    case 'cards': {
      // Business cards: 85 x 54 mm on A4, 3.5 x 2 inches on letter paper.
      const grid = a4 ? centered(paper, 2, 5, mm(85), mm(54)) : centered(paper, 2, 5, 252, 144);
      return { ...grid, cutMarks: true };
    }
    case 'labels':
      // Precut sheets: 24 of 70 x 37 mm, or 30 of 2 5/8 x 1 inch with an eighth of an inch between the columns.
      return a4
        ? centered(paper, 3, 8, mm(70), mm(37))
        : { columns: 3, rows: 10, width: 189, height: 72, pitch: 198, left: 13.5, top: 36, cutMarks: false };
  }
}

export interface LineSegment {
  from: [x: number, y: number];
  to: [x: number, y: number];
}

const MARK = 14;
const CLEARANCE_MM = 4;
const CROSS_MM = 3;

/** Short strokes in the margin at each cut, and small crosses where cuts meet. */
export function cutMarks({ columns, rows, width, height, left, top }: CouponGrid): LineSegment[] {
  const xs = Array.from({ length: columns + 1 }, (_, at) => left + at * width);
  const ys = Array.from({ length: rows + 1 }, (_, at) => top + at * height);
  const right = left + columns * width;
  const bottom = top + rows * height;
  const strokes: LineSegment[] = [];
  for (const x of xs)
    strokes.push(
      { from: [x, top - CLEARANCE_MM - MARK], to: [x, top - CLEARANCE_MM] },
      { from: [x, bottom + CLEARANCE_MM], to: [x, bottom + CLEARANCE_MM + MARK] },
    );
  for (const y of ys)
    strokes.push(
      { from: [left - CLEARANCE_MM - MARK, y], to: [left - CLEARANCE_MM, y] },
      { from: [right + CLEARANCE_MM, y], to: [right + CLEARANCE_MM + MARK, y] },
    );
  for (const x of xs.slice(1, -1))
    for (const y of ys.slice(1, -1))
      strokes.push(
        { from: [x - CROSS_MM, y], to: [x + CROSS_MM, y] },
        { from: [x, y - CROSS_MM], to: [x, y + CROSS_MM] },
      );
  return strokes;
}
