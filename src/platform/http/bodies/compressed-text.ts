/** Serves a constant text, created and compressed at the first request. */
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

type Encoding = 'br' | 'gzip' | 'identity';
const COMPRESS: Record<Encoding, (text: string) => Promise<string | Buffer>> = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
  identity: async (text) => text,
};

export function serveCompressedText(type: string, produce: () => string): RequestHandler {
  let text: string | undefined;
  const forms = new Map<Encoding, Promise<string | Buffer>>();
  return async (req, res) => {
    const form = (req.acceptsEncodings('br', 'gzip', 'identity') || 'identity') as Encoding;
    text ??= produce();
    const body = forms.get(form) ?? COMPRESS[form](text);
    forms.set(form, body);
    res.vary('Accept-Encoding').type(type);
    if (form !== 'identity') res.setHeader('Content-Encoding', form);
    res.send(await body);
  };
}
