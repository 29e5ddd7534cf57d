import type { Logger } from 'pino';
import { recordRead } from '../audit/record-read.ts';
import type { Actor } from '../rights/actor.ts';
import { load } from '../rights/guard.ts';
import { STUDY_ID } from '../study/model.ts';
import { type SurveyRecord, Surveys } from './model.ts';

const isOthers = ({ user }: Actor, { createdBy }: SurveyRecord) => !user._id.equals(createdBy);

/** The survey; that it was read is in the audit trail, unless the reader made it. */
export async function loadToRead(actor: Actor, id: string, log: Logger): Promise<SurveyRecord> {
  const survey = await load(actor, 'read', Surveys, id);
  const { _id: record, location } = survey;
  if (isOthers(actor, survey)) await recordRead(actor, { subject: 'Survey', record, location }, log);
  return survey;
}

const FILE = { path: 'file', before: null, after: 'surveys' };

/** Records that the reader got interviews of others with their answers, many at once. */
export function listReader(actor: Actor, log: Logger) {
  let ofOthers = false;
  return {
    see(survey: SurveyRecord): void {
      ofOthers ||= isOthers(actor, survey);
    },
    async record(): Promise<void> {
      const list = { subject: 'Export' as const, record: STUDY_ID, location: null, changes: [FILE] };
      if (ofOthers) await recordRead(actor, list, log);
    },
  };
}
