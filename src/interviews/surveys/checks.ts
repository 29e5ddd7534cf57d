/** The names of the quality checks; src/board/quality has their code. Browser-safe. */
export const QUALITY_CHECKS = [
  'TOO_FAST',
  'TOO_LONG',
  'MANY_SKIPPED',
  'SIZE_ODD',
  'FAR_FROM_SITE',
  'COUPON_RUN',
  'OLD_AMOUNT',
  'MANY_DECLINED',
  'CLOCK_ODD',
  'POSSIBLE_REPEAT',
] as const;

export type QualityCheckCode = (typeof QUALITY_CHECKS)[number];
