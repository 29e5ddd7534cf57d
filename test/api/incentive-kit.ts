/** Helpers for tests of incentives. */
import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import { type Cast, submit, uuid } from './kit.ts';

export const USD = { currency: 'USD', interview: '20.00', recruit: '10.00', recruitLimit: null };

export async function setIncentives(cast: Cast, incentives: object): Promise<void> {
  await cast.root.patch('/api/study', { incentives }).expect(200);
}

/** Incentives of this survey's person, oldest first. */
export async function owedTo(cast: Cast, survey: string): Promise<Body[]> {
  const { body } = await cast.root
    .get(`/api/incentives?survey=${survey}&sort=createdAt&limit=200`)
    .expect(200);
  return body.data;
}

/** Kind and state as a short text. */
export async function statesOf(cast: Cast, survey: string): Promise<string[]> {
  return (await owedTo(cast, survey)).map(({ kind, state }) => `${kind} ${state}`).sort();
}

/** A participant with the first unused coupon of this survey. */
export async function recruit(cast: Cast, by: Body, at = 0, fields: object = {}): Promise<Body> {
  return await submit(cast, { referralCode: by.issuedCodes[at], ...fields });
}

export const pay = (person: Person, id: string, fields: object = {}) =>
  person.post(`/api/incentives/${id}/pay`, { method: 'CASH', clientId: uuid(), ...fields });
