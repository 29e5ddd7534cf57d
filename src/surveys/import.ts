/**
 * Interviews that the one who held them can't send any more, brought by someone in charge. Each is stored by itself, as
 * if its owner had sent it with FLAG, whatever has become of the owner's role, site and approval.
 */
import mongoose, { type Types } from 'mongoose';
import { refuseUnstorable } from '../http/body.ts';
import { asProblem } from '../http/errors.ts';
import { plainWords } from '../http/plain-words.ts';
import { fieldProblem, PROBLEMS, type Problem, problem } from '../http/problem.ts';
import { fieldErrors } from '../http/route.ts';
import { asSubject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import { Users } from '../users/model.ts';
import { type ImportResult, SurveyCreate, type SurveyImport } from './schema.ts';
import type { Sender } from './sender.ts';
import { storeOnce } from './submit.ts';

/** A body of the largest size that POST takes, and what stands around it. */
export const IMPORT_BYTES = 2 * 1024 * 1024;

/** Who holds a bad file needs no more to see it. */
const MOST_FAULTS = 10;

/** `unexpected` is told of a failure that is no refusal; the other interviews are stored all the same. */
export async function importSurveys(
  actor: Actor,
  { owner, surveys }: SurveyImport,
  { identityKey, unexpected }: { identityKey: string; unexpected: (error: unknown) => void },
): Promise<{ data: ImportResult[] }> {
  if (!actor.ability.can('import', 'Survey')) throw problem('FORBIDDEN');
  const sender: Sender = {
    owner: await requireOwner(owner),
    by: actor.user._id,
    now: actor.now,
    zone: actor.zone,
    identityKey,
    mayStore: (draft) => {
      if (!actor.ability.can('import', asSubject('Survey', { ...draft }))) throw problem('FORBIDDEN');
    },
  };
  const data: ImportResult[] = [];
  // In turn: a recruiter's interview mostly stands before those of whom it recruited.
  for (const survey of surveys) data.push(await importOne(sender, survey, unexpected));
  return { data };
}

/** A user of the service; one who was deleted too. */
export async function requireOwner(id: string): Promise<Types.ObjectId> {
  const found = await Users.findById(new mongoose.Types.ObjectId(id), { _id: 1 }).lean();
  if (!found) throw fieldProblem('owner', 'NO_USER');
  return found._id;
}

type Body = SurveyImport['surveys'][number];

export async function importOne(
  sender: Sender,
  body: Body,
  unexpected: (error: unknown) => void,
): Promise<ImportResult> {
  const { clientId } = body;
  try {
    refuseUnstorable(body);
    const parsed = SurveyCreate.safeParse({ ...body, onCodeProblem: 'FLAG' }, { error: plainWords });
    if (!parsed.success) throw problem('VALIDATION_ERROR', { errors: fieldErrors(parsed.error) });
    const { created, survey } = await storeOnce(sender, parsed.data);
    return { clientId, status: created ? 201 : 200, id: survey._id, code: null, message: null };
  } catch (error) {
    const refusal = asProblem(error);
    // Later ones would fail alike, and what is stored by now is found again when the whole is sent again.
    if (refusal.name === 'UNAVAILABLE') throw error;
    if (refusal.name === 'INTERNAL') unexpected(error);
    return {
      clientId,
      status: refusal.status,
      id: null,
      code: PROBLEMS[refusal.name].wire ? refusal.name : null,
      message: inOneLine(refusal),
      ...(refusal.why && { reason: refusal.why.code }),
      ...(refusal.params && { params: refusal.params }),
      ...(refusal.errors && { errors: refusal.errors.slice(0, MOST_FAULTS) }),
    };
  }
}

/** One line for a person: which answers are at fault as well. */
function inOneLine({ message, errors = [] }: Problem): string {
  const faults = errors.slice(0, MOST_FAULTS).map((one) => `${one.path}: ${one.message}`);
  return [message, ...faults].join(' ');
}
