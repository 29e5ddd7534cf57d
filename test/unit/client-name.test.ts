import { browserNameFromUserAgent } from '../../src/platform/lib/client-name.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36`, 'Chrome, Android'],
  [
    `Mozilla/5.0 (Linux; Android 14) ${WEBKIT} SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet, Android',
  ],
  ['Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0', 'Firefox, Android'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    'Edge, Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 OPR/116.0.0.0`,
    'Opera, Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
    'Safari, iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1',
    'Chrome, iPad',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari, macOS',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`, 'Chrome, ChromeOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox, Linux'],
  ['curl/8.5.0', 'Unknown'],
  ['', 'Unknown'],
])('%s is %s', (header, name) => {
  expect(browserNameFromUserAgent(header)).toBe(name);
});
