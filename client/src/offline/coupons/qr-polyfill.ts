/** A QR code reader for browsers without one. Nothing leaves the device. */
import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill';
import readerProgramUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

// Its own default is a foreign host.
prepareZXingModule({
  overrides: {
    locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? readerProgramUrl : prefix + path),
  },
});

export { BarcodeDetector, readerProgramUrl };
