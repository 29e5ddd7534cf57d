/** Identity questions for the built-in questionnaire, and how a simulated person answers them: the same at each visit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import type { Client } from './client.ts';
import type { Person } from './population.ts';
import { randomFrom } from './random.ts';

const QUESTIONS = [
  {
    name: 'birthDay',
    title: 'On which day of the month were you born?',
    inputType: 'number',
    min: 1,
    max: 31,
  },
  {
    name: 'birthMonth',
    title: 'In which month were you born? (1 to 12)',
    inputType: 'number',
    min: 1,
    max: 12,
  },
  { name: 'birthYear', title: 'In which year were you born?', inputType: 'number', min: 1900, max: 2020 },
  { name: 'firstNameStart', title: 'What are the first two letters of your first name?', maxLength: 2 },
  { name: 'lastNameStart', title: 'What are the first two letters of your last name?', maxLength: 2 },
];

/** Activates a version that also recognizes people who were interviewed before. */
export async function askForIdentity(client: Client, token: string): Promise<void> {
  const { name, definition, networkSizeQuestion, takesPartIf } = DEFAULT_QUESTIONNAIRE;
  const { pages, ...rest } = definition as { pages: { visibleIf?: string }[] };
  const page = {
    name: 'identityPage',
    title: 'So that nobody is counted twice',
    visibleIf: '{isEligible} = true',
    elements: QUESTIONS.map((question) => ({ type: 'text', ...question })),
  };
  const body = {
    ...{ name, networkSizeQuestion, takesPartIf },
    definition: { ...rest, pages: [...pages.slice(0, 2), page, ...pages.slice(2)] },
    identityQuestions: QUESTIONS.map((question) => question.name),
  };
  const { id } = await postWhenReady(client, token, body);
  await client.must('PATCH', `/api/questionnaires/${id}`, token, { active: true, confirm: true });
}

/** On a busy machine the process that checks questionnaires may still be starting. */
async function postWhenReady(client: Client, token: string, body: object): Promise<{ id: string }> {
  const path = '/api/questionnaires';
  for (let tries = 1; ; tries++) {
    const reply = await client.send<{ id: string }>('POST', path, token, body);
    if (reply.status < 300) return reply.body;
    if (reply.status !== 503 || tries === 20) throw new Error(`${path} was answered ${reply.status}`);
    await sleep(1_000);
  }
}

const LETTERS = [
  'Al',
  'An',
  'Be',
  'Ca',
  'Da',
  'El',
  'Fr',
  'Gi',
  'Ha',
  'Jo',
  'Ka',
  'Lu',
  'Ma',
  'Ni',
  'Ro',
  'Sa',
];

export function identityOf({ number }: Person): Record<string, unknown> {
  const random = randomFrom(`identity ${number}`);
  return {
    birthDay: 1 + random.below(28),
    birthMonth: 1 + random.below(12),
    birthYear: 1950 + random.below(55),
    firstNameStart: random.pick(LETTERS),
    lastNameStart: random.pick(LETTERS),
  };
}
