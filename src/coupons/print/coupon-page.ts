/**
 * The page behind a coupon's QR code: where to go, whom to ask, and the code again, large enough to be scanned at the
 * desk. It doesn't look up the code, so trying codes reveals only whether their format is right.
 */
import { formatCode } from '../referral-codes/code.ts';
import { codeHtml, escapeAndCut, type PlainPage, renderPlainHtml } from './plain-page.ts';

/** As HTML. */
const MAX_TEXT_BYTES = 5_500;

export interface CouponWebPage extends Pick<PlainPage, 'study' | 'sites' | 'preferredLanguages'> {
  /** Null if the requested text is not a code. */
  code: string | null;
  /** The address of this page, without the language. */
  url: string;
}

export function renderCouponPage({ code, url, study, sites, preferredLanguages }: CouponWebPage): string {
  return renderPlainHtml({
    ...{ study, sites, preferredLanguages },
    main: ({ code: label, page }, language) => {
      const text = study.couponText[language]?.trim();
      return [
        text ? `<p class="text" dir="auto">${escapeAndCut(text, MAX_TEXT_BYTES)}</p>` : '',
        code
          ? codeHtml(url, formatCode(code), label, sites.length > 0 ? page.show : page.showLater)
          : `<section class="code"><h2>${page.malformed}</h2><p>${page.malformedWhat}</p></section>`,
      ].join('');
    },
    footer: code ? ({ page }) => `<a class="tall" href="/start?code=${code}">${page.staff}</a>` : undefined,
  });
}
