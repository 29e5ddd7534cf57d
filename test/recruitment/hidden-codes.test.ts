/** The code of a coupon that came back is a claim number: the board shows it only to people who may read codes. */
import mongoose from 'mongoose';
import { castOfFile, DAY } from '../api/kit.ts';
import { type Body, makeSeed, makeSurvey } from '../make.ts';

const cast = castOfFile();
const boardOf = async (by: (typeof cast)['manager']) =>
  (await by.get('/api/recruitment/summary').expect(200)).body;

test('a manager sees that a coupon was presented twice, but not which; an admin sees it', async () => {
  const { referralCode } = await makeSeed(cast.world, cast.admin, { location: cast.site });
  await makeSurvey(cast.world, cast.volunteer, { location: cast.site, referralCode });
  await makeSurvey(cast.world, cast.volunteer, { location: cast.site, referralCode, onCodeProblem: 'FLAG' });
  const twice = ({ alerts }: Body) => alerts.find(({ kind }: Body) => kind === 'CODE_PRESENTED_TWICE');
  const printedCode = `${referralCode.slice(0, 4)}-${referralCode.slice(4)}`;
  expect(twice(await boardOf(cast.admin))).toMatchObject({
    referralCode,
    message: expect.stringContaining(printedCode),
  });
  const board = await boardOf(cast.manager);
  expect(twice(board)).toMatchObject({
    referralCode: null,
    message: 'This interview presented a coupon that another interview had already used.',
  });
  for (const text of [referralCode, printedCode]) expect(JSON.stringify(board)).not.toContain(text);
});

test('chains and their alerts name no code to someone who may only read recruitment', async () => {
  const { referralCode, id } = await makeSeed(cast.world, cast.admin, { location: cast.site });
  const survey = await makeSurvey(cast.world, cast.volunteer, { location: cast.site, referralCode });
  const long = new Date(Date.now() - 200 * DAY);
  await mongoose.connection
    .collection('surveys')
    .updateOne({ _id: new mongoose.Types.ObjectId(survey.id) }, { $set: { createdAt: long, heldAt: long } });
  await mongoose.connection.collection('referralcodes').updateMany({}, { $set: { expiresAt: long } });
  const reader = await cast.world.person({
    role: 'VOLUNTEER',
    permissions: [{ action: 'read', subject: 'Recruitment', conditions: [] }],
  });
  const board = await boardOf(reader);
  expect(board.chains.find((one: Body) => one.seed === id)).toMatchObject({ referralCode: null });
  expect(JSON.stringify(board)).not.toContain(referralCode);
  const whole = await boardOf(cast.root);
  expect(whole.chains.find((one: Body) => one.seed === id)).toMatchObject({ referralCode });
  const forestOf = async (by: typeof reader) =>
    (await by.get('/api/recruitment/forest').expect(200)).body.chains.find((one: Body) => one.seed === id);
  expect(await forestOf(reader)).toMatchObject({ referralCode: null });
  expect(await forestOf(cast.root)).toMatchObject({ referralCode });
  const { text } = await reader.get(`/api/recruitment/chains?seed=${id}`).expect(200);
  expect(text).not.toContain(referralCode);
});
