import type { mongo, Types } from 'mongoose';
import type { Logger } from 'pino';
import { recordRead } from '../../../platform/audit/record-read.ts';
import { ANY_FIELD_QUERY_OPTIONS } from '../../../platform/http/lists/page.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import { findRecord, permittedFilter, requireRight } from '../../../platform/rights/guard.ts';
import { STUDY_ID } from '../../../study/settings/model.ts';
import { NOT_DELETED } from '../counted-interviews.ts';
import { SurveyModel, type SurveyRecord } from '../model.ts';

const isOfAnotherPerson = ({ user }: Actor, { createdBy }: Pick<SurveyRecord, 'createdBy'>) =>
  !user._id.equals(createdBy);

/** Records that the caller received the survey with its answers, unless it is their own. */
async function recordSurveyRead(actor: Actor, survey: SurveyRecord, log: Logger): Promise<void> {
  const { _id: record, location } = survey;
  if (isOfAnotherPerson(actor, survey)) await recordRead(actor, { subject: 'Survey', record, location }, log);
}

/** 403 unless the caller may read the survey; records in the audit trail that it was read. */
export async function authorizeSurveyRead(actor: Actor, survey: SurveyRecord, log: Logger): Promise<void> {
  requireRight(actor, 'read', 'Survey', survey);
  await recordSurveyRead(actor, survey, log);
}

/** Loads the survey and records in the audit trail that it was read. */
export async function loadToRead(actor: Actor, id: string, log: Logger): Promise<SurveyRecord> {
  const survey = await findRecord(SurveyModel, id);
  await authorizeSurveyRead(actor, survey, log);
  return survey;
}

/** The given surveys that the caller may read. */
export async function readableSurveyIds(actor: Actor, ids: Types.ObjectId[]): Promise<Set<string>> {
  const readable = { $and: [{ _id: { $in: ids } }, NOT_DELETED, permittedFilter(actor, 'read', 'Survey')] };
  const surveys = await SurveyModel.find(readable, { _id: 1 }).setOptions(ANY_FIELD_QUERY_OPTIONS).lean();
  return new Set(surveys.map(({ _id }) => String(_id)));
}

/** For the reply to a write: if it changed nothing, it has no event in the audit trail and counts as a read. */
export async function recordReadIfUnchanged(actor: Actor, survey: SurveyRecord, log: Logger): Promise<void> {
  if (survey.updatedAt < actor.now) await recordSurveyRead(actor, survey, log);
}

/** Records that the caller used the claim number to see what is due to the person of this survey. */
export async function recordClaimRead(
  actor: Actor,
  { _id: record, location }: Pick<SurveyRecord, '_id' | 'location'>,
  log: Logger,
): Promise<void> {
  const changes = [{ path: 'claim', before: null, after: 'CHECKED' }];
  await recordRead(actor, { subject: 'Survey', record, location, changes }, log);
}

/** Records that the reader received a list or file with the answers of many interviews by others. */
async function recordFileRead(actor: Actor, name: string, log: Logger): Promise<void> {
  const changes = [{ path: 'file', before: null, after: name }];
  await recordRead(actor, { subject: 'Export', record: STUDY_ID, location: null, changes }, log);
}

/** Records that the reader received the history of these surveys, of one or of many at once. Their own don't count. */
export async function recordHistoryRead(actor: Actor, ids: Types.ObjectId[], log: Logger): Promise<void> {
  const ofOthers = { _id: { $in: ids }, createdBy: { $ne: actor.user._id } };
  const [first, second] = await SurveyModel.find(ofOthers).limit(2).lean<SurveyRecord[]>();
  if (second) await recordFileRead(actor, 'audit', log);
  else if (first) await recordSurveyRead(actor, first, log);
}

/**
 * Records, once, that answers in interviews by others were read. `name`: where they were shown, for the audit trail.
 */
export function auditListReads(actor: Actor, name: 'surveys' | 'tree', log: Logger) {
  let ofOthers = false;
  return {
    see(survey: Pick<SurveyRecord, 'createdBy'>): void {
      ofOthers ||= isOfAnotherPerson(actor, survey);
    },
    async record(): Promise<void> {
      if (ofOthers) await recordFileRead(actor, name, log);
    },
  };
}

/** `match`: the interviews in the file. */
export async function recordExportRead(
  actor: Actor,
  { name, match }: { name: string; match: mongo.Document },
  log: Logger,
): Promise<void> {
  const ofOthers = { $and: [match, { createdBy: { $ne: actor.user._id } }] };
  if (await SurveyModel.collection.findOne(ofOthers, { projection: { _id: 1 } }))
    await recordFileRead(actor, name, log);
}
