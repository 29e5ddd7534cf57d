/** Answers to what never becomes a request: Node would close them with a bare line, without our headers. */
import { randomUUID } from 'node:crypto';
import { type RequestListener, type Server, STATUS_CODES } from 'node:http';

const FAULTS: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, message] = FAULTS[error.code ?? ''] ?? [400, 'This is not a request in HTTP.'];
    const body = JSON.stringify({ message });
    const headers = {
      Connection: 'close',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': randomUUID(),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  });
  // An `Expect` that is not known is no reason to refuse what can be answered.
  server.on('checkExpectation', ((request, response) => {
    server.emit('request', request, response);
  }) satisfies RequestListener);
}
