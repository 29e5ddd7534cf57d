/** Parses the text of a situation (table.ts) and creates the records it describes. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { GRANTABLE_SUBJECTS } from '../../src/platform/rights/names.ts';
import { Grant } from '../../src/study/users/schema.ts';
import { insertSurvey } from '../make.ts';
import type { ApprovalStatus, Person, PersonOptions, Role, World } from '../people.ts';

/** Two sites and the times of a scene. Records of today are created at `today`, of yesterday at `yesterday`. */
export interface Scene {
  world: World;
  here: string;
  there: string;
  now: Date;
  today: Date;
  yesterday: Date;
}

export interface Situation {
  text: string;
  caller: Person;
  callerRole: Role;
  scene: Scene;
  own: boolean;
  /** When the record was created. */
  at: Date;
  /** Where the record is; null for "no site". */
  site: string | null;
  /** The other user's role. */
  role: Role;
}

const ALL_GRANTS = GRANTABLE_SUBJECTS.flatMap((subject) =>
  Grant.shape.action.options.map((action) => ({ action, subject, conditions: [] })),
);

export async function situation(scene: Scene, callerRole: Role, text: string): Promise<Situation> {
  const caller = await scene.world.person({
    role: callerRole,
    location: text.includes('caller without a site') ? null : scene.here,
    // Later than every record of the scene, so that an own survey at another site does not move the caller.
    locationAssignedAt: scene.now,
    createdAt: new Date(scene.yesterday.getTime() - 86_400_000),
    permissions: text.includes('all granted') ? ALL_GRANTS : [],
  });
  return {
    text,
    caller,
    callerRole,
    scene,
    own: /\bown\b/.test(text),
    at: text.includes('yesterday') ? scene.yesterday : scene.today,
    site: siteOf(scene, text),
    role: (/\b(SUPER_ADMIN|ADMIN|MANAGER|VOLUNTEER)\b/.exec(text)?.[1] ?? 'VOLUNTEER') as Role,
  };
}

function siteOf(scene: Scene, text: string): string | null {
  if (text.includes('no site')) return null;
  return text.includes('other site') ? scene.there : scene.here;
}

/** The user of the situation: the caller for "self". */
export async function otherUser(s: Situation, approvalStatus: ApprovalStatus = 'PENDING'): Promise<Person> {
  if (/\bself\b/.test(s.text)) return s.caller;
  const options: PersonOptions = { role: s.role, approvalStatus, location: s.site, createdAt: s.at };
  return s.scene.world.person(options);
}

/** The survey of the situation; its id. */
export async function survey(s: Situation): Promise<string> {
  const { world, here } = s.scene;
  const author = s.own ? s.caller : await world.person({ role: 'VOLUNTEER', location: here });
  return insertSurvey(world, { createdBy: author.id, location: s.site ?? here, createdAt: s.at });
}

const collection = (name: string) => mongoose.connection.collection(name);

/** A seed created at the situation's time by its person; its id and code. */
export async function seed(s: Situation): Promise<{ id: string; referralCode: string }> {
  const { world, here } = s.scene;
  const author = s.own ? s.caller : await world.person({ role: 'ADMIN', location: here });
  const { body } = await author.post('/api/seeds', { location: s.site ?? here }).expect(201);
  // Not by the clock, which all roles share, because they act at the same time.
  const _id = new mongoose.Types.ObjectId(body.id as string);
  await collection('seeds').updateOne({ _id }, { $set: { createdAt: s.at } });
  return body;
}

export async function approvalStatusOf(userId: string): Promise<ApprovalStatus> {
  const user = await collection('users').findOne({ _id: new mongoose.Types.ObjectId(userId) });
  return user?.approvalStatus;
}

/** A read token of a program; its id. */
export async function readToken(): Promise<string> {
  const _id = new mongoose.Types.ObjectId();
  await collection('readtokens').insertOne({
    ...{ _id, name: 'R', hash: randomUUID(), scopes: ['RESULTS'], expiresOn: '2100-01-01' },
    ...{ expiresAt: new Date('2100-01-02'), lastUsedAt: null, createdBy: new mongoose.Types.ObjectId() },
    ...{ createdAt: new Date(), deletedAt: null },
  });
  return String(_id);
}

export const deviceReport = () => ({
  ...{ device: randomUUID(), appVersion: '1.0.0', drafts: 0, unsent: 1, refused: 0 },
  ...{ oldestUnsentAt: null, codesLeft: 0, persisted: null },
});
