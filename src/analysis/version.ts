/** Raised when the same data and the same seed come to give other numbers. */
export const ANALYSIS_VERSION = '3';
