/** What each version of a questionnaire lets count. A version never changes, so it is read and judged once. */
import type { Types } from 'mongoose';
import { fieldError } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import type { Countable, Texts } from '../questionnaires/countable.ts';
import { countablesOf } from '../questionnaires/judge.ts';
import { definitionOf, Questionnaires } from '../questionnaires/model.ts';
import { idOf } from '../rights/guard.ts';

export interface Version {
  id: string;
  /** As people call it: its name and number. */
  label: string;
  definition: object;
  /** What the question for the network size says. */
  sizeQuestion: Texts | null;
  /** By the keys under which the answers stand, in the order of the questions. */
  countables: ReadonlyMap<string, Countable>;
}

const KEPT = 50;
const known = new Map<string, Promise<Version | null>>();

export async function versionOf(id: Types.ObjectId): Promise<Version | null> {
  const name = id.toHexString();
  const found = known.get(name);
  if (found) return await found;
  const [oldest] = known.keys();
  if (known.size >= KEPT && oldest !== undefined) known.delete(oldest);
  const read = readVersion(id);
  known.set(name, read);
  try {
    return await read;
  } catch (error) {
    known.delete(name);
    throw error;
  }
}

async function readVersion(id: Types.ObjectId): Promise<Version | null> {
  const found = await definitionOf(id);
  if (!found) return null;
  // Questions that tell who someone is are never counted.
  const { identityQuestions = [] } = found as { identityQuestions?: readonly string[] };
  const countables = (await countablesOf(found.definition)).filter(
    ({ key }) => !identityQuestions.includes(key),
  );
  return {
    id: id.toHexString(),
    label: `${found.name}@${found.version}`,
    definition: found.definition,
    sizeQuestion: countables.find(({ key }) => key === found.networkSizeQuestion)?.title ?? null,
    countables: new Map(countables.map((one) => [one.key, one])),
  };
}

/** The one whose outcomes there are: the active one, or the one that the query names; 400 where that is none. */
export async function leadingVersion(questionnaire: string | undefined): Promise<Version | null> {
  if (questionnaire === undefined) {
    const active = await Questionnaires.findOne({ active: true }, { _id: 1 }).lean<{ _id: Types.ObjectId }>();
    return active && (await versionOf(active._id));
  }
  const version = await versionOf(idOf(questionnaire));
  if (version) return version;
  throw problem('INVALID_QUERY', { errors: [fieldError('questionnaire', 'NO_QUESTIONNAIRE')] });
}
