/** A study with the built-in questionnaire: 200 people, some in couples and with children, three veterans. */
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { randomStream } from '../../src/statistics/estimators/draws/random.ts';
import type { Person } from '../people.ts';
import { activate, insertPeople, type SimulatedPerson, simulate } from '../sample/simulated.ts';

export const COUNTS = '/api/analysis/counts';
export const PEOPLE = 200;

export async function insertStudy(root: Person, locations: readonly string[]): Promise<SimulatedPerson[]> {
  const { name, definition, networkSizeQuestion, takesPartIf } = DEFAULT_QUESTIONNAIRE;
  const questionnaire = await activate(root, { name, definition, networkSizeQuestion, takesPartIf });
  const random = randomStream(5, 'tables');
  const people = simulate(randomStream(11, 'tables'), { people: PEOPLE, seeds: 6, locations });
  for (const [at, one] of people.entries()) one.responses = answersOf(at, random.uniform());
  await insertPeople(people, { questionnaire, by: root.id });
  return people;
}

function answersOf(at: number, chance: number): Record<string, unknown> {
  const isPair = at % 4 === 0;
  const hasChildren = at % 10 === 0;
  const household = [...(isPair ? ['partner'] : []), ...(hasChildren ? ['children'] : [])];
  return {
    consent: 'yes',
    isAdult: 'yes',
    sleptOutside: 'yes',
    interviewedBefore: 'no',
    ageRange: ['18-24', '25-34', '45-54'][at % 3],
    veteran: at < 3 ? 'yes' : 'no',
    genderIdentity: at % 7 === 0 ? ['woman', 'transgender'] : [at % 2 ? 'woman' : 'man'],
    raceEthnicity: at % 5 === 0 ? ['hispanic', 'white'] : at % 5 === 1 ? ['black', 'asian'] : ['white'],
    household: household.length > 0 ? household : ['alone'],
    ...(isPair ? { householdAdults: 2, householdInterviewed: 'no' } : {}),
    ...(hasChildren ? { childrenCount: 2, childrenUnder6: 1 } : {}),
    healthConditions: at % 2 ? ['chronic'] : ['none'],
    ...(at % 2 ? { healthKeepsFromHousing: 'yes' } : {}),
    homelessDuration: at % 4 < 2 ? '1-3Years' : '1-3Months',
    homelessTimes: '1',
    lastHome: at === 7 ? 'abroad' : at < 6 ? 'country' : at % 2 ? 'here' : 'state',
    countServiceUsed: chance < 0.4 ? 'yes' : 'no',
  };
}

export async function makeCount(root: Person, more: object = {}): Promise<string> {
  const fields = {
    name: 'Count of the night',
    outcome: 'countServiceUsed',
    value: 'yes',
    known: 400,
    source: 'List of the shelters',
    asOf: '2027-03-01',
    definition: 'Adults without a home',
    ...more,
  };
  return (await root.post(COUNTS, fields).expect(201)).body.id;
}
