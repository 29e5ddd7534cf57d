/** A text that stays as it is while the service runs: made, compressed and kept when it is first asked for. */
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

type Form = 'br' | 'gzip' | 'identity';
const PACK: Record<Form, (text: string) => Promise<string | Buffer>> = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
  identity: async (text) => text,
};

export function kept(type: string, make: () => string): RequestHandler {
  let text: string | undefined;
  const forms = new Map<Form, Promise<string | Buffer>>();
  return async (req, res) => {
    const form = (req.acceptsEncodings('br', 'gzip', 'identity') || 'identity') as Form;
    text ??= make();
    const body = forms.get(form) ?? PACK[form](text);
    forms.set(form, body);
    res.vary('Accept-Encoding').type(type);
    if (form !== 'identity') res.setHeader('Content-Encoding', form);
    res.send(await body);
  };
}
