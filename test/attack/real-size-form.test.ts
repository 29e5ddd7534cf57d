/**
 * A form as large as real ones (705 rows of XLSForm, with conditions, constraints and calculations): of simultaneous
 * interviews each is stored, or its phone is told to retry.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the format names an answer by ${name}
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'supertest';
import { VALIDATOR_LIMITS } from '../../src/questionnaires/validator/validator.ts';
import { type Person, startWorld, type World } from '../people.ts';
import { type Lines, XLSX, xlsx } from '../xlsform-file.ts';

const GROUPS = 39;
const CONCURRENT_INTERVIEWS = 5;

let world: World;
let ada: Person;
let site: string;
beforeAll(async () => {
  world = await startWorld();
  site = await world.place();
  ada = await world.person({ role: 'ADMIN', location: site });
});
const { maxWaitMs } = VALIDATOR_LIMITS;
afterAll(async () => {
  VALIDATOR_LIMITS.maxWaitMs = maxWaitMs;
  await world.stop();
});

/** The rows of one group: 18 including its begin and end. Each question depends on the one before. */
function group(at: number): string[] {
  const name = (question: number) => `g${at}_q${question}`;
  const rows = Array.from({ length: 15 }, (_, question) => {
    const before = question === 0 ? 'network_size' : name(question - 1);
    const condition = `\${${before}} != ''`;
    if (question % 3 === 0)
      return `integer | ${name(question)} | How many, ${at}.${question}? | ${condition} | . >= 0 and . <= \${network_size} + 99`;
    if (question % 3 === 1)
      return `select_one yn | ${name(question)} | Was it so, ${at}.${question}? | ${condition}`;
    return `select_multiple kinds | ${name(question)} | Which, ${at}.${question}? | ${condition} and not(selected(\${${name(question - 1)}}, 'maybe')) | count-selected(.) <= 3`;
  });
  const numbers = [0, 3, 6, 9, 12].map((question) => `\${${name(question)}}`);
  const sum = `calculate | g${at}_sum | | | | ${numbers.join(' + ')}`;
  return [`begin_group | g${at} | Part ${at}`, ...rows, sum, 'end_group'];
}

const FORM: Lines = {
  survey: [
    'type | name | label | relevant | constraint | calculation',
    'integer | network_size | How many do you know? | | . >= 0',
    ...Array.from({ length: GROUPS }, (_, at) => group(at)).flat(),
    'note | end | Thank you.',
  ],
  choices: [
    'list_name | name | label',
    ...['yes', 'no', 'maybe'].map((name) => `yn | ${name} | ${name}`),
    ...['a', 'b', 'c', 'd', 'e'].map((name) => `kinds | ${name} | ${name}`),
  ],
  settings: ['form_title | version', 'A real form | 1'],
};

function answers(size: number): Record<string, unknown> {
  const all: Record<string, unknown> = { network_size: size };
  for (let at = 0; at < GROUPS; at++)
    for (let question = 0; question < 15; question++)
      all[`g${at}_q${question}`] = [question, 'no', ['a', 'c']][question % 3];
  return all;
}

/** Retries after a 503 as a phone does, when Retry-After says so. */
async function retryWhileBusy(ask: () => PromiseLike<Response>): Promise<Response> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    expect([answer.body.code, answer.headers['retry-after']]).toEqual(['UNAVAILABLE', '5']);
    await sleep(500);
  }
}

test('five simultaneous interviews with a 705-row form are all stored, after retries', async () => {
  expect(FORM.survey?.length).toBe(705);
  const file = await xlsx(FORM);
  const read = await retryWhileBusy(() => ada.post('/api/questionnaires/xlsform').type(XLSX).send(file));
  expect([read.status, read.body.faults]).toEqual([200, []]);
  const { name, definition, networkSizeQuestion } = read.body;
  const form = { name, definition, networkSizeQuestion };
  const stored = await retryWhileBusy(() => ada.post('/api/questionnaires', form));
  expect([stored.status, stored.body.id]).toEqual([201, expect.anything()]);
  const send = (size: number) =>
    retryWhileBusy(() =>
      ada.post('/api/surveys', {
        location: site,
        questionnaire: stored.body.id,
        responses: answers(size),
      }),
    );
  // So that some have to retry.
  VALIDATOR_LIMITS.maxWaitMs = 3_000;
  const all = await Promise.all(Array.from({ length: CONCURRENT_INTERVIEWS }, (_, at) => send(at)));
  expect(all.map(({ status, body: answer }) => [status, answer.errors])).toEqual(
    all.map(() => [201, undefined]),
  );
  expect(all[0]?.body.responses.g0_sum).toBe(0 + 3 + 6 + 9 + 12);
}, 240_000);
