/** Static files are compressed once, not for each request. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import supertest from 'supertest';
import { serveCompressedText } from '../../src/platform/http/bodies/compressed-text.ts';
import { precompressedFiles } from '../../src/platform/http/server/precompressed-files.ts';
import { startWorld, type World } from '../people.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const document = (encoding: string) =>
  world.anonymous.get('/documentation/openapi.json').set('Accept-Encoding', encoding);

test('the OpenAPI document is the same in every encoding, with Content-Encoding set', async () => {
  const plain = await document('identity').expect(200);
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const encoding of ['gzip', 'br']) {
    const packed = await document(encoding).expect(200);
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'application/json; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    expect(Number(packed.headers['content-length'])).toBeLessThan(plain.text.length / 5);
    expect(packed.body).toEqual(plain.body);
  }
});

test('compressed text is built once, however often it is requested', async () => {
  let buildCount = 0;
  const app = express().get(
    '/',
    serveCompressedText('json', () => JSON.stringify({ made: ++buildCount })),
  );
  for (const encoding of ['br', 'gzip', 'identity', 'br', 'nonsense']) {
    const { body } = await supertest(app).get('/').set('Accept-Encoding', encoding).expect(200);
    expect(body).toEqual({ made: 1 });
  }
});

describe('the built files of the app', () => {
  const SCRIPT = 'export const words = 1;\n'.repeat(100);
  const packed = { br: brotliCompressSync(SCRIPT), gzip: gzipSync(SCRIPT) };
  let folder: string;
  let app: express.Express;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packed-files-'));
    await writeFile(join(folder, 'app.js'), SCRIPT);
    await writeFile(join(folder, 'app.js.br'), packed.br);
    await writeFile(join(folder, 'app.js.gz'), packed.gzip);
    await writeFile(join(folder, 'small.css'), 'p {}');
    await writeFile(join(folder, 'index.html'), '<p>');
    app = express()
      .use(precompressedFiles(folder, { immutable: true, maxAge: '1y' }))
      .use((req, res) => {
        res.status(404).send(`nothing at ${req.url}`);
      });
  });
  afterAll(() => rm(folder, { recursive: true }));
  const script = (encoding: string, path = '/app.js') =>
    supertest(app).get(path).set('Accept-Encoding', encoding);

  test.each([
    ['br', 'gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip;q=1.0, br;q=0', 'gzip'],
    ['plain', 'identity', undefined],
    ['plain', '', undefined],
  ] as const)('are sent precompressed: %s for “%s”', async (_form, acceptEncoding, encoding) => {
    const answer = await script(acceptEncoding).expect(200);
    expect(answer.text).toBe(SCRIPT);
    expect(answer.headers['content-encoding']).toBe(encoding);
    const length = encoding ? packed[encoding].length : SCRIPT.length;
    expect(answer.headers).toMatchObject({
      'content-length': String(length),
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
  });

  test('have an ETag per encoding, and are 304 if unchanged', async () => {
    const tagOf = async (form: string) => String((await script(form)).headers.etag);
    const tags = await Promise.all(['br', 'gzip', 'identity'].map(tagOf));
    const [ofBrotli = ''] = tags;
    expect(new Set(tags).size).toBe(3);
    const answer = await script('br').set('If-None-Match', ofBrotli).expect(304);
    expect(answer.headers['content-encoding']).toBeUndefined();
    await script('gzip').set('If-None-Match', ofBrotli).expect(200);
  });

  test('are sent in ranges of the encoded file', async () => {
    const { headers } = await supertest(app)
      .head('/app.js')
      .set('Accept-Encoding', 'gzip')
      .set('Range', 'bytes=0-9')
      .expect(206);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-range': `bytes 0-9/${packed.gzip.length}`,
      'content-length': '10',
    });
    const plain = await script('identity').set('Range', 'bytes=0-5').expect(206);
    expect(plain.text).toBe('export');
  });

  test('answer HEAD with the headers of the compressed file and no body', async () => {
    const { headers, text } = await supertest(app).head('/app.js').set('Accept-Encoding', 'br').expect(200);
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'content-length': String(packed.br.length) });
    expect(text).toBeUndefined();
  });

  test('are sent as they are if not precompressed; / is index.html', async () => {
    const small = await script('br, gzip', '/small.css').expect(200);
    expect(small.headers['content-encoding']).toBeUndefined();
    expect(small.headers['content-type']).toBe('text/css; charset=utf-8');
    expect((await script('br', '/').expect(200)).text).toBe('<p>');
  });

  test('are passed to the next handler with the original URL if missing', async () => {
    const { text, headers } = await script('br', '/gone.js?x=1').expect(404);
    expect(text).toBe('nothing at /gone.js?x=1');
    expect(headers['content-encoding']).toBeUndefined();
    expect((await supertest(app).post('/app.js').set('Accept-Encoding', 'br').expect(404)).text).toContain(
      '/app.js',
    );
  });
});
