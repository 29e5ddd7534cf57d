/** The data of a sheet of coupons. Days are calendar days ('2026-11-21'); a longer timestamp is cut to its day. */
export interface CouponSheet {
  kind: 'seed' | 'coupon';
  /** Normalized codes of eight characters, one per coupon. */
  codes: string[];
  study: {
    name: string;
    contact: string;
    /** By language, instead of `contact`. */
    contactTexts?: Record<string, string>;
    couponText: Record<string, string>;
    languages: string[];
    dueFrom: string | null;
    dueTo: string | null;
  };
  /** Where the person can go with the coupon. */
  sites: { name: string; address: string | null }[];
  /**
   * The issuing site of each coupon, as an index in `sites`; null if it isn't one of them. One for all, or one per
   * code.
   */
  issuedAt: (number | null)[];
  /** Only if the dates are known at printing time. */
  validFrom?: string | null;
  expiresOn?: string | null;
  /** Only if the dates depend on the day on which the coupon is handed out. */
  fromHandingOut?: { days: number | null; afterHours: number };
  /** The day of printing, to warn about dates in the past. */
  today?: string;
  /** The languages to print, in this order; empty for all of the study's. */
  languages: string[];
  layout: 'page' | 'cards' | 'labels';
  paper: 'A4' | 'LETTER';
  /** The QR code contains `${publicUrl}/c/${code}`. */
  publicUrl: string;
  /** Called after each sheet of paper with the number of coupons so far. */
  onProgress?(couponCount: number): void;
}
