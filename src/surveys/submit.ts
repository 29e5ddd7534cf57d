/**
 * Storing an interview: once by its clientId, with its place in the recruitment tree and its coupons, all in one
 * transaction. A finished interview is not lost to a code's fault where the sender says FLAG.
 */
import { audit } from '../audit/model.ts';
import { databaseOutOfReach } from '../http/errors.ts';
import { withNewCodes } from '../referral-codes/issue.ts';
import type { Actor } from '../rights/actor.ts';
import { mayCreate } from '../rights/guard.ts';
import { draftOf } from './draft.ts';
import { giveCodes } from './hand-out.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import { originOf } from './redeem.ts';
import { recognise } from './repeat.ts';
import { findReplay } from './replay.ts';
import type { SurveyCreate } from './schema.ts';
import type { Sender } from './sender.ts';
import { linkRecruits } from './tree.ts';

export interface Submitted {
  created: boolean;
  survey: SurveyRecord;
}

export async function submitSurvey(
  actor: Actor,
  body: SurveyCreate,
  identityKey: string,
): Promise<Submitted> {
  const { _id } = actor.user;
  const mayStore = (draft: SurveyRecord) => mayCreate(actor, 'Survey', draft);
  return await storeOnce(
    { owner: _id, by: _id, now: actor.now, zone: actor.zone, identityKey, mayStore },
    body,
  );
}

/**
 * Most interviews come once, so the clientId is not looked up first: of one that is stored already, the unique index
 * refuses the second survey if nothing refuses it before. Then what is stored is the answer, whatever the refusal.
 */
export async function storeOnce(sender: Sender, body: SurveyCreate): Promise<Submitted> {
  try {
    return { created: true, survey: await store(sender, body) };
  } catch (error) {
    if (databaseOutOfReach(error)) throw error;
    const replay = await findReplay(sender, body);
    if (!replay) throw error;
    return { created: false, survey: replay };
  }
}

/** 400 for what it says, 403 for who sends it, 404 or 409 for its codes; then all of it is stored. */
async function store(sender: Sender, body: SurveyCreate): Promise<SurveyRecord> {
  const { draft, brought, study, hashes } = await draftOf(sender, body);
  sender.mayStore(draft);
  const { by, now } = sender;
  // Runs as a whole again after a conflict, so it changes nothing but its own copy of the draft.
  return await withNewCodes(async (session, isFirst) => {
    const origin = await originOf(session, draft, brought, { ...body, isFirst });
    const placed = { ...draft, ...origin.place, flags: [...draft.flags, ...origin.flags] };
    const given = await giveCodes(session, placed, body, { study, ...origin });
    const survey: SurveyRecord = {
      ...placed,
      issuedCodes: given.codes,
      flags: [...placed.flags, ...given.flags],
    };
    if (hashes) {
      const { repeat } = await recognise(session, survey, { hashes, counted: false, now });
      if (repeat) survey.repeat = repeat;
    }
    await Surveys.collection.insertOne(survey, { session });
    await linkRecruits(session, survey, given.recruits, { by, now });
    const { _id: record, location } = survey;
    await audit(session, { by, action: 'create', subject: 'Survey', record, location, at: now });
    return survey;
  });
}
