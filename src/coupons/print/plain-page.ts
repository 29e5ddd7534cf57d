/**
 * Pages for people who were invited or interviewed, as plain HTML: the study, where to go and whom to ask. They load
 * nothing, have no script, and are small enough for slow connections: at most 15 kB.
 */
import { bestLanguage } from '../../platform/lib/languages/best-language.ts';
import { languageName } from '../../platform/lib/languages/language-name.ts';
import { textDirection } from '../../platform/lib/languages/text-direction.ts';
import { studyContactInLanguage } from '../../study/settings/contacts.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { qrMatrix } from './layout/qr.ts';
import { couponSheetWordsIn } from './sheet-texts.ts';

export const MAX_PLAIN_PAGE_BYTES = 15_000;
/** As HTML. Longer contacts are cut, so that there is always room for the code. */
const MAX_CONTACT_BYTES = 2_000;

interface Site {
  name: string;
  address: string | null;
  type: string;
  coordinates: { latitude: number; longitude: number } | null;
}

export type PageStudy = Pick<StudyRecord, 'name' | 'contact' | 'contactTexts' | 'couponText' | 'languages'>;
export type PageWords = ReturnType<typeof couponSheetWordsIn>;

export interface PlainPage {
  study: PageStudy;
  sites: readonly Site[];
  /** The reader's languages, preferred one first. */
  preferredLanguages: string[];
  /** The HTML in this language. */
  main(words: PageWords, language: string): string;
  footer?: ((words: PageWords) => string) | undefined;
}

const STYLE = `:root{color-scheme:light}*{box-sizing:border-box}
body{font:18px/1.5 system-ui,sans-serif;color:#111;background:#fff;margin:0 auto;padding:16px;max-width:34em}
h1{font-size:1.5em;line-height:1.2;margin:.4em 0}h2{font-size:1.1em;margin:1.4em 0 .3em}p{margin:.4em 0}
.text{white-space:pre-line;overflow-wrap:anywhere}nav{display:flex;flex-wrap:wrap;gap:4px 16px}
a{color:#0b4f9e}nav a,nav b,.tall{display:inline-block;padding:10px 0;min-height:44px}
.code{text-align:center;border:2px solid #111;border-radius:12px;padding:12px;margin:1em 0;break-inside:avoid}
.code svg{width:min(100%,19em);height:auto;display:block;margin:0 auto}
.code b{font:700 1.7em/1.3 ui-monospace,monospace;letter-spacing:.06em;direction:ltr;display:block}
dl{margin:.4em 0}dl div{display:flex;justify-content:space-between;gap:16px;border-top:1px solid #bbb;padding:8px 0}
dd{margin:0;font-weight:700;white-space:nowrap;direction:ltr}
ul{list-style:none;margin:0;padding:0}li{border-top:1px solid #bbb;padding:8px 0;break-inside:avoid;overflow-wrap:anywhere}
small{color:#444}footer{margin-top:1.6em;text-align:center}
[dir=auto]{text-align:-webkit-match-parent;text-align:match-parent}
@media print{nav,footer,.map{display:none}body{font-size:12pt;padding:0}.code svg{width:6.5cm}}`;

export function renderPlainHtml({ study, sites, preferredLanguages, main, footer }: PlainPage): string {
  const { name, languages } = study;
  const language = bestLanguage(languages, preferredLanguages) ?? 'en';
  const words = couponSheetWordsIn(language);
  const contact = studyContactInLanguage(study, language);
  const title = escapeHtml(name || words.coupon);
  const head = [
    `<!doctype html><html lang="${escapeHtml(language)}" dir="${textDirection(language)}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">`,
    `<title>${title}</title><style>${STYLE}</style></head><body>`,
    languageChoice(languages, language, words.page.language),
    `<main><h1 dir="auto">${title}</h1>`,
    main(words, language),
  ].join('');
  const tail = [
    contact ? `<h2>${words.questions}</h2><p class="text" dir="auto">${linked(contact)}</p>` : '',
    '</main>',
    footer ? `<footer>${footer(words)}</footer>` : '',
    '</body></html>',
  ].join('');
  const room = MAX_PLAIN_PAGE_BYTES - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return head + siteList(sites, words, room) + tail;
}

