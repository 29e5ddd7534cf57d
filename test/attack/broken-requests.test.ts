/** Malformed HTTP requests also get a JSON response, with the headers of every other response. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { answerBrokenRequests } from '../../src/platform/http/server/broken-requests.ts';
import { startWorld, type World } from '../people.ts';

let world: World;
let server: Server;
beforeAll(async () => {
  world = await startWorld();
  server = createServer(world.app);
  answerBrokenRequests(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await world.stop();
});

async function ask(request: string): Promise<{ status: number; head: string; body: string }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(request);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
}

test.each([
  ['a malformed request line', 'nonsense\r\n\r\n', 400],
  ['an invalid Content-Length', 'POST /api/surveys HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('%s', async (_what, request, status) => {
  const answer = await ask(request);
  expect(answer.status).toBe(status);
  expect(answer.head).toMatch(/x-request-id: [\w-]{36}/);
  expect(answer.head).toContain('x-content-type-options: nosniff');
  expect(answer.head).toContain('x-frame-options: deny');
  expect(answer.head).toContain("content-security-policy: default-src 'none'");
  expect(answer.head).toContain('content-type: application/json');
  expect(JSON.parse(answer.body)).toEqual({ message: expect.any(String) });
});

test('an unknown Expect header is ignored', async () => {
  const answer = await ask(
    'GET /api/health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
  );
  expect(answer.status).toBe(200);
  expect(answer.head).toContain('x-request-id');
});
