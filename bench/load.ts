/**
 * The load: a number of connections, each with one request under way at any time. Raw sockets, since a full HTTP
 * client would take as much of the processor as the service that it measures.
 */
import { connect, type Socket } from 'node:net';

export interface LoadRequest {
  method?: 'GET' | 'POST';
  path: string;
  token?: string | undefined;
  body?: string;
}

export interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** The status that each answer must have. */
  expect: number;
  next(): LoadRequest;
  /** Sees each answer's body, where it is wanted. */
  onBody?: ((body: string) => void) | undefined;
}

export interface LoadTiming {
  /** Of requests. */
  count: number;
  perSecond: number;
  /** Milliseconds. */
  median: number;
  p99: number;
}

export async function measure(load: Load): Promise<LoadTiming> {
  const times: number[] = [];
  const begin = performance.now();
  const end = begin + load.seconds * 1000;
  await Promise.all(Array.from({ length: load.connections }, () => oneConnection(load, end, times)));
  const seconds = (performance.now() - begin) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count: times.length, perSecond: times.length / seconds, median: at(0.5), p99: at(0.99) };
}

async function oneConnection(load: Load, end: number, times: number[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const socket: Socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true });
    let sentCount = 0;
    let buffer = Buffer.alloc(0);
    const send = () => {
      sentCount = performance.now();
      socket.write(requestText(load.next()));
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
      const answer = readAnswer(buffer);
      if (!answer) return;
      buffer = Buffer.alloc(0);
      const now = performance.now();
      times.push(now - sentCount);
      if (answer.status !== load.expect) {
        socket.destroy();
        reject(new Error(`${answer.status} instead of ${load.expect}: ${answer.body().slice(0, 500)}`));
        return;
      }
      load.onBody?.(answer.body());
      if (now < end) send();
      else socket.destroy();
    });
  });
}

function requestText({ method = 'GET', path, token, body }: LoadRequest): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1'];
  if (token) lines.push(`Authorization: Bearer ${token}`);
  if (body !== undefined) {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** The answer if all of it is there. Both servers send a Content-Length. */
function readAnswer(bytes: Buffer): { status: number; body(): string } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without a length:\n${head}`);
  const from = end + 4;
  if (bytes.length < from + Number(length)) return null;
  return { status: Number(head.slice(9, 12)), body: () => bytes.toString('utf8', from) };
}
