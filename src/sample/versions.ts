/** The questionnaire versions that a sample's outcomes come from. */
import { fieldError } from '../http/error-codes.ts';
import { problem } from '../http/problem.ts';
import { formulasRead } from '../lib/formulas.ts';
import type { StudyRecord } from '../study/model.ts';
import { type Version, Versions } from '../study-table/versions.ts';

/** More of one questionnaire are not looked through for choices that it had once. */
const MOST_OTHERS = 20;

export type Approved = StudyRecord['approvedFormulas'];

export class SampleVersions {
  /** The one whose outcomes there are. */
  readonly leading: Version | null;
  /** Further ones of the same questionnaire, the newest first, whose choices are joined with its own. */
  readonly others: readonly Version[];
  readonly #all: Versions;
  /** By id, as far as they may be counted. */
  readonly #counted = new Map<string, Version>();
  readonly #approved: ReadonlySet<string>;

  /** The active one leads, or the one that the query names, which then stands alone; 400 where that is none. */
  constructor(all: Versions, questionnaire: string | undefined, approved: Approved) {
    this.#all = all;
    this.#approved = new Set(approved.map(keyOf));
    if (questionnaire !== undefined) {
      this.leading = this.get(questionnaire.toLowerCase());
      this.others = [];
      if (this.leading) return;
      throw problem('INVALID_QUERY', { errors: [fieldError('questionnaire', 'NO_QUESTIONNAIRE')] });
    }
    const active = all.active === null ? null : all.get(all.active);
    this.leading = active && this.get(active.id);
    this.others = all.all
      .filter(({ name, id }) => name === active?.name && id !== active.id)
      .sort((a, b) => b.number - a.number)
      .slice(0, MOST_OTHERS)
      .map(({ id }) => this.get(id)!);
  }

  /** Without calculated answers that nobody has approved. */
  get(id: string): Version | null {
    const known = this.#counted.get(id);
    if (known) return known;
    const version = this.#all.get(id);
    if (!version) return null;
    const countables = [...version.countables].filter(([key]) => this.#isApproved(version, key));
    const counted = { ...version, countables: new Map(countables) };
    this.#counted.set(id, counted);
    return counted;
  }

  /** Whether an expression uses only values that this version calculates as approved. */
  mayCalculate(version: Version, expression: string): boolean {
    return formulasRead(version.definition, expression).every((name) => this.#isApproved(version, name));
  }

  #isApproved({ formulas }: Version, key: string): boolean {
    const name = key.toLowerCase();
    const hash = formulas.get(name);
    return hash === undefined || this.#approved.has(keyOf({ name, hash }));
  }
}

const keyOf = ({ name, hash }: Approved[number]): string => `${hash} ${name}`;

const known = new Versions();

/** For requests that need no interviews. */
export async function allVersions(): Promise<Versions> {
  await known.update();
  return known;
}
