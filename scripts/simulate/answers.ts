/** How a simulated person answers the built-in questionnaire. */
import type { Person } from './population.ts';
import type { Random } from './random.ts';

const AGES = ['18-24', '25-34', '25-34', '35-44', '35-44', '45-54', '45-54', '55-64', '55-64', '65-plus'];
const RELATIONS = [
  'partner',
  'family',
  'closeFriend',
  'closeFriend',
  'friend',
  'friend',
  'friend',
  'acquaintance',
];
const SERVICES = ['food', 'hygiene', 'shelter', 'clothes', 'medical', 'transport', 'phone', 'papers'];
const NEEDS = ['housing', 'storage', 'medical', 'mentalHealth', 'job', 'hygiene', 'legal', 'transport'];
const REASONS = ['rent', 'job', 'eviction', 'breakup', 'violence', 'health', 'substances', 'disaster'];
const INCOMES = ['job', 'disability', 'retirement', 'benefits', 'family', 'recycling', 'asking'];
const COMMENTS = [
  'A place to park for the night without being woken up.',
  'More showers, and open on Sundays.',
  'Un lugar seguro para guardar mis cosas.',
  'Someone who answers the phone.',
  'Help with my papers.',
];

export const DECLINED_ANSWERS = { consent: 'no' };

export function makeAnswers(person: Person, random: Random, hasCoupon: boolean): Record<string, unknown> {
  const some = (from: readonly string[], max: number) =>
    random.shuffle([...from]).slice(0, 1 + random.below(max));
  const reportedDegree = reported(person.neighbours.length, random);
  const relation = hasCoupon ? random.pick(RELATIONS) : null;
  return {
    consent: 'yes',
    isAdult: 'yes',
    sleptOutside: 'yes',
    interviewedBefore: 'no',
    ...(relation && {
      recruiterRelation: relation,
      recruiterMutual: random.chance(0.93) ? 'yes' : 'notSure',
    }),
    networkKnown: reportedDegree + random.below(1 + Math.ceil(reportedDegree / 3)),
    networkAdults: reportedDegree,
    networkSize: reportedDegree,
    ageRange: random.pick(AGES),
    genderIdentity: [random.chance(0.66) ? 'man' : random.chance(0.94) ? 'woman' : 'nonBinary'],
    raceEthnicity: person.spanish
      ? ['hispanic']
      : some(['white', 'white', 'black', 'americanIndian', 'asian'], 1),
    language: person.spanish ? 'spanish' : 'english',
    veteran: person.veteran ? 'yes' : 'no',
    sleptLastNight: random.pick(['outside', 'outside', 'tent', 'tent', 'vehicle']),
    homelessReasons: some(REASONS, 3),
    generalHealth: random.pick(
      person.ill ? ['poor', 'veryPoor', 'fair'] : ['veryGood', 'good', 'good', 'fair'],
    ),
    careMissed: person.ill ? 'yes' : 'no',
    feelsSafe: random.pick(['always', 'mostly', 'mostly', 'sometimes', 'sometimes', 'never']),
    incomeSources: some(INCOMES, 2),
    servicesUsed: some(SERVICES, 4),
    servicesNeeded: some(NEEDS, 4),
    ...(random.chance(0.3) && { openComment: random.pick(COMMENTS) }),
    couponsRefused: random.chance(0.85) ? 0 : 1 + random.below(2),
    sleptReferenceNight: random.chance(0.12)
      ? 'shelter'
      : random.pick(['outside', 'tent', 'tent', 'vehicle']),
    countServiceUsed: person.sheltered ? 'yes' : 'no',
    ...countAnswers(person, random),
  };
}

/** What a count of households and of chronic homelessness is made of. */
function countAnswers(person: Person, random: Random): Record<string, unknown> {
  const isPair = random.chance(0.25);
  const children = random.chance(0.1) ? 1 + random.below(3) : 0;
  const household = [...(isPair ? ['partner'] : []), ...(children > 0 ? ['children'] : [])];
  const isLong = random.chance(person.ill ? 0.6 : 0.3);
  return {
    countServiceNight: person.sheltered && random.chance(0.6) ? 'yes' : 'no',
    household: household.length > 0 ? household : ['alone'],
    ...(isPair && {
      householdAdults: 2,
      householdInterviewed: random.chance(0.3) ? 'yes' : 'no',
    }),
    ...(children > 0 && { childrenCount: children, childrenUnder6: random.below(children + 1) }),
    healthConditions: person.ill ? ['chronic'] : ['none'],
    ...(person.ill && { healthKeepsFromHousing: random.chance(0.7) ? 'yes' : 'no' }),
    homelessDuration: isLong ? '1-3Years' : random.pick(['under1Month', '1-3Months', '4-11Months']),
  };
}

/** People don't count their friends: every third rounds a larger number to fives. */
function reported(degree: number, random: Random): number {
  return degree > 7 && random.chance(0.33) ? Math.round(degree / 5) * 5 : degree;
}
