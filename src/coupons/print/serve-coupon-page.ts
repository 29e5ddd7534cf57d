import type { RequestHandler } from 'express';
import type { Config } from '../../platform/config.ts';
import { listLocations } from '../../study/locations/find.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { parseCode } from '../referral-codes/code.ts';
import { renderCouponPage } from './coupon-page.ts';

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** GET /c/:code. The same for a code that is unknown, used or void. */
export function serveCouponPage({ publicUrl }: Config): RequestHandler<{ code: string }> {
  return async (req, res) => {
    const [study, sites] = await Promise.all([loadStudy(), listLocations()]);
    const code = parseCode(req.params.code);
    const languageParam = req.query.lang;
    const page = renderCouponPage({
      code,
      url: `${publicUrl.replace(/\/+$/, '')}/c/${code}`,
      ...{ study, sites },
      wishedLanguages: [
        ...(typeof languageParam === 'string' ? [languageParam] : []),
        ...req.acceptsLanguages(),
      ],
    });
    res
      .status(code ? 200 : 404)
      .set(HEADERS)
      .send(page);
  };
}
