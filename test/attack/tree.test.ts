/** No race can create a cycle in the recruitment tree. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { type Person, worldOfFile } from '../people.ts';

let site: string;
let ada: Person;
const world = worldOfFile();
beforeAll(async () => {
  site = await world.place();
  ada = await world.person({ role: 'ADMIN', location: site });
});

/** A started interview with a code that it hands out. */
async function survey(fields: object): Promise<{ id: string; code: string }> {
  const { body: block } = await ada.post('/api/referral-codes/blocks', { count: 1 }).expect(201);
  const draft = { location: site, status: 'IN_PROGRESS', responses: {}, issuedCodes: block.codes, ...fields };
  const { body } = await ada.post('/api/surveys', draft).expect(201);
  return { id: body.id, code: body.issuedCodes[0] };
}

const flagged = () => survey({ clientId: randomUUID(), referralCode: 'no code', onCodeProblem: 'FLAG' });

test('two coupons added later cannot form a cycle together', async () => {
  for (let round = 0; round < 12; round++) {
    const [first, second] = [await flagged(), await flagged()];
    const belowFirst = await survey({ referralCode: first.code });
    const belowSecond = await survey({ referralCode: second.code });
    await Promise.all([
      ada.patch(`/api/surveys/${first.id}`, { referralCode: belowSecond.code }),
      ada.patch(`/api/surveys/${second.id}`, { referralCode: belowFirst.code }),
    ]);
    const records = await mongoose.connection
      .collection('surveys')
      .find({ _id: { $in: [first.id, second.id].map((id) => new mongoose.Types.ObjectId(id)) } })
      .toArray();
    expect(records.filter((one) => one.recruiter !== null)).toHaveLength(1);
  }
});