/** Links, because there is no script. */
function languageChoice(languages: readonly string[], current: string, label: string): string {
  if (languages.length < 2) return '';
  const choices = languages.map((one) => {
    const name = escapeHtml(languageName(one, one));
    const tag = escapeHtml(one);
    return one === current
      ? `<b lang="${tag}" aria-current="true">${name}</b>`
      : `<a lang="${tag}" href="?lang=${encodeURIComponent(one)}">${name}</a>`;
  });
  return `<nav aria-label="${label}">${choices.join('')}</nav>`;
}

/** A code with its QR code, large enough to be scanned at the desk. `groupedCode` is the code in groups. */
export function codeHtml(url: string, groupedCode: string, label: string, what: string): string {
  const { side, bars } = qrMatrix(url);
  const path = bars.map(({ x, y, width }) => `M${x} ${y}.5h${width}`).join('');
  return [
    `<section class="code"><svg role="img" aria-label="QR ${groupedCode}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path stroke="#000" d="${path}"/></svg>`,
    `<div>${label}</div><b>${groupedCode}</b><div>${what}</div></section>`,
  ].join('');
}

/** As many sites as fit. */
function siteList(sites: readonly Site[], words: PageWords, room: number): string {
  if (sites.length === 0) return '';
  const [begin, end, more] = [`<h2>${words.where}</h2><ul>`, '</ul>', `<p>${words.page.more}</p>`];
  let remainingBytes = room - Buffer.byteLength(begin + end + more);
  const items: string[] = [];
  for (const site of sites) {
    const item = siteItem(site, words);
    remainingBytes -= Buffer.byteLength(item);
    if (remainingBytes < 0) break;
    items.push(item);
  }
  return begin + items.join('') + end + (items.length < sites.length ? more : '');
}

function siteItem({ name, address, type, coordinates }: Site, { page }: PageWords): string {
  const kind = kindsIn(page.kind)[type];
  const title = escapeHtml(name);
  return [
    `<li><b dir="auto">${title}</b>`,
    address ? `<div dir="auto">${escapeHtml(address)}</div>` : '',
    kind ? `<div><small>${kind}</small></div>` : '',
    coordinates
      ? `<a class="tall map" rel="noreferrer" aria-label="${page.map}: ${title}" href="${mapAt(coordinates)}">${page.map}</a>`
      : '',
    '</li>',
  ].join('');
}

/** Labels by site type; OTHER has none. */
const kindsIn = ({ SHELTER, MEAL_SITE, STREET, CLINIC, OFFICE }: PageWords['page']['kind']) =>
  ({ SHELTER, MEAL_SITE, STREET, CLINIC, OFFICE }) as Record<string, string>;

const mapAt = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  `https://www.openstreetmap.org/?mlat=${latitude}&amp;mlon=${longitude}#map=17/${latitude}/${longitude}`;

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (one) => ESCAPES[one] ?? one);

export function escapeAndCut(text: string, most: number): string {
  let [html, bytes] = ['', 0];
  for (const character of text) {
    const next = escapeHtml(character);
    bytes += Buffer.byteLength(next);
    if (bytes > most) return `${html}…`;
    html += next;
  }
  return html;
}

/** More digits than dates and opening hours have. */
const MIN_PHONE_DIGITS = 9;
const MAIL_OR_PHONE = /([\w.+-]+@[\w-]+(?:\.[\w-]+)+|\+?\(?\d[\d\s().-]{6,}\d)/;

/** The study's contact text, with phone numbers and email addresses as links. */
function linked(text: string): string {
  const parts = text.split(MAIL_OR_PHONE).map((part, at) => {
    // Matches of the pattern are at odd indexes.
    const href = at % 2 === 1 ? linkOf(part) : null;
    const html = escapeHtml(part);
    return href ? `<a dir="ltr" href="${escapeHtml(href)}">${html}</a>` : html;
  });
  const html = parts.join('');
  return Buffer.byteLength(html) > MAX_CONTACT_BYTES ? escapeAndCut(text, MAX_CONTACT_BYTES) : html;
}

function linkOf(part: string): string | null {
  if (part.includes('@')) return `mailto:${part}`;
  const digits = part.replace(/\D/g, '');
  if (digits.length < MIN_PHONE_DIGITS) return null;
  return `tel:${part.startsWith('+') ? '+' : ''}${digits}`;
}
