/** For example `4.2 s`, for progress messages. */
export const elapsedText = (begin: number, now = Date.now()): string =>
  `${((now - begin) / 1000).toFixed(1)} s`;
