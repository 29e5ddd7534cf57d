/** Behind a proxy that the settings do not tell of, all callers share its address, and with it the limits of one. */
import type { RequestHandler } from 'express';
import type { Deps } from './deps.ts';

export const PROXY_WARNING =
  'TRUST_PROXY is not set. Behind a proxy everyone then shares one address and its limits, such as how many sign-in codes are sent. Set it to the number of proxies, or to false if there is none.';

/** Warns once, at the first request that came by way of a proxy; in production without waiting for one. */
export function watchForProxy({ config, log, warnings }: Deps): RequestHandler {
  if (config.production) warnings.add('TRUST_PROXY_UNSET');
  let hasWarned = false;
  return (req, _res, next) => {
    if (!hasWarned && req.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      warnings.add('TRUST_PROXY_UNSET');
      log.warn(`${PROXY_WARNING} A request came by way of a proxy.`);
    }
    next();
  };
}
