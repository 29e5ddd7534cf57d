/** Builds the client into client-dist/, which the service serves; `vite` alone is the developer's server. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { NOT_CLIENT_PAGES } from './src/platform/http/server/client-paths.ts';

const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';

/**
 * The dashboard's files are in a folder of their own, because volunteers' phones don't download them. Texts that are not
 * listed here belong to the phone, so that it has all it needs without a signal.
 */
const DASHBOARD = new RegExp(
  [
    '/client/src/(dashboard/|phone/shell/manage)',
    '/src/(platform/http/field-schemas|[\\w/-]*/[\\w-]*schema|board/quality/rules)\\.ts$',
    '/locales/\\w+/(builder|dashboard|dashboard-faults|first-run|payments|print|quality|results|xlsform)\\.json',
    '/node_modules/(@floating-ui|csv-stringify|react-number-format|react-remove-scroll|zod|@mantine/core/esm/components/(Modal|Popover|Radio|Skeleton))/',
  ].join('|'),
);
const ofDashboard = (modules: string[]) => modules.some((id) => DASHBOARD.test(id));
const dashboardChunks = new Set<string>();

/** In files of their own, so that a change to the app leaves them on the phones. */
const LIBRARIES = [
  { name: 'form-library', test: /node_modules\/(survey-core|survey-react-ui|dompurify)\// },
  {
    name: 'libraries',
    // What others build on is not taken into their files.
    priority: 1,
    test: /node_modules\/(react|react-dom|scheduler|react-router|use-sync-external-store|i18next|react-i18next|@tanstack|dexie|@casl|@ucast)\//,
  },
  { name: 'expressions', test: /node_modules\/re2js\// },
  { name: 'phone-numbers', test: /node_modules\/libphonenumber-js\// },
  { name: 'qr-polyfill', test: /node_modules\/(barcode-detector|zxing-wasm)\/|qr-polyfill\.ts/ },
];

/**
 * A phone works without a signal, and its owner pays for what it downloads: none of its files needs one of the dashboard,
 * and neither the page nor the service worker fetches one ahead.
 */
function phoneStandsAlone(): Plugin {
  let folder = '';
  const isDashboard = (file: string) => file.startsWith('assets/dashboard/');
  return {
    name: 'phone-stands-alone',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir);
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk' || isDashboard(file.fileName)) continue;
        const needed = [...file.imports, ...(file.viteMetadata?.importedCss ?? [])].filter(isDashboard);
        if (needed.length > 0) this.error(`${file.fileName} is for phones, and needs ${needed.join(', ')}`);
      }
    },
    closeBundle: {
      // Once the service worker's file is there.
      order: 'post',
      sequential: true,
      handler() {
        // A build that failed before has none, and its own error is to be read.
        for (const name of ['index.html', 'sw.js'].filter((one) => existsSync(join(folder, one)))) {
          const ahead = readFileSync(join(folder, name), 'utf8').match(/["']\/?assets\/dashboard\/[^"']+/g);
          if (ahead) this.error(`${name} fetches files of the dashboard ahead: ${ahead.join(', ')}`);
        }
      },
    },
  };
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const PACKED = /\.(css|html|js|json|svg|wasm|webmanifest)$/;
/** What fits into one packet anyway. */
const SMALL = 1_000;
/** The last step would take as long as the two before it, for a fiftieth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** Packs each file once, when it is built, for src/platform/http/server/precompressed-files.ts. */
function packFiles(): Plugin {
  let folder = '';
  const pack = async (path: string) => {
    const content = await readFile(path);
    if (content.length < SMALL) return;
    await writeFile(`${path}.br`, await toBrotli(content, BROTLI));
    await writeFile(`${path}.gz`, await toGzip(content, { level: constants.Z_BEST_COMPRESSION }));
  };
  return {
    name: 'pack-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir);
    },
    closeBundle: {
      // After the service worker's file, too.
      order: 'post',
      sequential: true,
      handler: async () => {
        const names = readdirSync(folder, { encoding: 'utf8', recursive: true });
        await Promise.all(names.filter((name) => PACKED.test(name)).map((name) => pack(join(folder, name))));
      },
    },
  };
}

export default defineConfig({
  root: 'client',
  build: {
    outDir: '../client-dist',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: LIBRARIES },
        chunkFileNames: ({ name, moduleIds }) => {
          if (!ofDashboard(moduleIds)) return 'assets/[name]-[hash].js';
          dashboardChunks.add(name);
          // Shorter hashes: the phone's first file lists all these names.
          return 'assets/dashboard/[name]-[hash:7].js';
        },
        // Styles are named after their chunk, whose name is given first.
        assetFileNames: ({ names }) =>
          `assets/${dashboardChunks.has(parse(names[0] ?? '').name) ? 'dashboard/' : ''}[name]-[hash][extname]`,
      },
    },
  },
  // What reads and writes lists is the service's own: here in the form that it has for browsers.
  resolve: {
    alias: {
      'csv-parse/sync': 'csv-parse/browser/esm/sync',
      'csv-stringify/sync': 'csv-stringify/browser/esm/sync',
    },
  },
  server: { proxy: { '/api': service, '/documentation': service } },
  plugins: [
    react(),
    VitePWA({
      // A new version is offered and never forced: it could come in the middle of an interview.
      registerType: 'prompt',
      injectRegister: false,
      includeAssets: ['icon.svg', 'icon-192.png', 'icon-512.png', 'apple-touch-icon.png'],
      manifest: {
        name: 'Field survey',
        short_name: 'Survey',
        description: 'Interviews in the field, with or without a signal',
        display: 'standalone',
        start_url: '/',
        scope: '/',
        background_color: '#ffffff',
        theme_color: '#05655a',
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
        ],
      },
      workbox: {
        globPatterns: ['**/*.{js,css,html,svg,png}'],
        // The browser's own cache keeps the dashboard's files. The service worker leaves them alone: while it waits for one on
        // a bad line, no newer version could take its place.
        globIgnores: ['**/assets/dashboard/**', '**/assets/qr-polyfill-*'],
        runtimeCaching: [
          {
            // Only where the browser has no reader of QR codes: client/src/offline/coupons/qr-reader.ts fetches it ahead.
            urlPattern: /\/assets\/(qr-polyfill-.*\.js|zxing_reader-.*\.wasm)$/,
            handler: 'CacheFirst',
            options: {
              // As earlier versions called it: phones have it already.
              cacheName: 'fetched-reader',
              expiration: { maxEntries: 4 },
              cacheableResponse: { statuses: [200] },
            },
          },
        ],
        maximumFileSizeToCacheInBytes: 4_000_000,
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [...NOT_CLIENT_PAGES],
        cleanupOutdatedCaches: true,
        // The first visit is served by the worker too: a volunteer may lose the signal a minute after signing in.
        clientsClaim: true,
      },
    }),
    phoneStandsAlone(),
    packFiles(),
  ],
});
