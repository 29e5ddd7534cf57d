import QRCode from 'qrcode';

/** Modules of white space around the code, required by the standard. */
const QUIET_MODULES = 4;

export interface QrMatrix {
  /** Modules per side, including the quiet zone. */
  side: number;
  /** The dark modules as horizontal bars, in modules from the corner of the quiet zone. */
  bars: { x: number; y: number; width: number }[];
}

export function qrMatrix(text: string): QrMatrix {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const dark = (x: number, y: number) => x < modules.size && modules.data[y * modules.size + x] === 1;
  const bars: QrMatrix['bars'] = [];
  for (let y = 0; y < modules.size; y++)
    for (let x = 0; x < modules.size; x++) {
      const start = x;
      while (dark(x, y)) x++;
      if (x > start) bars.push({ x: start + QUIET_MODULES, y: y + QUIET_MODULES, width: x - start });
    }
  return { side: modules.size + 2 * QUIET_MODULES, bars };
}

/** The quiet zone's share of the side, for a text of this length. */
export function quietZoneShare(text: string): number {
  return QUIET_MODULES / qrMatrix(text).side;
}
