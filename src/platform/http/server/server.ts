/**
 * Express replaces the prototype of each request and response, which costs V8 half the processor time of a short request,
 * and memory that only a full garbage collection frees. So they are created with Express's prototypes from the start.
 */
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { answerBrokenRequests } from './broken-requests.ts';

/** A constructor whose objects have this prototype, which inherits from the prototype of `base`. */
function withPrototype<T extends typeof IncomingMessage | typeof ServerResponse>(
  base: T,
  prototype: object,
): T {
  // Not a class, because a class has its own prototype.
  const messageClass = function (this: object, ...args: unknown[]) {
    Reflect.apply(base, this, args);
  };
  messageClass.prototype = prototype;
  return messageClass as unknown as T;
}

export function createHttpServer(app: Express): Server {
  const classes = {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
    connectionsCheckingInterval: 2_000,
  };
  const server = createServer(classes as object, app);
  // For the headers; slow-clients.ts has the limits for the body.
  server.headersTimeout = 20_000;
  server.requestTimeout = 10 * 60_000;
  // Closes idle connections, so that a reply that nobody reads isn't kept forever.
  server.timeout = 120_000;
  answerBrokenRequests(server);
  limitConnections(server);
  return server;
}

/** Uses 60 MB if only headers have arrived; a process may have four times as many files open. */
const MAX_CONNECTIONS = 4_000;

/** Above the limit, the connection that has been without a complete request for longest is closed. */
export function limitConnections(server: Server, max = MAX_CONNECTIONS): void {
  const idle = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    idle.add(socket);
    socket.once('close', () => {
      open -= 1;
      idle.delete(socket);
    });
    if (open <= max) return;
    const [oldest] = idle;
    oldest?.destroy();
  });
  server.on('request', (req, res) => {
    const { socket } = req;
    idle.delete(socket);
    res.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
}
