/**
 * READ THIS FIRST: the whole service in the order in which a request meets it. Headers and the request's id, the
 * routes of the specification, the documentation, the client, the errors. What a route does stands in its folder.
 */
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { constants } from 'node:zlib';
import compression from 'compression';
import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import swagger from 'swagger-ui-express';
import { isClientPage } from './http/client-pages.ts';
import type { Deps } from './http/deps.ts';
import { answerErrors } from './http/errors.ts';
import { securityHeaders } from './http/headers.ts';
import { kept } from './http/kept.ts';
import { limitFiles } from './http/limits.ts';
import { openApiOf } from './http/openapi.ts';
import { packedFiles } from './http/packed-files.ts';
import { problem } from './http/problem.ts';
import { watchForProxy } from './http/proxy-warning.ts';
import { mount } from './http/route.ts';
import { plainError } from './log.ts';
import { seedsWhoseChainIs } from './recruitment/chains.ts';
import { approved, signedIn } from './rules/chain.ts';
import { allRoutes, TAGS } from './subjects.ts';

export const routes = await allRoutes();

/** What the app is given; what one resource tells another it puts together itself. */
export type Given = Omit<Deps, 'seedsWhoseChainIs' | 'warnings'>;

/** The connection to the database must stand (src/db/connect.ts). */
export function createApp(given: Given): Express {
  const deps: Deps = { ...given, seedsWhoseChainIs, warnings: new Set() };
  const { config } = deps;
  const app = express();
  app.set('trust proxy', config.trustProxy ?? false);
  app.set('case sensitive routing', true);
  app.set('etag', false);
  app.disable('x-powered-by');

  app.use(requestLog(deps));
  if (config.trustProxy === undefined) app.use(watchForProxy(deps));
  app.use(securityHeaders(config.publicUrl.startsWith('https:')));
  if (config.corsOrigins.length > 0) {
    app.use(
      '/api',
      cors({
        origin: config.corsOrigins,
        exposedHeaders: ['Location', 'Retry-After', 'X-Print-Note-Codes', 'X-Print-Notes', 'X-Request-Id'],
      }),
    );
  }
  app.use('/api', (_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use(refuseBrokenQuery);
  app.use('/api', compressed());

  app.use(mount(routes, deps, { gates: { 'signed-in': signedIn, approved } }));
  app.use('/api', () => {
    throw problem('NOT_FOUND', { message: 'There is no such path.' });
  });

  if (config.rateLimits) app.use(limitFiles());
  serveDocumentation(app);
  serveClient(app);
  app.use(answerErrors);
  return app;
}

/** The caller's id of the request if it is a decent one, else ours; in the log and on every answer. */
function requestLog({ log }: Deps): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId: (req, res) => {
      const given = req.headers['x-request-id'];
      const id = typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    // Addresses of paths may hold referral codes and queries phone numbers: neither belongs in a log.
    wrapSerializers: false,
    serializers: {
      err: plainError,
      req: (req) => ({ id: req.id, method: req.method, path: pathForLog(req.url) }),
      res: (res) => ({ status: res.statusCode }),
    },
    // Pages and their many files would drown what a person looks for in a terminal.
    customLogLevel: (req, res) => {
      if (res.statusCode >= 500) return 'error';
      return pathForLog(req.url ?? '').startsWith('/api') ? 'info' : 'debug';
    },
  });
}

function pathForLog(url: string): string {
  const path = url.split('?')[0] ?? '';
  return path.replace(
    /^(\/api\/(?:validate-referral-code|referral-codes)|\/c)\/(?!blocks$|batches$)[^/]+/,
    '$1/…',
  );
}

/** Who does not say what it can unpack (no browser) gets the answer as it is, without the costs of deciding. */
function compressed(): RequestHandler {
  // Without this each answer takes some megabytes while it is packed.
  const compress = compression({ brotli: { params: { [constants.BROTLI_PARAM_LGWIN]: 16 } } });
  return (req, res, next) => {
    if (req.headers['accept-encoding'] !== undefined) {
      compress(req, res, next);
      return;
    }
    res.vary('Accept-Encoding');
    next();
  };
}

/** A query that can not be decoded would otherwise be read as something else than was meant. */
const refuseBrokenQuery: RequestHandler = (req, _res, next) => {
  const query = req.url.replace(/^[^?]*/, '');
  if (query.includes('%')) {
    try {
      if (decodeURIComponent(query).includes('\0')) throw new Error('a null character');
    } catch {
      throw problem('INVALID_QUERY', { message: 'The query cannot be decoded.' });
    }
  }
  next();
};

/** The document is compressed once. The page's own files are left as they are: few load them. */
function serveDocumentation(app: Express): void {
  app.get(
    '/documentation/openapi.json',
    kept('json', () => JSON.stringify(openApiOf(routes, { version: '0.1.0', tags: TAGS }))),
  );
  const page = swagger.setup(undefined, {
    customSiteTitle: 'Field survey API',
    swaggerUrl: '/documentation/openapi.json',
  });
  app.use('/documentation', swagger.serve, page);
}

/** The built client for the paths of its screens, which are told apart in the browser. */
function serveClient(app: Express): void {
  const folder = resolve('client-dist');
  app.use(
    '/assets',
    packedFiles(join(folder, 'assets'), { immutable: true, maxAge: '1y', fallthrough: false }),
  );
  const files = packedFiles(folder, {
    setHeaders: (res) => {
      res.setHeader('Cache-Control', 'no-cache');
    },
  });
  app.use(files);
  app.get('/{*path}', (req, res, next) => {
    if (!isClientPage(req.path) || !req.accepts('html')) throw problem('NOT_FOUND');
    req.url = '/index.html';
    files(req, res, next);
  });
  app.use(() => {
    throw problem('NOT_FOUND');
  });
}
