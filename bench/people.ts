/** People as the service stores them, approved unless said otherwise. */

import { newUser } from '../src/study/users/create.ts';
import type { UserRecord } from '../src/study/users/model.ts';
import { tokenOf, withItsDatabase } from '../test/attack/service-process.ts';

type PersonFields = Pick<UserRecord, 'role' | 'phone'> & Partial<UserRecord>;

export const personRecord = (fields: PersonFields, now = new Date()): UserRecord =>
  newUser(
    { firstName: 'Vera', lastName: 'Field', approvalStatus: 'APPROVED', phoneProvedAt: now, ...fields },
    now,
  );

export interface Caller {
  token: string;
  id: string;
}

/** Someone new in the database of a running service. */
export async function insertPerson(dataDir: string, fields: PersonFields): Promise<Caller> {
  const person = personRecord(fields);
  await withItsDatabase(dataDir, (db) => db.collection<UserRecord>('users').insertOne(person));
  return { token: tokenOf(person._id), id: String(person._id) };
}
