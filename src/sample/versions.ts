/** What each version of a questionnaire lets count. A version never changes, so it is read and judged once. */
import type { ClientSession, Types } from 'mongoose';
import { fieldError } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { Recent } from '../lib/recent.ts';
import type { Countable, Texts } from '../questionnaires/countable.ts';
import { countablesOf } from '../questionnaires/judge.ts';
import { definitionOf, Questionnaires } from '../questionnaires/model.ts';
import { namesRead, Unusable } from '../questionnaires/takes-part.ts';
import { pagesOf } from '../recruitment/asked-of-all.ts';
import { idOf } from '../rights/guard.ts';

export interface Version {
  id: string;
  /** Of the questionnaire that it is a version of. */
  name: string;
  /** As people call it: its name and number. */
  label: string;
  definition: object;
  /** What the question for the network size says. */
  sizeQuestion: Texts | null;
  /** In lower case, the keys of the questions that say who takes part. */
  deciding: ReadonlySet<string>;
  /** The keys of the questions that all who take part are asked and that say something of them, not of how they came. */
  ofAll: ReadonlySet<string>;
  /** By the keys under which the answers stand, in the order of the questions. */
  countables: ReadonlyMap<string, Countable>;
}

/** Who it was that gave them the coupon: asked where the questionnaire has it. */
export const RELATION = 'recruiterRelation';

const known = new Recent<Promise<Version | null>>(50);

export async function versionOf(id: Types.ObjectId): Promise<Version | null> {
  const name = id.toHexString();
  const found = known.get(name);
  if (found) return await found;
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
  const identityQuestions = found.identityQuestions ?? [];
  const countables = (await countablesOf(found.definition)).filter(
    ({ key }) => !identityQuestions.includes(key),
  );
  return {
    id: id.toHexString(),
    name: found.name,
    label: `${found.name}@${found.version}`,
    definition: found.definition,
    deciding: decidingOf(found),
    ofAll: ofAll(found),
    sizeQuestion: countables.find(({ key }) => key === found.networkSizeQuestion)?.title ?? null,
    countables: new Map(countables.map((one) => [one.key, one])),
  };
}

function ofAll({ definition, networkSizeQuestion }: { definition: object; networkSizeQuestion: string }) {
  const pages = pagesOf(definition);
  const others = pages.filter((names) => !names.includes(networkSizeQuestion));
  return new Set((others.length > 0 ? others : pages).flat().filter((key) => key !== RELATION));
}

function decidingOf({ definition, takesPartIf }: { definition: object; takesPartIf?: string | null }) {
  try {
    return new Set(takesPartIf ? namesRead(definition, takesPartIf).map(({ key }) => key) : []);
  } catch (error) {
    // Written before there were bounds for it.
    if (error instanceof Unusable) return new Set<string>();
    throw error;
  }
}

/** The one whose outcomes there are, and those whose choices are joined with its own. */
export interface Versions {
  leading: Version | null;
  /** Further ones of the same questionnaire, the newest first. */
  others: readonly Version[];
}

/** More of one questionnaire are not looked through for choices that it had once. */
const MOST_OTHERS = 20;

/** The active one leads, or the one that the query names, which then stands alone; 400 where that is none. */
export async function versionsFor(
  questionnaire: string | undefined,
  session: ClientSession | null = null,
): Promise<Versions> {
  if (questionnaire !== undefined) {
    const leading = await versionOf(idOf(questionnaire));
    if (leading) return { leading, others: [] };
    throw problem('INVALID_QUERY', { errors: [fieldError('questionnaire', 'NO_QUESTIONNAIRE')] });
  }
  const active = await Questionnaires.findOne({ active: true }, { _id: 1 })
    .session(session)
    .lean<{ _id: Types.ObjectId }>();
  const leading = active && (await versionOf(active._id));
  if (!leading) return { leading: null, others: [] };
  const same = await Questionnaires.find({ name: leading.name }, { _id: 1 })
    .sort({ version: -1 })
    .limit(MOST_OTHERS + 1)
    .session(session)
    .lean<{ _id: Types.ObjectId }[]>();
  const others: Version[] = [];
  for (const { _id } of same) {
    const version = _id.equals(leading.id) ? null : await versionOf(_id);
    if (version) others.push(version);
  }
  return { leading, others };
}
