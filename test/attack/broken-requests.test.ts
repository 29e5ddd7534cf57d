/** What is no HTTP request is answered too: in JSON, with the headers of every other answer. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { answerBrokenRequests } from '../../src/http/broken-requests.ts';
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
  ['a line of rubbish', 'nonsense\r\n\r\n', 400],
  ['a length that is no number', 'POST /api/surveys HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400],
  ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('%s', async (_what, request, status) => {
  const answer = await ask(request);
  expect(answer.status).toBe(status);
  expect(answer.head).toMatch(/x-request-id: [\w-]{36}/);
  expect(answer.head).toContain('x-content-type-options: nosniff');
  expect(answer.head).toContain('content-type: application/json');
  expect(JSON.parse(answer.body)).toEqual({ message: expect.any(String) });
});

test('an expectation that nobody knows does not keep the request from being answered', async () => {
  const answer = await ask(
    'GET /api/health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
  );
  expect(answer.status).toBe(200);
  expect(answer.head).toContain('x-request-id');
});
