/** The differences between two versions of a questionnaire, question by question. */
import {
  asksSomething,
  type LocalizedText,
  type QuestionOutline,
  questionsOf,
  textInLanguage,
} from './questionnaire-outline.ts';

type Aspect = 'title' | 'description' | 'type' | 'required' | 'choices' | 'logic' | 'settings' | 'page';

export interface QuestionDifference {
  aspect: Aspect;
  /** Language, choice, or property. */
  of: string;
  before: string | null;
  after: string | null;
}

export interface QuestionChange {
  kind: 'added' | 'removed' | 'changed';
  /** False for a text that is only shown. */
  asks: boolean;
  name: string;
  title: LocalizedText;
  page: LocalizedText;
  differences: QuestionDifference[];
}

export interface DefinitionComparison {
  changes: QuestionChange[];
  /** Number of unchanged questions. */
  unchanged: number;
  /** True if the questions in both versions changed their order. */
  reordered: boolean;
  /** Differences outside of the questions, such as the closing text. */
  settings: QuestionDifference[];
}

const languages = (words: LocalizedText): Record<string, string> =>
  typeof words === 'string' ? { default: words } : words;

/** Compares a text language by language. */
function texts(aspect: Aspect, before: LocalizedText, after: LocalizedText, of = ''): QuestionDifference[] {
  const [was, is] = [languages(before), languages(after)];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys.flatMap((key) => {
    const language = key === 'default' ? 'en' : key;
    return was[key] === is[key]
      ? []
      : [
          {
            aspect,
            of: of ? `${of} · ${language}` : language,
            before: was[key] ?? null,
            after: is[key] ?? null,
          },
        ];
  });
}

function records(
  aspect: Aspect,
  before: Record<string, string>,
  after: Record<string, string>,
): QuestionDifference[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((of) =>
    before[of] === after[of] ? [] : [{ aspect, of, before: before[of] ?? null, after: after[of] ?? null }],
  );
}

function choices(before: QuestionOutline, after: QuestionOutline): QuestionDifference[] {
  const was = new Map(before.choices.map((choice) => [choice.value, choice.text]));
  const is = new Map(after.choices.map((choice) => [choice.value, choice.text]));
  const all = [...new Set([...was.keys(), ...is.keys()])];
  const differences = all.flatMap((value): QuestionDifference[] => {
    const [old, now] = [was.get(value), is.get(value)];
    if (old === undefined && now !== undefined) {
      return [{ aspect: 'choices', of: value, before: null, after: textInLanguage(now, 'en') }];
    }
    if (old !== undefined && now === undefined) {
      return [{ aspect: 'choices', of: value, before: textInLanguage(old, 'en'), after: null }];
    }
    return texts('choices', old ?? '', now ?? '', value);
  });
  const common = (map: Map<string, LocalizedText>, other: Map<string, LocalizedText>) =>
    [...map.keys()].filter((value) => other.has(value)).join(', ');
  const [order, newOrder] = [common(was, is), common(is, was)];
  return order === newOrder
    ? differences
    : [...differences, { aspect: 'choices', of: '', before: order, after: newOrder }];
}

function differencesOf(before: QuestionOutline, after: QuestionOutline): QuestionDifference[] {
  return [
    ...texts('title', before.title, after.title),
    ...texts('description', before.description, after.description),
    ...records('type', { '': before.type }, { '': after.type }),
    ...records('required', { '': String(before.required) }, { '': String(after.required) }),
    ...choices(before, after),
    ...records('logic', before.logic, after.logic),
    ...records('settings', before.rest, after.rest),
    ...records('page', { '': textInLanguage(before.page, 'en') }, { '': textInLanguage(after.page, 'en') }),
  ];
}

function settingTexts(definition: object): Record<string, string> {
  const settings = Object.entries(definition).filter(([key]) => !['pages', 'elements'].includes(key));
  return Object.fromEntries(
    settings.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

export function compareDefinitions(before: object, after: object): DefinitionComparison {
  const was = new Map(questionsOf(before).map((question) => [question.name, question]));
  const is = new Map(questionsOf(after).map((question) => [question.name, question]));
  const changes: QuestionChange[] = [];
  const note = (
    kind: QuestionChange['kind'],
    question: QuestionOutline,
    differences: QuestionDifference[],
  ) => {
    const { name, title, page } = question;
    changes.push({ kind, asks: asksSomething(question), name, title, page, differences });
  };
  let unchanged = 0;
  for (const question of is.values()) {
    const old = was.get(question.name);
    const differences = old ? differencesOf(old, question) : [];
    if (!old) note('added', question, []);
    else if (differences.length > 0) note('changed', question, differences);
    else if (asksSomething(question)) unchanged += 1;
  }
  for (const question of was.values()) if (!is.has(question.name)) note('removed', question, []);
  const common = (map: Map<string, unknown>, other: Map<string, unknown>) =>
    [...map.keys()].filter((name) => other.has(name)).join('\n');
  return {
    changes,
    unchanged,
    reordered: common(was, is) !== common(is, was),
    settings: records('settings', settingTexts(before), settingTexts(after)),
  };
}
