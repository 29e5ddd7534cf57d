/**
 * Addresses that are not pages of the client: the API, documentation and metrics, pages that the service itself
 * renders, and files. Every other address gets the client's page, which shows its own "not found". The service worker
 * uses the same list (vite.config.ts), on path and query.
 */
export const NOT_CLIENT_PAGES: readonly RegExp[] = [
  /^\/(api|documentation|metrics)(\/|\?|$)/,
  /^\/[cs]\//,
  /^[^?]*\.\w+\/?(\?|$)/,
  // Hidden files and folders, which only scanners ask for.
  /^[^?]*\/\./,
];

export const isClientPage = (path: string): boolean => !NOT_CLIENT_PAGES.some((one) => one.test(path));
