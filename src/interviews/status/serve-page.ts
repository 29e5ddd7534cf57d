import type { RequestHandler } from 'express';
import { pageUrl, preferredLanguages, sendPlainPage } from '../../coupons/print/send-plain-page.ts';
import { parseSecret } from '../../coupons/referral-codes/secret.ts';
import type { Deps } from '../../platform/http/deps.ts';
import { findStatus, limitStatus } from './find.ts';
import { renderStatusPage } from './page.ts';

/** GET /s/:secret. */
export function serveStatusPage({ config, now }: Deps): RequestHandler<{ secret: string }> {
  return async (req, res) => {
    await limitStatus(req.ip ?? '', config);
    const secret = parseSecret(req.params.secret) ?? '';
    const { study, sites, totals } = await findStatus(secret, now(), config);
    const url = pageUrl(config, `/s/${secret}`);
    const page = renderStatusPage({
      totals,
      secret,
      url,
      study,
      sites,
      preferredLanguages: preferredLanguages(req),
    });
    sendPlainPage(res, totals ? 200 : 404, page);
  };
}
