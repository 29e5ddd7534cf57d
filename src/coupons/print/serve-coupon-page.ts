import type { RequestHandler } from 'express';
import type { Config } from '../../platform/config.ts';
import { listLocations } from '../../study/locations/find.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { parseCode } from '../referral-codes/code.ts';
import { renderCouponPage } from './coupon-page.ts';
import { pageUrl, preferredLanguages, sendPlainPage } from './send-plain-page.ts';

/** GET /c/:code. The same for a code that is unknown, used or void. */
export function serveCouponPage(config: Config): RequestHandler<{ code: string }> {
  return async (req, res) => {
    const [study, sites] = await Promise.all([loadStudy(), listLocations()]);
    const code = parseCode(req.params.code);
    const url = pageUrl(config, `/c/${code}`);
    const page = renderCouponPage({ code, url, study, sites, preferredLanguages: preferredLanguages(req) });
    sendPlainPage(res, code ? 200 : 404, page);
  };
}
