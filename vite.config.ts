/** Builds the client into client-dist/, which the service serves; `vite` alone is the developer's server. */
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';

/**
 * The dashboard's files lie apart: a volunteer's phone shall not download them. Its features stand here by name; of the
 * texts all are its own that are not the phone's.
 */
const DESK_FEATURES =
  'audit|board|first-run|history|look-up|people|questionnaires|referral-codes|rescue|results|seeds|sites|study|surveys|tree';
const DESK = new RegExp(
  `/client/src/(desk/|features/((${DESK_FEATURES})/|shell/manage))|/locales/\\w+/(?!(field|faults)\\.)[\\w-]+\\.json`,
);
const ofDesk = (modules: string[]) => modules.some((id) => DESK.test(id));

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const PACKED = /\.(css|html|js|json|svg|wasm|webmanifest)$/;
/** What fits into one packet anyway. */
const SMALL = 1_000;
/** The last step would take as long as the two before it, for a fiftieth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** Packs each file once, when it is built, for src/http/packed-files.ts. */
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
    rollupOptions: {
      output: {
        chunkFileNames: ({ moduleIds }) => `assets/${ofDesk(moduleIds) ? 'desk/' : ''}[name]-[hash].js`,
        assetFileNames: ({ originalFileNames }) =>
          `assets/${ofDesk(originalFileNames.map((name) => `/client/${name}`)) ? 'desk/' : ''}[name]-[hash][extname]`,
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
        globPatterns: ['**/*.{js,css,html,svg,png,wasm}'],
        // Kept from its first use on. A file's name changes with its content, so that what is kept is never stale; what
        // went with an older version is not asked for any more, and goes.
        globIgnores: ['**/assets/desk/**'],
        runtimeCaching: [
          {
            urlPattern: /\/assets\/desk\//,
            handler: 'CacheFirst',
            options: {
              cacheName: 'desk',
              expiration: { maxEntries: 150, maxAgeSeconds: 60 * 24 * 3600 },
              cacheableResponse: { statuses: [200] },
            },
          },
        ],
        maximumFileSizeToCacheInBytes: 4_000_000,
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [/^\/api\//, /^\/documentation/, /^\/metrics/],
        cleanupOutdatedCaches: true,
        // The first visit is served by the worker too: a volunteer may lose the signal a minute after signing in.
        clientsClaim: true,
      },
    }),
    packFiles(),
  ],
});
