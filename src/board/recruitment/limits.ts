/** A chain without a live coupon dies after this many days without an interview. */
export const DAYS_UNTIL_CHAIN_DIES = 14;
/** Coupons handed out between `from` and `to` days ago should start to be returned. */
export const COUPON_RETURN_WINDOW = { from: 28, to: 7, atLeast: 10 };

/** Maximum number of alerts listed of each kind. */
export const MAX_ALERTS = 50;
export const MAX_CHAINS = 50;

/** No query may keep the database busy for long. */
export const QUERY_TIME_OPTIONS = { maxTimeMS: 20_000 };

/** Maximum number of chains in the picture of all chains. */
export const MAX_TREES = 500;
/** Maximum number of interviews drawn in it, over all chains. */
export const MAX_DOTS = 5_000;
