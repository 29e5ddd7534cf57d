/** What is to be printed. Days are days of the calendar ('2026-11-21'); a longer instant is cut to its day. */
export interface CouponSheet {
  kind: 'seed' | 'coupon';
  /** Canonical codes of eight characters, one coupon each. */
  codes: string[];
  study: {
    name: string;
    contact: string;
    /** In place of `contact`, by language. */
    contacts?: Record<string, string>;
    couponText: Record<string, string>;
    languages: string[];
    dueFrom: string | null;
    dueTo: string | null;
  };
  /** Where the bearer goes. */
  sites: { name: string; address: string | null }[];
  /**
   * The site that gives each coupon, as a place among `sites`; null where it is none of them. One for all, or one for
   * each code.
   */
  issuedAt: (number | null)[];
  /** Where its days are known when it is printed. */
  validFrom?: string | null;
  expiresOn?: string | null;
  /** Where they depend on the day on which it is handed out. */
  fromHandingOut?: { days: number | null; afterHours: number };
  /** The day of printing, for what is over by then; none: nothing is. */
  today?: string;
  /** Which of the study's languages to print, in this order; none: all of the study's. */
  languages: string[];
  layout: 'page' | 'cards' | 'labels';
  paper: 'A4' | 'LETTER';
  /** The QR says `${publicUrl}/c/${code}`. */
  publicUrl: string;
  /** Called after each printed sheet of paper with the number of coupons on all sheets so far. */
  onProgress?(done: number): void;
}
