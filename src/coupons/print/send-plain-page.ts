import type { Request, Response } from 'express';
import type { Config } from '../../platform/config.ts';

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

export function sendPlainPage(res: Response, status: 200 | 404, html: string): void {
  res.status(status).set(HEADERS).send(html);
}

/** The chosen language, followed by those of the browser. */
export function preferredLanguages(req: Pick<Request, 'query' | 'acceptsLanguages'>): string[] {
  const chosen = req.query.lang;
  return [...(typeof chosen === 'string' ? [chosen] : []), ...req.acceptsLanguages()];
}

export const pageUrl = ({ publicUrl }: Config, path: string): string =>
  `${publicUrl.replace(/\/+$/, '')}${path}`;
