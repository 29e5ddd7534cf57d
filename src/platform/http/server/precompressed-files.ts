/** Serves the files of a folder, compressed at build time, in the smallest encoding that the browser accepts. */
import { existsSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import express, { type RequestHandler } from 'express';

type StaticOptions = Parameters<typeof express.static>[1];

/** Smallest first; the browser's order doesn't matter. */
const ENCODINGS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
];

export function precompressedFiles(folder: string, options: StaticOptions): RequestHandler {
  const files = express.static(folder, { ...options, index: false, redirect: false });
  const packed = new Set(
    existsSync(folder) ? readdirSync(folder, { recursive: true }).map((name) => `/${name}`) : [],
  );
  return (req, res, next) => {
    const url = req.url;
    const path = req.path === '/' ? '/index.html' : req.path;
    const reads = req.method === 'GET' || req.method === 'HEAD';
    const form = ENCODINGS.find(
      ({ encoding, ending }) => reads && packed.has(path + ending) && req.acceptsEncodings(encoding),
    );
    res.vary('Accept-Encoding');
    if (form) res.type(extname(path)).setHeader('Content-Encoding', form.encoding);
    req.url = path + (form?.ending ?? '');
    files(req, res, (error) => {
      req.url = url;
      res.removeHeader('Content-Encoding');
      res.removeHeader('Content-Type');
      next(error);
    });
  };
}
