/** A QR code reader for browsers without one. Images never leave the device. */
import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill';
import readerProgramUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

// Its default is to load the program from a third-party host.
prepareZXingModule({
  overrides: {
    locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? readerProgramUrl : prefix + path),
  },
});

export { BarcodeDetector, readerProgramUrl };
