/** Connections that send as slowly as they may, without an account. */
import { connect, type Socket } from 'node:net';

export interface Client {
  socket: Socket;
  /** Everything that it was sent. */
  said(): string;
  ended: Promise<void>;
}

/** Each from a network of its own: by its address, or as a proxy would say. */
export function openClient(port: number, at: number, head: string[], isDirect = true): Client {
  const network = `${at % 250}.${1 + Math.floor(at / 250)}`;
  const localAddress = isDirect ? '127.0.0.1' : `127.1.${network}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  let heard = '';
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    heard += String(piece);
  });
  const [first, ...rest] = head;
  const host = ['Host: localhost', ...(isDirect ? [`X-Forwarded-For: 10.1.${network}`] : [])];
  socket.write([first, ...host, ...rest].join('\r\n'));
  return {
    socket,
    said: () => heard,
    ended: new Promise((resolve) => socket.once('close', () => resolve())),
  };
}

export const SEND_CODE = 'POST /api/auth/send-otp-login HTTP/1.1';
const JSON_TYPE = 'Content-Type: application/json';
export const announcing = (bytes: number) => [JSON_TYPE, `Content-Length: ${bytes}`, '', ''];
export const halfOf = (bytes: number) => `{"phone":"${'1'.repeat(Math.floor(bytes / 2))}`;

export interface Slow {
  name: string;
  head(at: number): string[];
  /** What is sent at once. */
  begin?(at: number): string;
  /** Sent every five seconds. */
  more: string;
  breaksOff?: true;
}

export const SLOW_CONNECTIONS: Slow[] = [
  {
    name: 'bodies of 64 to 85 kB, of which half has arrived',
    head: (at) => [SEND_CODE, ...announcing(64_000 + 105 * (at % 200))],
    begin: (at) => halfOf(64_000 + 105 * (at % 200)),
    more: '1',
  },
  {
    name: 'bodies of 1 MB, of which half has arrived',
    head: () => [SEND_CODE, ...announcing(1_000_000)],
    begin: () => halfOf(1_000_000),
    more: '1',
  },
  { name: 'bodies of which nothing arrives', head: () => [SEND_CODE, ...announcing(85_000)], more: '1' },
  {
    name: 'bodies that wait for 100 Continue',
    head: () => [SEND_CODE, 'Expect: 100-continue', ...announcing(85_000)],
    more: '1',
  },
  {
    name: 'chunked bodies in chunks of one byte',
    head: () => [SEND_CODE, JSON_TYPE, 'Transfer-Encoding: chunked', '', '1\r\n{\r\n'],
    more: '1\r\n1\r\n',
  },
  { name: 'headers that never end', head: () => [SEND_CODE, 'X-Slow: 1'], more: '1' },
  { name: 'nothing but a connection', head: () => [''], more: '' },
  {
    name: 'bodies of 1 MB, broken off halfway',
    head: () => [SEND_CODE, ...announcing(1_000_000)],
    begin: () => halfOf(1_000_000),
    more: '',
    breaksOff: true,
  },
];

interface SlowRoute {
  name: string;
  path: string;
  /** Of the callers, who take turns; nobody signs in for it where there are none. */
  tokens?: readonly string[];
  type?: string;
  /** How it begins; the rest of what is sent at once are the same letter. */
  begin: string;
  bytes?: number;
}

/** Bodies of 64 to 85 kB, or of as many bytes as are said, of which half arrives and then a byte every five seconds. */
export function slowRoute({ name, path, tokens, type = 'application/json', begin, bytes }: SlowRoute): Slow {
  const size = (at: number) => bytes ?? 64_000 + 105 * (at % 200);
  return {
    name,
    head(at) {
      const token = tokens?.[at % tokens.length];
      const authorization = token ? [`Authorization: Bearer ${token}`] : [];
      return [
        `POST ${path} HTTP/1.1`,
        ...authorization,
        `Content-Type: ${type}`,
        `Content-Length: ${size(at)}`,
        '',
        '',
      ];
    },
    begin: (at) => begin.padEnd(Math.floor(size(at) / 2), 'x'),
    more: 'x',
  };
}

/** Sends an honest request at so many bytes a second, as over GPRS; the status of the reply. */
export async function sendAtPace(port: number, head: string[], body: string, rate: number): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' });
  let heard = '';
  const replied = new Promise<void>((resolve) => {
    socket.on('error', () => resolve()).on('close', () => resolve());
    socket.on('data', (piece) => {
      heard += String(piece);
      resolve();
    });
  });
  const all = Buffer.from(
    [...head, 'Host: localhost', `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'),
  );
  let offset = 0;
  const piece = () => {
    socket.write(all.subarray(offset, offset + rate));
    offset += rate;
    if (offset >= all.length) clearInterval(timer);
  };
  const timer = setInterval(piece, 1_000);
  piece();
  await replied;
  clearInterval(timer);
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 0);
}

/** Opens so many, and resolves when what they send at once is sent; the result closes them. */
export async function openSlow(
  slow: Slow,
  port: number,
  count: number,
  isDirect = true,
): Promise<() => void> {
  const sockets: Socket[] = [];
  const opened = Array.from({ length: count }, async (_, at) => {
    const { socket } = openClient(port, at, slow.head(at), isDirect);
    sockets.push(socket);
    const piece = () => socket.writable && slow.more !== '' && socket.write(slow.more);
    const timer = setInterval(piece, 5_000).unref();
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    void closed.then(() => clearInterval(timer));
    const firstWrite = new Promise<void>((resolve) => socket.write(slow.begin?.(at) ?? '', () => resolve()));
    // The service may cut it off before all is sent.
    await Promise.race([firstWrite, closed]);
    if (slow.breaksOff) socket.destroy();
  });
  await Promise.all(opened);
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
