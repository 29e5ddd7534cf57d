import QRCode from 'qrcode';

/** White modules around the code, as the standard asks for. */
const QUIET = 4;

export interface Matrix {
  /** Modules along one side, the quiet zone on both ends included. */
  side: number;
  /** The dark modules as horizontal bars, in modules from the corner of the quiet zone. */
  bars: { x: number; y: number; width: number }[];
}

export function qrMatrix(text: string): Matrix {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const dark = (x: number, y: number) => x < modules.size && modules.data[y * modules.size + x] === 1;
  const bars: Matrix['bars'] = [];
  for (let y = 0; y < modules.size; y++)
    for (let x = 0; x < modules.size; x++) {
      const start = x;
      while (dark(x, y)) x++;
      if (x > start) bars.push({ x: start + QUIET, y: y + QUIET, width: x - start });
    }
  return { side: modules.size + 2 * QUIET, bars };
}

/** The share of a matrix's side that its quiet zone takes, for a text as long as this one. */
export function quietShare(text: string): number {
  return QUIET / qrMatrix(text).side;
}
