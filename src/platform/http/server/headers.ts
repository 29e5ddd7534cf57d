/** The security headers, the same on every reply and calculated once. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

export function securityHeaders(https: boolean): RequestHandler {
  const fixed = headersOf(
    helmet({
      // Only for this host, because its subdomains may use plain HTTP.
      strictTransportSecurity: https && { includeSubDomains: false },
      contentSecurityPolicy: {
        directives: {
          'default-src': ["'self'"],
          'script-src': ["'self'", "'wasm-unsafe-eval'"],
          'style-src': ["'self'", "'unsafe-inline'"],
          'img-src': ["'self'", 'data:', 'blob:'],
          'font-src': ["'self'"],
          'worker-src': ["'self'", 'blob:'],
          'connect-src': ["'self'"],
          'frame-ancestors': ["'none'"],
          'upgrade-insecure-requests': https ? [] : null,
        },
      },
      frameguard: { action: 'deny' },
    }),
  );
  return (_req, res, next) => {
    for (const [name, value] of fixed) res.setHeader(name, value);
    next();
  };
}

type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/** The headers that the middleware sets. None of them depends on the request. */
function headersOf(middleware: Middleware): [string, string][] {
  const headers: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => {},
  };
  middleware({} as IncomingMessage, recorder as unknown as ServerResponse, () => {});
  return headers;
}
