/** Such as `4.2 s`, for progress messages. */
export const secondsSince = (begin: number, now = Date.now()): string =>
  `${((now - begin) / 1000).toFixed(1)} s`;
