/** Increase this when the same data and seed give different numbers. */
export const ANALYSIS_VERSION = '4';
