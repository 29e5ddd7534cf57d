/**
 * A fake Twilio Verify v2, according to Twilio's documentation. It rejects what Twilio would reject and keeps each
 * such request in `faults`, which tests compare with []: so an invalid request of our provider is found even where its
 * caller would only see "out of reach".
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { type Context, type Document, OpenAPIBackend } from 'openapi-backend';

export const ACCOUNT_SID = `AC${'0a'.repeat(16)}`;
export const AUTH_TOKEN = 'secret-token-of-the-account';
export const SERVICE_SID = `VA${'1b'.repeat(16)}`;

/** How the next request fails. */
export type Failure =
  | { status: number; code?: number; body?: string }
  | 'hang'
  | 'trickle'
  | 'reset'
  | 'html'
  | 'empty';

interface Verification {
  sid: string;
  code: string;
  sends: number;
  checks: number;
  createdAt: number;
}

export interface TwilioStandIn {
  url: string;
  /** Each text message, in order. */
  sent: { to: string; code: string; channel: string }[];
  /** "POST /path", in order. */
  requests: string[];
  faults: string[];
  /** One request each, in order. */
  failures: Failure[];
  now: () => number;
  /** Settings of the Verify service, by its owner. */
  codeLength: number;
  stop(): Promise<void>;
}

const form = (properties: object, required: string[]) => ({
  required: true,
  content: {
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', additionalProperties: false, properties, required },
    },
  },
});
const serviceSid = {
  name: 'ServiceSid',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: '^VA[0-9a-fA-F]{32}$' },
};
const post = (operationId: string, status: string, requestBody: object) => ({
  post: {
    operationId,
    requestBody,
    security: [{ account: [] }],
    responses: { [status]: { description: 'done' } },
  },
});
const E164 = { type: 'string', pattern: '^\\+[1-9]\\d{6,14}$' };

const DEFINITION = {
  openapi: '3.0.1',
  info: { title: 'Verify, the part in use', version: '2' },
  components: { securitySchemes: { account: { type: 'http', scheme: 'basic' } } },
  paths: {
    '/v2/Services/{ServiceSid}': {
      parameters: [serviceSid],
      get: {
        operationId: 'service',
        security: [{ account: [] }],
        responses: { 200: { description: 'done' } },
      },
    },
    '/v2/Services/{ServiceSid}/Verifications': {
      parameters: [serviceSid],
      ...post(
        'create',
        '201',
        form({ To: E164, Channel: { enum: ['sms', 'call', 'email', 'whatsapp', 'auto'] } }, [
          'To',
          'Channel',
        ]),
      ),
    },
    '/v2/Services/{ServiceSid}/Verifications/{Sid}': {
      parameters: [serviceSid, { name: 'Sid', in: 'path', required: true, schema: { type: 'string' } }],
      ...post('update', '200', form({ Status: { enum: ['canceled', 'approved'] } }, ['Status'])),
    },
    '/v2/Services/{ServiceSid}/VerificationCheck': {
      parameters: [serviceSid],
      ...post(
        'check',
        '201',
        form({ To: E164, Code: { type: 'string', pattern: '^\\d{4,10}$' } }, ['To', 'Code']),
      ),
    },
  },
} as unknown as Document;

const LIFE_MS = 10 * 60_000;
const MAX = 5;

