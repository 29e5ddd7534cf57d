import type { RequestHandler } from 'express';
import { pageUrl, preferredLanguages, sendPlainPage } from '../../coupons/print/send-plain-page.ts';
import { normalizePageSecret } from '../../coupons/referral-codes/secret.ts';
import type { Deps } from '../../platform/http/deps.ts';
import { findRespondentStatus, limitStatusRequests } from './find.ts';
import { renderRespondentStatusPage } from './page.ts';

/** GET /s/:secret. */
export function serveRespondentStatusPage({ config, now }: Deps): RequestHandler<{ secret: string }> {
  return async (req, res) => {
    await limitStatusRequests(req.ip ?? '', config);
    const secret = normalizePageSecret(req.params.secret) ?? '';
    const { study, sites, totals } = await findRespondentStatus(secret, now(), config);
    const url = pageUrl(config, `/s/${secret}`);
    const page = renderRespondentStatusPage({
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
