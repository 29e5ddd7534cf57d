/** How simulated people reach the service: only over HTTP. */

export interface Reply<T> {
  status: number;
  body: T;
}

export interface Client {
  /** How many requests were answered. */
  readonly requests: number;
  send<T>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    token: string | null,
    body?: object,
  ): Promise<Reply<T>>;
  /** As `send`, and throws where the answer is not a success. */
  must<T>(method: 'GET' | 'POST' | 'PATCH', path: string, token: string | null, body?: object): Promise<T>;
}

export function createClient(base: string): Client {
  let requests = 0;
  const send: Client['send'] = async <T>(
    method: string,
    path: string,
    token: string | null,
    body?: object,
  ) => {
    const reply = await fetch(base + path, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    requests += 1;
    const text = await reply.text();
    return { status: reply.status, body: (text ? JSON.parse(text) : null) as T };
  };
  return {
    get requests() {
      return requests;
    },
    send,
    async must<T>(method: 'GET' | 'POST' | 'PATCH', path: string, token: string | null, body?: object) {
      const reply = await send<T>(method, path, token, body);
      if (reply.status < 300) return reply.body;
      throw new Error(`${method} ${path} was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    },
  };
}
