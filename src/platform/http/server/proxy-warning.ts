/** Warns if TRUST_PROXY is missing: behind a proxy all callers would share its address and its rate limits. */
import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';

export const PROXY_WARNING =
  'TRUST_PROXY is not set. Behind a proxy everyone then shares one address and its limits, such as how many sign-in codes are sent. Set it to the number of proxies, or to false if there is none.';

/** Logs once, at the first request through a proxy. In production the warning is also set at the start. */
export function warnAboutProxy({ config, log, warnings }: Deps): RequestHandler {
  if (config.production) warnings.add('TRUST_PROXY_UNSET');
  let hasWarned = false;
  return (req, _res, next) => {
    if (!hasWarned && req.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      warnings.add('TRUST_PROXY_UNSET');
      log.warn(`${PROXY_WARNING} A request came through a proxy.`);
    }
    next();
  };
}
