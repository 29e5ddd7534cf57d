/** A chain without an interview for this long, and without a live coupon, has died. */
export const QUIET_DAYS = 14;
/** Coupons handed out between these days ago should begin to come back. */
export const RETURN_DAYS = { from: 28, to: 7, atLeast: 10 };

/** As many of each kind of alert are listed. */
export const MAX_ALERTS = 50;
export const MAX_CHAINS = 50;

/** No query may keep the database busy for long. */
export const QUERY_LIMITS = { maxTimeMS: 20_000 };

/** Chains in the picture of all. */
export const MAX_TREES = 500;
/** Interviews that are drawn in it, of all chains. */
export const MAX_DOTS = 5_000;
