/** A respondent's own page as plain HTML: the totals, and the secret again to be scanned at the desk. */
import {
  codeHtml,
  escapeHtml,
  type PageWords,
  type PlainPage,
  renderPlainHtml,
} from '../../coupons/print/plain-page.ts';
import { formatSecret } from '../../coupons/referral-codes/secret.ts';
import { fillPlaceholders } from '../../platform/http/problems/error-codes.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import type { RespondentStatusTotals } from './find.ts';

export interface RespondentStatusPage extends Pick<PlainPage, 'study' | 'sites' | 'preferredLanguages'> {
  /** Null if there is nothing to show. */
  totals: RespondentStatusTotals | null;
  secret: string;
  /** The address of this page, without the language. */
  url: string;
}

export function renderRespondentStatusPage({ totals, secret, url, ...page }: RespondentStatusPage): string {
  return renderPlainHtml({
    ...page,
    main: ({ status }, language) =>
      totals
        ? [
            `<h2>${status.title}</h2>${lines(totals, status, language)}`,
            `<p>${escapeHtml(fillPlaceholders(status.asOf, { day: dayOf(totals, language) }))}</p>`,
            codeHtml(url, formatSecret(secret), status.secret, status.show),
            totals.incentives ? `<p>${status.claim}</p>` : '',
            `<p>${status.keep}</p>`,
          ].join('')
        : `<section class="code"><h2>${status.nothing}</h2><p>${status.nothingWhat}</p></section>`,
  });
}

function lines(
  { coupons, incentives }: RespondentStatusTotals,
  status: PageWords['status'],
  language: string,
): string {
  const money = (amount: string) => moneyIn(language, incentives?.currency ?? '', amount);
  const rows: [label: string, value: string][] = [
    [status.given, String(coupons.given)],
    ...(coupons.returned === null ? [] : [[status.returned, String(coupons.returned)] as [string, string]]),
    ...(incentives === null
      ? []
      : ([
          [status.due, money(incentives.due)],
          [status.paid, money(incentives.paid)],
        ] as [string, string][])),
  ];
  const items = rows.map(([label, value]) => `<div><dt>${label}</dt><dd>${escapeHtml(value)}</dd></div>`);
  return `<dl>${items.join('')}</dl>`;
}

/** With the same digits as the code. */
const tagOf = (language: string) => new Intl.Locale(language, { numberingSystem: 'latn' });

function moneyIn(language: string, currency: string, amount: string): string {
  const decimals = amount.split('.')[1]?.length ?? 0;
  const money = new Intl.NumberFormat(tagOf(language), {
    ...{ style: 'currency', currency },
    ...{ minimumFractionDigits: decimals, maximumFractionDigits: decimals },
  }).format(Number(amount));
  // Direction marks would break up the currency.
  return money.replace(/\p{Cf}/gu, '');
}

const dayOf = ({ asOf, zone }: RespondentStatusTotals, language: string): string =>
  new Intl.DateTimeFormat(tagOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${isoDateAt(asOf, zone)}T00:00:00Z`),
  );
