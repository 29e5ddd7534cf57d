import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { createHttpServer, limitConnections } from '../../src/platform/http/server/server.ts';

test('requests and responses are created with Express’s prototypes', async () => {
  const app = express();
  app.get('/', (req, res) => void res.json({ via: req.get('host'), secure: req.secure }));
  const server = createHttpServer(app);
  const prototypeChecks: boolean[] = [];
  server.prependListener('request', (req, res) => {
    prototypeChecks.push(
      Object.getPrototypeOf(req) === app.request,
      Object.getPrototypeOf(res) === app.response,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reply = await fetch(`http://${host}/`);
    expect(await reply.json()).toEqual({ via: host, secure: false });
    expect(prototypeChecks).toEqual([true, true]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('at the limit, a new connection closes the one that has been idle longest', async () => {
  const server = createServer(() => {});
  limitConnections(server, 3);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (text: string, event: 'connection' | 'request') => {
    const arrival = once(server, event);
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {}).write(text);
    await arrival;
    return socket;
  };
  const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n';
  const busy = await open(request, 'request');
  const silent = await open('', 'connection');
  const partial = await open('POST / HTTP/1.1\r\n', 'connection');
  const closed = once(silent, 'close');
  const late = await open(request, 'request');
  await closed;
  expect([busy, partial, late].map((socket) => socket.destroyed)).toEqual([false, false, false]);
  for (const socket of [busy, partial, late]) socket.destroy();
  server.close();
});