export async function startTwilioStandIn(): Promise<TwilioStandIn> {
  const live = new Map<string, Verification>();
  const failures: Failure[] = [];
  const messages: TwilioStandIn['sent'] = [];
  const requests: string[] = [];
  const faults: string[] = [];
  const standIn = { sent: messages, requests, faults, failures, now: Date.now, codeLength: 6 };

  const find = (to: string) => {
    const pending = live.get(to);
    return pending && standIn.now() < pending.createdAt + LIFE_MS ? pending : undefined;
  };
  const handlers = {
    service: (_c: Context, _req: Request, res: Response) =>
      res.json({ sid: SERVICE_SID, account_sid: ACCOUNT_SID, code_length: standIn.codeLength }),
    create(c: Context, _req: Request, res: Response) {
      const { To: to, Channel: channel } = c.request.requestBody as { To: string; Channel: string };
      const pending = find(to) ?? {
        sid: sid('VE'),
        code: newCode(),
        sends: 0,
        checks: 0,
        createdAt: standIn.now(),
      };
      if (pending.sends >= MAX) return refuse(res, 429, 60203, 'Max send attempts reached');
      pending.sends += 1;
      live.set(to, pending);
      messages.push({ to, code: pending.code, channel });
      return res.status(201).json(verification(pending, to, 'pending'));
    },
    update(c: Context, _req: Request, res: Response) {
      const key = decodeURIComponent(String(c.request.params.Sid));
      const pending = find(key);
      if (!pending) return refuse(res, 404, 20404, 'The requested resource was not found');
      live.delete(key);
      return res.json(verification(pending, key, (c.request.requestBody as { Status: string }).Status));
    },
    check(c: Context, _req: Request, res: Response) {
      const { To: to, Code: code } = c.request.requestBody as { To: string; Code: string };
      const pending = find(to);
      if (!pending) return refuse(res, 404, 20404, 'The requested resource was not found');
      if (pending.checks >= MAX) return refuse(res, 429, 60202, 'Max check attempts reached');
      pending.checks += 1;
      const right = code === pending.code;
      if (right) live.delete(to);
      return res.status(201).json(verification(pending, to, right ? 'approved' : 'pending'));
    },
    validationFail(c: Context, req: Request, res: Response) {
      faults.push(`${req.method} ${req.path}: ${JSON.stringify(c.validation.errors)}`);
      return refuse(res, 400, 60200, 'Invalid parameter');
    },
    unauthorizedHandler: (_c: Context, _req: Request, res: Response) =>
      refuse(res, 401, 20003, 'Authenticate'),
    notFound(_c: Context, req: Request, res: Response) {
      faults.push(`no such route: ${req.method} ${req.path}`);
      return refuse(res, 404, 20404, 'The requested resource was not found');
    },
  };

  const api = new OpenAPIBackend({ definition: DEFINITION, quick: true, handlers: handlers as never });
  const credentials = `Basic ${Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64')}`;
  api.registerSecurityHandler('account', (c) => c.request.headers.authorization === credentials);
  await api.init();

  const app = express();
  app.use(express.urlencoded({ extended: false }), (req, res) => {
    requests.push(`${req.method} ${req.path}`);
    if (req.method !== 'GET' && !req.is('application/x-www-form-urlencoded')) {
      faults.push(`content type ${req.headers['content-type']}`);
      return refuse(res, 415, 20415, 'Unsupported media type');
    }
    const failure = failures.shift();
    if (failure) return fail(failure, res);
    const { method, path, body, headers } = req;
    return api.handleRequest({ method, path, body, headers: headers as never }, req, res);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(standIn, { url, stop: () => close(server) });
}

const newCode = () => String(randomInt(1_000_000)).padStart(6, '0');
let sidCount = 0;
const sid = (kind: string) => kind + String(++sidCount).padStart(32, '0');

function verification(pending: Verification, to: string, status: string) {
  return {
    sid: pending.sid,
    service_sid: SERVICE_SID,
    account_sid: ACCOUNT_SID,
    to,
    channel: 'sms',
    status,
    valid: status === 'approved',
    amount: null,
    payee: null,
    date_created: new Date(pending.createdAt).toISOString(),
    date_updated: new Date(pending.createdAt).toISOString(),
  };
}

function refuse(res: Response, status: number, code: number, message: string) {
  return res
    .status(status)
    .json({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });
}

function fail(failure: Failure, res: Response): unknown {
  if (failure === 'hang') return;
  if (failure === 'reset') return res.socket?.resetAndDestroy();
  if (failure === 'html') return res.status(200).type('html').send('<h1>Sign in to this network</h1>');
  if (failure === 'empty') return res.status(502).end();
  if (failure === 'trickle') {
    res.status(201).type('json').write('{');
    const drip = setInterval(() => res.write(' '), 20);
    return res.on('close', () => clearInterval(drip));
  }
  const { status, code = 0, body } = failure;
  return body === undefined
    ? refuse(res, status, code, 'Refused by order of the test')
    : res.status(status).send(body);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
