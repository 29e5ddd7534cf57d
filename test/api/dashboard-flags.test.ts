import type { Body } from '../make.ts';
import { type Cast, castOfFile, DAY, refused, reserve, seedCode, submit, unknownCode } from './kit.ts';

const cast = castOfFile();

test('surveys can be filtered by one flag or any, among those the caller may read', async () => {
  const code = await seedCode(cast);
  await submit(cast, { referralCode: code });
  const twice = await submit(cast, { referralCode: code, onCodeProblem: 'FLAG' });
  const lost = await submit(cast, { referralCode: unknownCode(), onCodeProblem: 'FLAG' });
  const [reserved] = await reserve(cast.manager, 1);
  const pending = await submit(cast, { referralCode: reserved });
  const list = async (by: Cast['root'], flag: string): Promise<string[]> =>
    (await by.get(`/api/surveys?flag=${flag}&limit=2`).expect(200)).body.data.map((one: Body) => one.id);
  expect(await list(cast.root, 'REFERRAL_CODE_USED')).toEqual([twice.id]);
  expect(await list(cast.root, 'RECRUITER_PENDING')).toEqual([pending.id]);
  expect(await list(cast.root, 'SECOND_COPY')).toEqual([]);
  expect(await list(cast.root, 'any')).toEqual([pending.id, lost.id]);
  expect(await list(cast.volunteer, 'REFERRAL_CODE_USED')).toEqual([twice.id]);
  refused(await cast.root.get('/api/surveys?flag=odd'), 400, 'INVALID_QUERY');

  await cast.manager.patch(`/api/surveys/${twice.id}`, { clearFlags: ['REFERRAL_CODE_USED'] }).expect(200);
  expect(await list(cast.root, 'REFERRAL_CODE_USED')).toEqual([]);
  cast.world.clock.advance(2 * DAY);
  expect(await list(cast.admin, 'any')).toEqual([]);
  cast.world.clock.real();
});
