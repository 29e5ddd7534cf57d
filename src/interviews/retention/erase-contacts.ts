/**
 * Erases phone numbers of respondents: a set number of days after their round ended, 400 days after they agreed, or 14
 * days after they replied STOP. Works in batches, so it can be killed at any time and run again.
 */
import type { Types } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { addDays, DAY_MS, isoDateAt } from '../../platform/lib/day.ts';
import { loadRounds, type RoundWithoutSettings } from '../../study/rounds/model.ts';
import { lastDayOfRound } from '../../study/rounds/spans.ts';
import { loadStudy, STUDY_ID, type StudyRecord } from '../../study/settings/model.ts';
import { ContactModel, type ContactRecord, TextedNumberModel } from '../contacts/model.ts';
import { eraseContacts } from '../messages/end.ts';
import { SurveyModel } from '../surveys/model.ts';

const MAX_CONTACT_DAYS = 400;
const DAYS_AFTER_STOP = 14;
const BATCH_SIZE = 500;

/** Returns the number of erased contacts. */
export async function eraseOldContacts(now: Date, zone: string): Promise<number> {
  const [study, rounds] = await Promise.all([loadStudy(), loadRounds()]);
  const today = isoDateAt(now, zone);
  const over = rounds.filter((round) => isRoundOver(round, { study, today, zone })).map(({ _id }) => _id);
  let last: Types.ObjectId | null = null;
  let erased = 0;
  for (;;) {
    const some: ContactRecord[] = await ContactModel.find(last ? { _id: { $gt: last } } : {})
      .sort({ _id: 1 })
      .limit(BATCH_SIZE)
      .lean<ContactRecord[]>();
    if (some.length === 0) break;
    last = some.at(-1)?._id ?? null;
    erased += await eraseSome(await dueContacts(some, over, now), now);
  }
  // Numbers that replied STOP are kept; for others, only today's texts matter.
  const before = addDays(today, -1);
  await TextedNumberModel.deleteMany({ stoppedAt: null, textedOn: { $lt: before } });
  await TextedNumberModel.deleteMany({ stoppedAt: null, textedOn: null });
  return erased;
}

interface Today {
  study: StudyRecord;
  today: string;
  zone: string;
}

function isRoundOver(round: RoundWithoutSettings, { study, today, zone }: Today): boolean {
  const end = lastDayOfRound(round, study, zone);
  return end !== null && addDays(end, study.contactDays) <= today;
}

async function dueContacts(
  some: ContactRecord[],
  over: Types.ObjectId[],
  now: Date,
): Promise<Types.ObjectId[]> {
  const ended = await SurveyModel.find({ _id: { $in: some.map(({ _id }) => _id) }, round: { $in: over } })
    .select({ _id: 1 })
    .lean();
  const isEnded = new Set(ended.map(({ _id }) => String(_id)));
  const isOlder = (at: Date | null, days: number) =>
    at !== null && now.getTime() - at.getTime() >= days * DAY_MS;
  return some.flatMap(({ _id, consentedAt, stoppedAt }) =>
    isEnded.has(String(_id)) || isOlder(consentedAt, MAX_CONTACT_DAYS) || isOlder(stoppedAt, DAYS_AFTER_STOP)
      ? [_id]
      : [],
  );
}

async function eraseSome(surveys: Types.ObjectId[], now: Date): Promise<number> {
  if (surveys.length === 0) return 0;
  return await inTransaction(async (session) => {
    const count = await eraseContacts(session, surveys);
    const changes = [{ path: 'contactsErased', before: null, after: count }];
    const event = { action: 'erase', subject: 'Study', record: STUDY_ID, changes } as const;
    if (count > 0) await audit(session, { by: null, now }, event);
    return count;
  });
}
