import { makeSurvey } from '../make.ts';
import { testConfig, worldOfFile } from '../people.ts';
import { times } from './kit.ts';

const world = worldOfFile({ config: { ...testConfig(), rateLimits: true } });

test('a user can look up 60 claims an hour, including those that are not found', async () => {
  const [person, other] = [await world.person(), await world.person()];
  const { referralCode } = await makeSurvey(world, person);
  const ask = (by: typeof person, code = referralCode) => by.get(`/api/incentives/claim/${code}`);
  for (const at of times(60, (index) => index)) {
    if (at % 2) await ask(person, 'nonsense').expect(404);
    else await ask(person).expect(200);
  }
  await ask(person).expect(429);
  await ask(other).expect(200);
});
