/** Rate limits for sending one-time codes: per phone, per network address and per day. */
import {
  countAgainstLimit,
  networkPrefixOfAddress,
  type RateLimit,
  requireRateLimitNotReached,
  uncountAgainstLimit,
} from '../../platform/http/limits/rate-limits.ts';

const DAY = 86_400;
const SEND_AGAIN: RateLimit = { name: 'send-again', points: 1, duration: 30 };
const SEND_PHONE: RateLimit = { name: 'send-phone', points: 5, duration: 3600 };
const SEND_PHONE_A_DAY: RateLimit = { name: 'send-phone-day', points: 10, duration: DAY };
const NOT_SENT: RateLimit = { name: 'login-codes-not-sent', points: Number.MAX_SAFE_INTEGER, duration: DAY };
/** Enough for thirty people on one Wi-Fi, each with a few resends. */
const SEND_ADDRESS: RateLimit = { name: 'send-network', points: 120, duration: 3600 };
/** Well below the daily total, so that one address can't use it up. */
const SEND_ADDRESS_A_DAY: RateLimit = { name: 'send-network-day', points: 720, duration: DAY };

/**
 * From one address to one phone: one code every 30 s and 5 an hour, counted per address so that a stranger can't use up
 * someone else's codes. To one phone from all addresses: 10 a day. From one address: 120 an hour and 720 a day, whether
 * or not the phones have accounts.
 */
export async function limitOtpSends(phone: string, address: string, onLockOut: () => void): Promise<void> {
  // Check the address first: one over its limit must not use up the codes of other people's phones.
  const network = networkPrefixOfAddress(address);
  await countAgainstLimit(SEND_ADDRESS, network);
  try {
    await countAgainstLimit(SEND_ADDRESS_A_DAY, network);
  } catch (error) {
    await uncountAgainstLimit(SEND_ADDRESS, network);
    throw error;
  }
  try {
    await countAgainstLimit(SEND_AGAIN, `${phone} ${network}`);
    await countAgainstLimit(SEND_PHONE, `${phone} ${network}`);
    await countAgainstLimit(SEND_PHONE_A_DAY, phone).catch((error: unknown) => {
      onLockOut();
      throw error;
    });
  } catch (refused) {
    // Nothing was sent, so repeated taps must not use up the limit of others on the same network.
    await uncountAgainstLimit(SEND_ADDRESS, network);
    await uncountAgainstLimit(SEND_ADDRESS_A_DAY, network);
    throw refused;
  }
}

/**
 * A phone's own device has limits of its own, which requests from elsewhere don't use up: one code every 30 s and 5 an
 * hour, and a daily total for all such devices.
 */
export async function limitOtpSendsOfDevice(phone: string, device: string, perDay: number): Promise<void> {
  await countAgainstLimit(SEND_AGAIN, `${phone} ${device}`);
  await countAgainstLimit(SEND_PHONE, `${phone} ${device}`);
  await countAgainstLimit({ name: 'device-codes', points: perDay, duration: DAY }, 'all');
}

/** A block of 10,000 numbers that one company may own. */
const numberRange = (phone: string) => phone.slice(0, -4);

/**
 * Limits the daily cost of codes, because some companies earn money from messages sent to their own number ranges: a
 * total for new people, and a tenth of it per range. People with an account have a separate total, so that an attack on
 * sign-up doesn't keep anyone from signing in.
 */
export async function limitSignUpCodes(phone: string, perDay: number): Promise<void> {
  const day = { name: 'sign-up-codes', points: perDay, duration: DAY };
  await countAgainstLimit(day, 'all');
  try {
    await countAgainstLimit(
      { name: 'range-codes', points: Math.ceil(perDay / 10), duration: DAY },
      numberRange(phone),
    );
  } catch (error) {
    await uncountAgainstLimit(day, 'all');
    throw error;
  }
}

/**
 * Counts only codes that are sent. Once the limit is reached everyone is refused, so that a refusal doesn't reveal
 * whether a phone has an account. Codes that aren't sent are counted separately, without a limit, so that the work is
 * the same.
 */
export async function limitLoginCodesOfDay(hasSent: boolean, perDay: number): Promise<void> {
  const day = { name: 'login-codes', points: perDay, duration: DAY };
  await requireRateLimitNotReached(day, 'all');
  await countAgainstLimit(hasSent ? day : NOT_SENT, 'all');
}
