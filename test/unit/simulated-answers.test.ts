import { makeAnswers } from '../../scripts/simulate/answers.ts';
import { withFewAnswers } from '../../scripts/simulate/noise.ts';
import { randomFrom } from '../../scripts/simulate/random.ts';
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { checkAnswers } from '../check-answers.ts';

test('answers of simulated people who answer little fit the questionnaire', () => {
  const { definition } = DEFAULT_QUESTIONNAIRE;
  const people = Array.from({ length: 300 }, (_, number) => {
    const random = randomFrom(`person ${number}`);
    const traits = { spanish: false, ill: number % 2 === 0, veteran: false, sheltered: number % 3 === 0 };
    const all = makeAnswers({ number, neighbours: [1, 2, 3], ...traits }, random, number % 4 === 0);
    return checkAnswers({ id: 'default', definition }, withFewAnswers(all, random));
  });
  expect(people.flat()).toEqual([]);
});
