/** How many one-time codes are sent: to a phone, from an address, in a day. */
import { consume, giveBack, type Limit, networkOf, requireSomeLeft } from '../http/limits.ts';

const DAY = 86_400;
const SEND_AGAIN: Limit = { name: 'send-again', points: 1, duration: 30 };
const SEND_PHONE: Limit = { name: 'send-phone', points: 5, duration: 3600 };
const SEND_PHONE_A_DAY: Limit = { name: 'send-phone-day', points: 10, duration: DAY };
/** Thirty people behind one Wi-Fi, each with a few resends. */
const SEND_ADDRESS: Limit = { name: 'send-network', points: 120, duration: 3600 };
/** Well below what may be sent in a day over all addresses: one of them does not use that up. */
const SEND_ADDRESS_A_DAY: Limit = { name: 'send-network-day', points: 720, duration: DAY };

/**
 * The limits of sending a one-time code. From one address to one phone: again after 30 s, 5 an hour, so that a stranger
 * elsewhere uses up nobody's. To one phone from all addresses: 10 a day. From one address: 120 an hour,
 * 720 a day, whether the phones have accounts or not.
 */
export async function limitSending(phone: string, address: string): Promise<void> {
  // The address first: one that has had its share must not use up the codes of other people's phones.
  const network = networkOf(address);
  await consume(SEND_ADDRESS, network);
  try {
    await consume(SEND_ADDRESS_A_DAY, network);
  } catch (refused) {
    await giveBack(SEND_ADDRESS, network);
    throw refused;
  }
  try {
    await consume(SEND_AGAIN, `${phone} ${network}`);
    await consume(SEND_PHONE, `${phone} ${network}`);
    await consume(SEND_PHONE_A_DAY, phone);
  } catch (refused) {
    // Nothing was sent: whoever taps again and again takes nothing from others in the same office.
    await giveBack(SEND_ADDRESS, network);
    await giveBack(SEND_ADDRESS_A_DAY, network);
    throw refused;
  }
}

/** Of one range of numbers, which one company holds: its last four digits are its own to give away. */
const rangeOf = (phone: string) => phone.slice(0, -4);

/**
 * What codes may cost in a day, against those who earn by having them sent to their own ranges of numbers: to new people
 * a number over all phones, a tenth of it to one range. Those with an account have as many for themselves, so that
 * whoever uses up the one keeps nobody from signing in.
 */
export async function capSignUps(phone: string, perDay: number): Promise<void> {
  const day = { name: 'sign-up-codes', points: perDay, duration: DAY };
  await consume(day, 'all');
  try {
    await consume({ name: 'range-codes', points: Math.ceil(perDay / 10), duration: DAY }, rangeOf(phone));
  } catch (refused) {
    await giveBack(day, 'all');
    throw refused;
  }
}

/** Only what is sent counts; once it is used up, all are refused alike, with an account or without. */
export async function capLogins(sent: boolean, perDay: number): Promise<void> {
  const day = { name: 'login-codes', points: perDay, duration: DAY };
  if (sent) return await consume(day, 'all');
  await requireSomeLeft(day, 'all');
}
