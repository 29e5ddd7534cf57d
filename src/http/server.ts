/**
 * The server. Express gives each request and each response another prototype, and a change of prototype costs V8 more
 * than all else that a short request needs (half of its processor time, and memory that only a full sweep frees). So
 * they are made with Express's prototypes from the start: its own change is then none.
 */
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** A constructor whose objects have this prototype, which inherits from that of `base`. */
function madeWith<T extends typeof IncomingMessage | typeof ServerResponse>(base: T, prototype: object): T {
  // A class would bring a prototype of its own.
  const made = function (this: object, ...args: unknown[]) {
    Reflect.apply(base, this, args);
  };
  made.prototype = prototype;
  return made as unknown as T;
}

export function serverOf(app: Express): Server {
  const made = {
    IncomingMessage: madeWith(IncomingMessage, app.request),
    ServerResponse: madeWith(ServerResponse, app.response),
  };
  return createServer(made as object, app);
}
