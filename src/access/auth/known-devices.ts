/**
 * Devices on which a phone number has signed in before. Such a device has its own limits for codes and guesses, which
 * strangers can't use up. It is recognized by a secret that the app stores; the account only has its hash.
 */
import { createHash, randomBytes } from 'node:crypto';
import { networkPrefixOfAddress } from '../../platform/http/limits/rate-limits.ts';
import { browserNameFromUserAgent } from '../../platform/lib/client-name.ts';
import { type SignInMethod, UserModel, type UserRecord, type UserSession } from '../../study/users/model.ts';
import { newSession, userSessionsWithAdded } from '../../study/users/sessions.ts';

/**
 * Of each kind, the least recently used devices are dropped. Devices that only signed in with a colleague's code are a
 * separate kind, because a colleague can add any number of them, which must not push out the person's phone.
 */
const MAX_DEVICES = 20;

const hashOfDevice = (device: string) => createHash('sha256').update(device).digest('base64url');

const DEVICE_PREFIX = 'device ';

/** The caller who requests or guesses a code: one of this phone's own devices, or otherwise a network. */
export function otpCallerOf(owner: UserRecord | null, device: string | undefined, address: string): string {
  const hash = device === undefined ? null : hashOfDevice(device);
  const isKnown = owner?.knownDevices?.some((one) => one.hash === hash) === true;
  return isKnown ? DEVICE_PREFIX + hash : networkPrefixOfAddress(address);
}

export const isKnownDeviceCaller = (caller: string): boolean => caller.startsWith(DEVICE_PREFIX);

export interface SignInContext {
  /** From the request; created if missing. */
  device: string | undefined;
  userAgent: string;
  /** A code that was sent to the phone proves that the phone exists. */
  method: SignInMethod;
  now: Date;
}

/** Starts a session and remembers the device. */
export async function startDeviceSession(
  { _id }: UserRecord,
  { device: deviceId, userAgent, method, now }: SignInContext,
  ttl: number,
): Promise<{ device: string; session: UserSession }> {
  const device = deviceId ?? randomBytes(32).toString('base64url');
  const hash = hashOfDevice(device);
  const session = newSession({ client: browserNameFromUserAgent(userAgent), device: hash, method, ttl }, now);
  const storedDevices = { $ifNull: ['$knownDevices', []] };
  const others = { $filter: { input: storedDevices, cond: { $ne: ['$$this.hash', hash] } } };
  const isByColleague = { $eq: ['$$this.byColleague', true] };
  const proved = (input: object | string) => ({ $filter: { input, cond: { $not: isByColleague } } });
  const byColleague = { $filter: { input: '$knownDevices', cond: isByColleague } };
  const isProved = { $in: [hash, { $map: { input: proved(storedDevices), in: '$$this.hash' } }] };
  const entry = { hash, usedAt: now };
  const own = method !== 'colleague' ? entry : { $cond: [isProved, entry, { ...entry, byColleague: true }] };
  const proof = method === 'message' ? { phoneProvedAt: { $ifNull: ['$phoneProvedAt', now] } } : {};
  const last = (list: object) => ({ $slice: [list, -MAX_DEVICES] });
  await UserModel.collection.updateOne({ _id }, [
    {
      $set: {
        knownDevices: { $concatArrays: [others, [own]] },
        sessions: userSessionsWithAdded(session, now),
        ...proof,
      },
    },
    { $set: { knownDevices: { $concatArrays: [last(byColleague), last(proved('$knownDevices'))] } } },
  ]);
  return { device, session };
}
