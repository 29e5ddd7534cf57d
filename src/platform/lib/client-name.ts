/**
 * The browser and system from a User-Agent header, by their own names, such as "Firefox, Android". A few rules instead
 * of a library, because people only need to tell their own devices apart.
 */

export const UNKNOWN_CLIENT = 'Unknown';

/** The first match counts, because most browsers also name those that they imitate. */
const BROWSERS: [string, RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|OPiOS|OPT|Opera)\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(HeadlessChrome|Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: [string, RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\b(iPhone|iPod)\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

const firstOf = (rules: [string, RegExp][], text: string) => rules.find(([, rule]) => rule.test(text))?.[0];

export function browserNameFromUserAgent(userAgent: string): string {
  // A header may have thousands of characters.
  const text = userAgent.slice(0, 500);
  const names = [firstOf(BROWSERS, text), firstOf(SYSTEMS, text)].filter((one) => one !== undefined);
  return names.length > 0 ? names.join(', ') : UNKNOWN_CLIENT;
}
