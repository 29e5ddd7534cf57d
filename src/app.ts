/**
 * READ THIS FIRST: the whole service, in the order in which a request passes through it: headers and request id,
 * routes, documentation, client, errors. What a route does is in its folder.
 */
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { constants } from 'node:zlib';
import compression from 'compression';
import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import swagger from 'swagger-ui-express';
import { requireApproved, requireResultsAccess, requireSignedIn } from './access/rules/access-checks.ts';
import { findSeedsByChainState } from './board/recruitment/chains/chains.ts';
import { serveCouponPage } from './coupons/print/serve-coupon-page.ts';
import { serveRespondentStatusPage } from './interviews/status/serve-page.ts';
import { readableSurveyIds } from './interviews/surveys/read/read.ts';
import { loadOutstandingInRound } from './interviews/surveys/unsent-in-round.ts';
import { METRICS_PATH, serveMetrics } from './operations/metrics.ts';
import { serveCompressedText } from './platform/http/bodies/compressed-text.ts';
import type { ConfigWarning, Deps } from './platform/http/deps.ts';
import { limitCouponPages, limitFileRequests, setLimitSecret } from './platform/http/limits/rate-limits.ts';
import { measureRequests } from './platform/http/measure.ts';
import { openApiOf } from './platform/http/openapi.ts';
import { setDuplicateKeyProblems } from './platform/http/problems/errors.ts';
import { problem } from './platform/http/problems/problem.ts';
import { handleErrors } from './platform/http/problems/send-problem.ts';
import { mountRoutes } from './platform/http/route.ts';
import { isClientPage } from './platform/http/server/client-paths.ts';
import { securityHeaders } from './platform/http/server/headers.ts';
import { precompressedFiles } from './platform/http/server/precompressed-files.ts';
import { warnAboutProxy } from './platform/http/server/proxy-warning.ts';
import { VERSION } from './platform/lib/version.ts';
import { plainError } from './platform/log.ts';
import { hasUniqueIndexes, PROBLEMS_BY_UNIQUE_INDEX } from './resources.ts';
import { API_TAGS, apiRoutes } from './routes.ts';
import { requireValidOutcomes } from './statistics/sample/outcome-check.ts';

/** Dependencies that are passed in. The app connects the resources with each other itself. */
export type AppDeps = Omit<
  Deps,
  | 'seedsWhoseChainIs'
  | 'readableSurveys'
  | 'checkOutcomes'
  | 'unsentInRound'
  | 'warnings'
  | 'hasUniqueIndexes'
>;

/** Needs an open database connection (src/platform/db/connect.ts). */
export function createApp(appDeps: AppDeps): Express {
  const own = {
    seedsWhoseChainIs: findSeedsByChainState,
    readableSurveys: readableSurveyIds,
    checkOutcomes: requireValidOutcomes,
    unsentInRound: loadOutstandingInRound,
    warnings: new Set<ConfigWarning>(),
    hasUniqueIndexes,
  };
  const deps: Deps = { ...appDeps, ...own };
  setDuplicateKeyProblems(PROBLEMS_BY_UNIQUE_INDEX);
  const { config } = deps;
  const app = express();
  app.set('trust proxy', config.trustProxy ?? false);
  app.set('case sensitive routing', true);
  app.set('etag', false);
  app.disable('x-powered-by');

  app.use(requestLog(deps));
  app.use(measureRequests);
  if (config.trustProxy === undefined) app.use(warnAboutProxy(deps));
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
  app.use('/api', compressReplies());

  app.use(
    mountRoutes(apiRoutes, deps, {
      gates: { 'signed-in': requireSignedIn, approved: requireApproved, results: requireResultsAccess },
    }),
  );
  app.use('/api', () => {
    throw problem('NOT_FOUND', { message: 'This path doesn’t exist.' });
  });

  setLimitSecret(config.jwtSecret);
  if (config.rateLimits) app.use(limitFileRequests());
  if (config.metricsToken) app.get(METRICS_PATH, serveMetrics(config.metricsToken, config));
  app.get('/c/:code', ...(config.rateLimits ? [limitCouponPages()] : []), serveCouponPage(config));
  app.get('/s/:secret', serveRespondentStatusPage(deps));
  serveDocumentation(app);
  serveClient(app);
  app.use(handleErrors);
  return app;
}

/** Uses the caller's request id if it is well-formed, otherwise a new one. It is logged and added to every reply. */
function requestLog({ log }: Deps): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId: (req, res) => {
      const header = req.headers['x-request-id'];
      const id = typeof header === 'string' && /^[\w-]{1,64}$/.test(header) ? header : randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    // Paths may contain referral codes, and queries phone numbers, and neither may be logged.
    wrapSerializers: false,
    serializers: {
      err: plainError,
      req: (req) => ({ id: req.id, method: req.method, path: pathForLog(req.url) }),
      res: (res) => ({ status: res.statusCode }),
    },
    // Requests for a page's files and frequent health checks would hide important lines.
    customLogLevel: (req, res) => {
      if (res.statusCode >= 500) return 'error';
      return /^\/api\/(?!health\/)/.test(pathForLog(req.url ?? '')) ? 'info' : 'debug';
    },
  });
}

function pathForLog(url: string): string {
  const path = url.split('?')[0] ?? '';
  return path.replace(
    /^(\/api\/(?:validate-referral-code|referral-codes|incentives\/claim|status)|\/[cs])\/(?!blocks$|batches$)[^/]+/,
    '$1/…',
  );
}

/** Skips the compression middleware, which is slow, for clients that accept no encoding (which aren't browsers). */
function compressReplies(): RequestHandler {
  // The default window takes several megabytes per reply.
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

/** The document is compressed once; the page's own files aren't, because few people load them. */
function serveDocumentation(app: Express): void {
  app.get(
    '/documentation/openapi.json',
    serveCompressedText('json', () =>
      JSON.stringify(openApiOf(apiRoutes, { version: VERSION, tags: API_TAGS })),
    ),
  );
  const page = swagger.setup(undefined, {
    customSiteTitle: 'Field survey API',
    swaggerUrl: '/documentation/openapi.json',
    swaggerOptions: { docExpansion: 'none', filter: true, persistAuthorization: true },
    customCss: '.swagger-ui .topbar{display:none}.swagger-ui .info{margin:20px 0}',
  });
  app.use('/documentation', swagger.serve, page);
}

/** Serves the built client, with the same page for all its paths. */
function serveClient(app: Express): void {
  const folder = resolve('client-dist');
  app.use(
    '/assets',
    precompressedFiles(join(folder, 'assets'), { immutable: true, maxAge: '1y', fallthrough: false }),
  );
  const files = precompressedFiles(folder, {
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
