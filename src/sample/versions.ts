/** The questionnaire versions that a sample's outcomes come from. */
import { fieldError } from '../http/error-codes.ts';
import { problem } from '../http/problem.ts';
import { type Version, Versions } from '../study-table/versions.ts';

/** The one whose outcomes there are, and those whose choices are joined with its own. */
export interface SampleVersions {
  leading: Version | null;
  /** Further ones of the same questionnaire, the newest first. */
  others: readonly Version[];
}

/** More of one questionnaire are not looked through for choices that it had once. */
const MOST_OTHERS = 20;

/** The active one leads, or the one that the query names, which then stands alone; 400 where that is none. */
export function versionsIn(all: Versions, questionnaire: string | undefined): SampleVersions {
  if (questionnaire !== undefined) {
    const leading = all.get(questionnaire.toLowerCase());
    if (leading) return { leading, others: [] };
    throw problem('INVALID_QUERY', { errors: [fieldError('questionnaire', 'NO_QUESTIONNAIRE')] });
  }
  const leading = all.active === null ? null : all.get(all.active);
  if (!leading) return { leading: null, others: [] };
  const others = all.all
    .filter(({ name, id }) => name === leading.name && id !== leading.id)
    .sort((a, b) => b.number - a.number)
    .slice(0, MOST_OTHERS);
  return { leading, others };
}

const known = new Versions();

/** For requests that need no interviews. */
export async function allVersions(): Promise<Versions> {
  await known.update();
  return known;
}
