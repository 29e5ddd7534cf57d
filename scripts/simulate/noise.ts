/** Variation in honest interviews: durations differ, positions are slightly off, and some people answer little. */
import type { Random } from './random.ts';

const MINUTE = 60_000;
/** A phone that was put aside in between. */
const PUT_ASIDE_SHARE = 0.01;
const RELUCTANT_SHARE = 0.02;
const NO_POSITION_SHARE = 0.15;
/** A phone that found no satellite and believes it did. */
const LOST_SHARE = 0.003;
/** Metres to a degree of latitude. */
const METERS_PER_DEGREE = 111_195;

/** Answers without which no interview is complete, and those that others depend on. */
const REQUIRED_QUESTIONS = /^(consent|isAdult|sleptOutside|interviewedBefore|network\w+|recruiter\w+)$/;
/** Follow-up questions, each with the question without whose answer it isn't asked. */
const PREREQUISITES: Record<string, string> = {
  householdAdults: 'household',
  householdInterviewed: 'householdAdults',
  childrenCount: 'household',
  childrenUnder6: 'childrenCount',
  healthKeepsFromHousing: 'healthConditions',
};

export interface Point {
  latitude: number;
  longitude: number;
}

/** In milliseconds. */
export function durationOf(usualMinutes: number, random: Random): number {
  const minutes = random.around(usualMinutes, 0.25);
  return minutes * MINUTE * (random.chance(PUT_ASIDE_SHARE) ? 3 + 5 * random.next() : 1);
}

/** Where the phone says that it is, at this site. */
export function positionAt(site: Point | null | undefined, random: Random): { coordinates?: object } {
  if (!site || random.chance(NO_POSITION_SHARE)) return {};
  const off = random.chance(LOST_SHARE) ? 2_000 : 15;
  return { coordinates: { ...pointNearby(site, off, random), accuracy: 5 + random.below(30) } };
}

/** This many metres off, more or less, in any direction. */
export function pointNearby({ latitude, longitude }: Point, metres: number, random: Random): Point {
  const degrees = () => (metres * random.normal()) / METERS_PER_DEGREE;
  return {
    latitude: latitude + degrees(),
    longitude: longitude + degrees() / Math.cos((latitude * Math.PI) / 180),
  };
}

type Answers = Record<string, unknown>;

export const withReluctance = (answers: Answers, random: Random): Answers =>
  random.chance(RELUCTANT_SHARE) ? withFewAnswers(answers, random) : answers;

/** Hardly more than what must be answered. Questions stand before their follow-up questions. */
export function withFewAnswers(answers: Answers, random: Random): Answers {
  const few: Answers = {};
  for (const [name, answer] of Object.entries(answers)) {
    const before = PREREQUISITES[name];
    const isAsked = before === undefined || before in few;
    if (REQUIRED_QUESTIONS.test(name) || (isAsked && random.chance(0.25))) few[name] = answer;
  }
  return few;
}
