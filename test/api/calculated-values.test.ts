/** Calculated values are stored with the answers, as the service calculates them on the day of the interview. */
import { castOfFile, makeStudyOld, seedCode } from './kit.ts';

const cast = castOfFile();
let questionnaire: string;
beforeAll(async () => {
  const definition = {
    calculatedValues: [
      { name: 'age', expression: 'age({born})', includeIntoResult: true },
      { name: 'isAdult', expression: '{age} >= 18', includeIntoResult: true },
      { name: 'helper', expression: '1 + 1' },
    ],
    elements: [
      { type: 'text', inputType: 'date', name: 'born' },
      { type: 'text', inputType: 'number', name: 'size' },
      { type: 'text', name: 'school', visibleIf: '{age} < 18', isRequired: true },
      { type: 'expression', name: 'double', expression: '{size} * 2' },
      { type: 'text', inputType: 'date', name: 'seen', validators: [seenBeforeToday()] },
    ],
  };
  const body = { name: 'Ages', definition, networkSizeQuestion: 'size', takesPartIf: '{isAdult} = true' };
  questionnaire = (await cast.admin.post('/api/questionnaires', body).expect(201)).body.id;
  await makeStudyOld();
});

function seenBeforeToday() {
  return { type: 'expression', expression: '{seen} empty or {seen} <= today()' };
}

const DAY = 86_400_000;
const noon = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
/** Eighteen on the day after the interview. */
function bornFor(interviewAt: Date): string {
  const next = new Date(interviewAt.getTime() + 3 * DAY);
  return `${next.getUTCFullYear() - 18}${dayOf(next).slice(4)}`;
}
const send = (body: object) =>
  cast.volunteer.post('/api/surveys', { location: cast.site, questionnaire, ...body });

test('calculated values are computed as of the interview date, ignoring those sent', async () => {
  const interviewAt = noon(30);
  const times = { startedAt: interviewAt.toISOString(), completedAt: interviewAt.toISOString() };
  const responses = { born: bornFor(interviewAt), size: 3, school: 'A', age: 99, isAdult: true, double: 7 };
  const { body } = await send({ responses, ...times }).expect(201);
  expect(body.responses).toEqual({ ...responses, age: 17, isAdult: false, double: 6 });
  expect(body.takesPart).toBe(false);
});

test('a calculated value knows whether the person came with a coupon, also after a correction', async () => {
  const definition = {
    calculatedValues: [{ name: 'walkIn', expression: "{cameWithCoupon} = 'no'", includeIntoResult: true }],
    elements: [{ type: 'text', inputType: 'number', name: 'size' }],
  };
  const form = { name: 'Walk-ins', definition, networkSizeQuestion: 'size', takesPartIf: '{walkIn} = false' };
  const { id } = (await cast.admin.post('/api/questionnaires', form).expect(201)).body;
  for (const [referralCode, walkIn] of [
    [await seedCode(cast), false],
    [null, true],
  ]) {
    const { body } = await send({ questionnaire: id, referralCode, responses: { size: 3 } }).expect(201);
    expect(body.responses).toEqual({ size: 3, walkIn });
    expect([body.takesPart, body.issuedCodes.length > 0]).toEqual(
      walkIn ? [false, false] : [undefined, true],
    );
    const changed = await cast.volunteer
      .patch(`/api/surveys/${body.id}`, { responses: { size: 4 } })
      .expect(200);
    expect(changed.body.responses).toEqual({ size: 4, walkIn });
  }
});

test('calculated values are added if an older app does not send them', async () => {
  const { body } = await send({ responses: { born: '1990-05-01', size: 3 } }).expect(201);
  expect(body.responses).toMatchObject({ isAdult: true, double: 6 });
  expect(body.responses.age).toBeGreaterThan(30);
  expect(body.responses).not.toHaveProperty('helper');
  expect(body).not.toHaveProperty('takesPart');
});

test('calculated values are recomputed when answers change, and left out if not computable', async () => {
  const { body } = await send({ responses: { born: '1990-05-01', size: 3 } }).expect(201);
  const path = `/api/surveys/${body.id}`;
  const changed = await cast.volunteer.patch(path, { responses: { size: 5, age: 3 } }).expect(200);
  expect(changed.body.responses).toEqual({ size: 5, isAdult: false, double: 10 });
});

test('an unfinished interview stores no calculated values; completing it adds them', async () => {
  const unfinished = { responses: { born: '1990-05-01', size: 3, age: 99 }, status: 'IN_PROGRESS' };
  const { body } = await send(unfinished).expect(201);
  expect(body.responses).toEqual({ born: '1990-05-01', size: 3 });
  const completion = await cast.volunteer
    .patch(`/api/surveys/${body.id}`, { status: 'COMPLETED' })
    .expect(200);
  expect(completion.body.responses).toMatchObject({ isAdult: true, double: 6 });
});

test('a validation rule with today() uses the interview date', async () => {
  const interviewAt = noon(30);
  const times = { startedAt: interviewAt.toISOString(), completedAt: interviewAt.toISOString() };
  const answers = { born: '1990-05-01', size: 3 };
  await send({ responses: { ...answers, seen: dayOf(interviewAt) }, ...times }).expect(201);
  await send({ responses: { ...answers, seen: dayOf(noon(10)) }, ...times }).expect(400);
});
