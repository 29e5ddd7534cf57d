/**
 * A separate database without the service, for tests that call functions of src/ directly. It is ready within half a
 * second, which the mutation run needs for every mutant. Records are written with as little code as possible.
 */
import { randomUUID } from 'node:crypto';
import mongoose, { type Types } from 'mongoose';
import { abilityFor } from '../src/access/rules/abilities.ts';
import { newReferralCodeRecord } from '../src/coupons/referral-codes/issue.ts';
import { ReferralCodeModel, type ReferralCodeRecord } from '../src/coupons/referral-codes/model.ts';
import { AuditEventModel } from '../src/platform/audit/model.ts';
import { ensureIndexes } from '../src/platform/db/connect.ts';
import type { AppAbility } from '../src/platform/rights/ability.ts';
import type { Grant, Role } from '../src/study/users/schema.ts';
import { connectToEmpty, leave, shapeOf } from './spare-databases.ts';

type Id = Types.ObjectId;

/** The time of all calls. */
export const NOW = new Date('2027-06-15T19:00:00Z');
export const TIME_ZONE = 'America/Los_Angeles';
export const HOUR = 3_600_000;
export const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
export const newId = (): Id => new mongoose.Types.ObjectId();
export const [ME, HERE, THERE] = [newId(), newId(), newId()];

let shape = '';

/** Has the indexes of the models that the test imports. */
export async function openDatabase(): Promise<void> {
  await connectToEmpty('models');
  await ensureIndexes(Object.values(mongoose.models));
  shape = await shapeOf();
}

export const closeDatabase = () => leave('models', shape, 20_000);

export const collection = (name: string) => mongoose.connection.collection(name);

/** An approved volunteer, unless the fields say otherwise. */
export async function storedUser(fields: object = {}): Promise<Id> {
  const _id = newId();
  const user = { _id, role: 'VOLUNTEER', approvalStatus: 'APPROVED', permissions: [], deletedAt: null };
  await collection('users').insertOne({ ...user, phone: String(_id), createdAt: NOW, ...fields });
  return _id;
}

/** A site for new records. */
export const storedLocation = (_id: Id) =>
  collection('locations').insertOne({
    _id,
    name: String(_id),
    type: 'SHELTER',
    createdAt: NOW,
    deletedAt: null,
  });

export const deleteUser = (_id: Id) => collection('users').updateOne({ _id }, { $set: { deletedAt: NOW } });

export async function storedSurvey(createdBy: Id, location: Id, fields: object = {}): Promise<Id> {
  const survey = {
    clientId: randomUUID(),
    createdBy,
    location,
    createdAt: NOW,
    heldAt: NOW,
    deletedAt: null,
  };
  return (await collection('surveys').insertOne({ ...survey, ...fields })).insertedId;
}

/** ME at HERE with the rights of this role and these grants. */
export const able = (role: Role, permissions: Grant[] = []): { ability: AppAbility } => ({
  ability: abilityFor({
    user: { _id: ME, role, permissions },
    location: HERE,
    now: NOW,
    timeZone: TIME_ZONE,
  }),
});

export async function storedCode(fields: Partial<ReferralCodeRecord> = {}): Promise<ReferralCodeRecord> {
  const code = newReferralCodeRecord({ state: 'LIVE', ...fields }, NOW);
  await ReferralCodeModel.collection.insertOne(code);
  return code;
}

export async function storedClosedRound(): Promise<Id> {
  const _id = newId();
  const times = { startsOn: '2027-01-01', endsOn: '2027-02-01', openedAt: later(-99 * HOUR), createdAt: NOW };
  await collection('rounds').insertOne({
    _id,
    name: String(_id),
    state: 'CLOSED',
    closedAt: later(-9 * HOUR),
    ...times,
  });
  return _id;
}

export const codeOf = (code = '') => ReferralCodeModel.findOne({ code }).lean<ReferralCodeRecord>();
export const setState = (code = '', state: ReferralCodeRecord['state'] = 'LIVE') =>
  ReferralCodeModel.collection.updateOne({ code }, { $set: { state } });
export const eventsOf = (record: Id = newId()) => AuditEventModel.find({ record }).lean();

/** The error code, or null. */
export function refusal(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return (error as Error).name;
  }
}
