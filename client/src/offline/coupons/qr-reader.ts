/** Reads QR codes with the browser's own reader, or else with one that is downloaded once and cached. */
import type { BarcodeDetector } from 'barcode-detector/ponyfill';

type Detector = typeof BarcodeDetector;
type Reader = Pick<BarcodeDetector, 'detect'>;

const FORMATS = { formats: ['qr_code' as const] };

async function ownReader(): Promise<Detector | null> {
  const { BarcodeDetector: own } = globalThis as { BarcodeDetector?: Detector };
  const reads = own?.getSupportedFormats().then((formats) => formats.includes('qr_code'));
  return own && (await reads?.catch(() => false)) ? own : null;
}

export async function createQrCodeReader(): Promise<Reader> {
  const Own = (await ownReader()) ?? (await import('./qr-polyfill.ts')).BarcodeDetector;
  return new Own(FORMATS);
}

/** Makes scanning work offline: the service worker caches the reader when it is fetched. */
export async function precacheCodeReader(): Promise<void> {
  if (await ownReader()) return;
  const workers = navigator.serviceWorker;
  if (!workers.controller)
    await new Promise((resolve) => workers.addEventListener('controllerchange', resolve, { once: true }));
  const { readerProgramUrl } = await import('./qr-polyfill.ts');
  await (await fetch(readerProgramUrl)).arrayBuffer();
}
