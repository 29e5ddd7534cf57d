/** What each questionnaire version means for statistics. A version never changes, so it is read once. */
import type { Types } from 'mongoose';
import { type FormulaHashes, formulasUsedIn, hashFormulas } from '../../platform/lib/text/formulas.ts';
import { questionKeysAskedOfAll } from '../../questionnaires/codebook/asked-of-all.ts';
import type { CountableQuestion, TextByLanguage } from '../../questionnaires/codebook/countable.ts';
import {
  cachedQuestionnaire,
  QuestionnaireModel,
  type QuestionnaireRecord,
} from '../../questionnaires/model.ts';
import { codebookOf } from '../../questionnaires/stored-codebook.ts';

export interface QuestionnaireVersion {
  id: string;
  /** The name of its questionnaire. */
  name: string;
  number: number;
  /** The displayed label: its name and number. */
  label: string;
  definition: object;
  /** Answers that it calculates from others. */
  formulas: FormulaHashes;
  networkSizeQuestion: string;
  takesPartIf: string | null;
  /** Equal for versions with the same eligibility criteria: the rule, and the formulas of the values that it uses. */
  eligibility: string | null;
  /** The wording of the network size question. */
  sizeQuestion: TextByLanguage | null;
  /** The keys of the questions that decide who takes part, in lowercase. */
  deciding: ReadonlySet<string>;
  /**
   * The keys of the questions that everyone who takes part is asked and that are about the person, not about
   * recruitment.
   */
  ofAll: ReadonlySet<string>;
  /** The keys of all questions that everyone who takes part is asked and whose answers are kept. */
  askedKeys: readonly string[];
  /** By the key of the answer, in the order of the questions. */
  countables: ReadonlyMap<string, CountableQuestion>;
}

export class QuestionnaireVersions {
  /** By id. */
  readonly #known = new Map<string, QuestionnaireVersion>();
  /** The id of the active one. */
  active: string | null = null;

  get(id: string): QuestionnaireVersion | null {
    return this.#known.get(id) ?? null;
  }

  get all(): QuestionnaireVersion[] {
    return [...this.#known.values()];
  }

  add(version: QuestionnaireVersion): void {
    this.#known.set(version.id, version);
  }

  /** Reads new versions, and which one is active. */
  async update(): Promise<void> {
    const records = await QuestionnaireModel.collection
      .find<Pick<QuestionnaireRecord, '_id' | 'active'>>({}, { projection: { active: 1 } })
      .toArray();
    for (const { _id } of records) {
      const id = _id.toHexString();
      if (this.#known.has(id)) continue;
      const version = await readVersion(_id);
      if (version) this.add(version);
    }
    this.active = records.find(({ active }) => active)?._id.toHexString() ?? null;
  }
}

async function readVersion(_id: Types.ObjectId): Promise<QuestionnaireVersion | null> {
  const [record, codebook] = await Promise.all([cachedQuestionnaire(_id), codebookOf(_id)]);
  if (!record || !codebook) return null;
  const { definition, takesPartIf = null } = record;
  const formulas = hashFormulas(definition);
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
        ...formulasUsedIn(definition, takesPartIf)
          .sort()
          .map((name) => formulas.get(name)),
      ].join(' '),
    deciding: new Set(codebook.deciding),
    ofAll: new Set(codebook.ofAll),
    askedKeys: questionKeysAskedOfAll(codebook.asked, record),
    sizeQuestion: codebook.sizeQuestion,
    countables: new Map(codebook.countables.map((one) => [one.key, one])),
  };
}
