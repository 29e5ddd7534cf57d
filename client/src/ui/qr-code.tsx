/** A QR code. Always dark on white, which cameras need. */
import { create } from 'qrcode';
import { useMemo } from 'react';

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' });
    const dark: string[] = [];
    for (let row = 0; row < modules.size; row += 1) {
      for (let column = 0; column < modules.size; column += 1) {
        if (modules.get(row, column)) dark.push(`M${column} ${row}h1v1h-1z`);
      }
    }
    return { size: modules.size, path: dark.join('') };
  }, [text]);
  // A quiet zone of four modules, as the standard requires.
  return (
    <svg role="img" aria-label={label} viewBox={`-4 -4 ${size + 8} ${size + 8}`} shapeRendering="crispEdges">
      <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
