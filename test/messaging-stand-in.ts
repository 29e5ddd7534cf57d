/**
 * A fake of Twilio's messages, according to the public description of its API: takes and lists messages, and reports what
 * became of them, signed, in any order.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';

export const MESSAGING = {
  accountSid: `AC${'0a'.repeat(16)}`,
  authToken: 'secret-token-of-the-account',
  serviceSid: `MG${'2c'.repeat(16)}`,
};

export interface TakenText {
  sid: string;
  to: string;
  body: string;
  callback: string;
  status: string;
}

/** How the next request fails: an answer, none before it is taken, or none after it. */
export type TextFailure = { status: number; code?: number } | 'hang' | 'lost' | 'reset';

export interface MessagingStandIn {
  url: string;
  /** All that the provider has taken, in order. */
  taken: TakenText[];
  faults: string[];
  failures: TextFailure[];
  /** Whether it answers when it is asked for its list. */
  lists: boolean;
  stop(): Promise<void>;
}

const sidOf = (at: number) => `SM${String(at).padStart(32, '0')}`;

export async function startMessaging(): Promise<MessagingStandIn> {
  const standIn = {
    taken: [] as TakenText[],
    faults: [] as string[],
    failures: [] as TextFailure[],
    lists: true,
  };
  const { accountSid, authToken, serviceSid } = MESSAGING;
  const credentials = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const path = `/2010-04-01/Accounts/${accountSid}/Messages.json`;
  const app = express();
  app.use(express.urlencoded({ extended: false }), (req, res, next) => {
    if (req.headers.authorization === credentials && req.path === path) return next();
    standIn.faults.push(`${req.method} ${req.path}`);
    return res.status(401).json({ code: 20003, status: 401, message: 'Authenticate' });
  });
  app.get(path, (req, res) => {
    if (!standIn.lists) return res.status(503).end();
    const matches = standIn.taken.filter(({ to }) => to === req.query.To);
    const messages = matches.map(({ sid, to, body, status }) => ({ sid, to, body, status }));
    return res.json({ messages, page: 0, page_size: 50, uri: path, next_page_uri: null });
  });
  app.post(path, (req, res) => {
    const { To, Body, MessagingServiceSid, StatusCallback, ...others } = req.body as Record<string, string>;
    if (Object.keys(others).length > 0) standIn.faults.push(`fields ${Object.keys(others)}`);
    if (
      !/^\+[1-9]\d{6,14}$/.test(To ?? '') ||
      !Body ||
      Body.length > 1600 ||
      MessagingServiceSid !== serviceSid
    ) {
      standIn.faults.push('an invalid message');
      return res.status(400).json({ code: 21211, status: 400, message: 'Invalid' });
    }
    const failure = standIn.failures.shift();
    if (failure === 'hang') return;
    if (failure === 'reset') return res.socket?.resetAndDestroy();
    if (typeof failure === 'object') {
      const { status, code = 0 } = failure;
      return res.status(status).json({ code, status, message: `Refused ${To} ${Body}` });
    }
    const message = {
      ...{ sid: sidOf(standIn.taken.length + 1), to: To as string, body: Body as string },
      ...{ callback: StatusCallback as string, status: 'queued' },
    };
    standIn.taken.push(message);
    if (failure === 'lost') return res.socket?.resetAndDestroy();
    return res.status(201).json({ sid: message.sid, status: 'accepted', to: To, body: Body });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(standIn, { url, stop: () => close(server) });
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

/** As the documentation says: of the address and the fields in the order of their names. */
export function sign(url: string, form: Record<string, string>, token = MESSAGING.authToken): string {
  const text =
    url +
    Object.keys(form)
      .sort()
      .map((name) => name + form[name])
      .join('');
  return createHmac('sha1', token).update(text).digest('base64');
}
