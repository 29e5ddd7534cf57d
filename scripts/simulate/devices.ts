/** A volunteer's device, which behaves like the client: a stock of reserved codes, and an outbox while offline. */
import type { Client } from './client.ts';
import type { Manner } from './made-up.ts';
import type { Worker } from './team.ts';

const BLOCK = 50;

interface Stored {
  issuedCodes: string[];
  flags: { code: string }[];
}

export interface Device {
  worker: Worker;
  online: boolean;
  /** How its interviewer makes interviews up; null for an honest one. */
  manner: Manner | null;
  /** From when on it may hold the next interview. */
  freeAt: number;
  stock: string[];
  outbox: object[];
}

export const newDevice = (worker: Worker, manner: Manner | null): Device => ({
  worker,
  manner,
  online: true,
  freeAt: 0,
  stock: [],
  outbox: [],
});

/** Before a day without network. */
export async function fillStock(client: Client, device: Device, target: number): Promise<void> {
  while (device.stock.length < target) {
    const count = Math.min(BLOCK, target - device.stock.length);
    const body = { count };
    const reply = await client.send<{ codes: string[] }>(
      'POST',
      '/api/referral-codes/blocks',
      device.worker.token,
      body,
    );
    if (reply.status !== 201) return; // It holds as many as one may.
    device.stock.push(...reply.body.codes);
  }
}

export async function isValid(client: Client, device: Device, code: string): Promise<boolean> {
  const path = `/api/validate-referral-code/${code}`;
  return (await client.must<{ isValid: boolean }>('GET', path, device.worker.token)).isValid;
}

/** Sends it at once. Null where the coupon was redeemed elsewhere meanwhile. */
export async function submit(client: Client, device: Device, interview: object): Promise<Stored | null> {
  const reply = await client.send<Stored>('POST', '/api/surveys', device.worker.token, interview);
  if (reply.status === 409) return null;
  if (reply.status === 201) return reply.body;
  throw new Error(`an interview was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
}

/** Back on the network: everything goes out, in the order in which it was held. Answers the flags that came back. */
export async function sync(client: Client, device: Device): Promise<string[]> {
  const flags: string[] = [];
  for (let interview = device.outbox.shift(); interview; interview = device.outbox.shift()) {
    const stored = await client.must<Stored>('POST', '/api/surveys', device.worker.token, interview);
    flags.push(...stored.flags.map((flag) => flag.code));
  }
  device.online = true;
  return flags;
}
