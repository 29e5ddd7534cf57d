/**
 * Which addresses are not pages of the client: the API, documentation and metrics, pages that the service itself makes,
 * and files. Every other address gets the client's page, which says so if there is nothing. The service worker uses the
 * same list (vite.config.ts), on path and query.
 */
export const NOT_CLIENT_PAGES: readonly RegExp[] = [
  /^\/(api|documentation|metrics)(\/|\?|$)/,
  /^\/[cs]\//,
  /^[^?]*\.\w+\/?(\?|$)/,
  // Hidden files and folders, which only somebody who looks for mistakes asks for.
  /^[^?]*\/\./,
];

export const isClientPage = (path: string): boolean => !NOT_CLIENT_PAGES.some((one) => one.test(path));
