/**
 * Interviewers who make interviews up: they keep coupons that they should hand out, and fill in the interviews
 * themselves. Careless ones take minutes, mostly at home, and enter round numbers and few answers; careful ones take
 * their time, stay at the site and give plausible answers.
 */
import { type Point, pointNearby, positionAt, withFewAnswers } from './noise.ts';
import type { Random } from './random.ts';

const MINUTE = 60_000;
const ROUND_NUMBERS = [10, 15, 20, 20, 25, 30, 40, 50];
/** From the site to their home, in metres. */
const HOME_METERS = 4_000;

export const MANNERS = ['careless', 'careful'] as const;
export type Manner = (typeof MANNERS)[number];

/** Of the interviewer with this number; null for honest ones. */
export const mannerOf = (number: number, fabricators: number): Manner | null =>
  number < fabricators ? (MANNERS[number % MANNERS.length] ?? null) : null;

/** Of how many respondents such an interviewer keeps the coupons. */
export const KEPT_COUPONS_SHARE = 0.4;

/** In milliseconds: how long after the interview before, and how long it takes. */
export function timesOf(manner: Manner, random: Random): { pause: number; duration: number } {
  const minutes =
    manner === 'careless'
      ? { pause: 1 + random.below(2), duration: 2 + random.below(4) }
      : { pause: 15 + random.below(30), duration: 9 + random.below(8) };
  return { pause: minutes.pause * MINUTE, duration: minutes.duration * MINUTE };
}

export function madeUpAnswers(
  manner: Manner,
  answers: Record<string, unknown>,
  random: Random,
): Record<string, unknown> {
  if (manner === 'careful') return answers;
  const size = random.pick(ROUND_NUMBERS);
  const sizes = { networkKnown: size, networkAdults: size, networkSize: size };
  const all = { ...answers, ...sizes };
  return random.chance(0.4) ? withFewAnswers(all, random) : all;
}

export function madeUpPosition(
  manner: Manner,
  site: Point | null | undefined,
  random: Random,
): { coordinates?: object } {
  const isAtHome = manner === 'careless' && random.chance(0.6);
  return site && isAtHome
    ? { coordinates: { ...pointNearby(site, HOME_METERS, random), accuracy: 5 + random.below(30) } }
    : positionAt(site, random);
}
