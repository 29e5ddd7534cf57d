import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createHttpServer } from '../../src/platform/http/server/server.ts';

test('requests and responses are created with Express’s prototypes', async () => {
  const app = express();
  app.get('/', (req, res) => void res.json({ via: req.get('host'), secure: req.secure }));
  const server = createHttpServer(app);
  const made: boolean[] = [];
  server.prependListener('request', (req, res) => {
    made.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reply = await fetch(`http://${host}/`);
    expect(await reply.json()).toEqual({ via: host, secure: false });
    expect(made).toEqual([true, true]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
