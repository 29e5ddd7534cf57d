/** What each questionnaire version means for statistics. A version never changes, so it is read once. */
import type { Types } from 'mongoose';
import { type Formulas, formulasIn, formulasReadBy } from '../../platform/lib/text/formulas.ts';
import { keysOnPagesForAll } from '../../questionnaires/codebook/asked-of-all.ts';
import type { Countable, Texts } from '../../questionnaires/codebook/countable.ts';
import { cachedQuestionnaire, type QuestionnaireRecord, Questionnaires } from '../../questionnaires/model.ts';
import { codebookOf } from '../../questionnaires/stored-codebook.ts';

export interface Version {
  id: string;
  /** Of the questionnaire that it is a version of. */
  name: string;
  number: number;
  /** As people call it: its name and number. */
  label: string;
  definition: object;
  /** Answers that it works out from others. */
  formulas: Formulas;
  networkSizeQuestion: string;
  takesPartIf: string | null;
  /** The same text in versions that decide alike who takes part: the rule, and how the values are calculated that it uses. */
  eligibility: string | null;
  /** What the question for the network size says. */
  sizeQuestion: Texts | null;
  /** In lower case, the keys of the questions that say who takes part. */
  deciding: ReadonlySet<string>;
  /** The keys of the questions that all who take part are asked and that say something of them, not of how they came. */
  ofAll: ReadonlySet<string>;
  /** The keys of all questions that all who take part are asked and whose answers are kept. */
  askedKeys: readonly string[];
  /** By the keys under which the answers stand, in the order of the questions. */
  countables: ReadonlyMap<string, Countable>;
}

export class Versions {
  /** By id. */
  readonly #known = new Map<string, Version>();
  /** The id of the active one. */
  active: string | null = null;

  get(id: string): Version | null {
    return this.#known.get(id) ?? null;
  }

  get all(): Version[] {
    return [...this.#known.values()];
  }

  /** Reads those that are new, and which one is active. */
  async update(): Promise<void> {
    const records = await Questionnaires.collection
      .find<Pick<QuestionnaireRecord, '_id' | 'active'>>({}, { projection: { active: 1 } })
      .toArray();
    for (const { _id } of records) {
      const id = _id.toHexString();
      if (this.#known.has(id)) continue;
      const version = await readVersion(_id);
      if (version) this.#known.set(id, version);
    }
    this.active = records.find(({ active }) => active)?._id.toHexString() ?? null;
  }
}

async function readVersion(_id: Types.ObjectId): Promise<Version | null> {
  const [record, codebook] = await Promise.all([cachedQuestionnaire(_id), codebookOf(_id)]);
  if (!record || !codebook) return null;
  const { definition, takesPartIf = null } = record;
  const formulas = formulasIn(definition);
  return {
    id: _id.toHexString(),
    name: record.name,
    number: record.version,
    label: `${record.name}@${record.version}`,
    definition,
    formulas,
    networkSizeQuestion: record.networkSizeQuestion,
    takesPartIf,
    eligibility:
      takesPartIf &&
      [
        takesPartIf,
        ...formulasReadBy(definition, takesPartIf)
          .sort()
          .map((name) => formulas.get(name)),
      ].join(' '),
    deciding: new Set(codebook.deciding),
    ofAll: new Set(codebook.ofAll),
    askedKeys: keysOnPagesForAll(codebook.asked, record),
    sizeQuestion: codebook.sizeQuestion,
    countables: new Map(codebook.countables.map((one) => [one.key, one])),
  };
}
