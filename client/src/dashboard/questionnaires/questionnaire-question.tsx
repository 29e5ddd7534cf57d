/** One question in plain words: its text, how it is answered, and when it is asked. */

import { Tag } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { kindName } from './kind-name.ts';
import { type Condition, readCondition } from './questionnaire-logic.ts';
import {
  calculatedExpressionsOf,
  type QuestionOutline,
  questionsOf,
  textInLanguage,
} from './questionnaire-outline.ts';

/** Names used in conditions: questions and calculated values. */
export interface KnownNames {
  questions: ReadonlyMap<string, QuestionOutline>;
  calculatedValues: ReadonlyMap<string, string>;
}

/** Conditions shown once for the whole page. */
export function PageConditionNote({
  logic,
  knownNames,
}: {
  logic: QuestionOutline['logic'];
  knownNames: KnownNames;
}) {
  const rules = useRules(knownNames)({ required: false, logic });
  return rules.length > 0 ? <div className="note">{rules.join(' · ')}</div> : null;
}

interface QuestionProps {
  question: QuestionOutline;
  knownNames: KnownNames;
  /** Conditions already shown for the page. */
  logicTexts: QuestionOutline['logic'];
  isNetworkSize: boolean;
  isIdentityQuestion: boolean;
}

export function QuestionView({
  question,
  knownNames,
  logicTexts,
  isNetworkSize,
  isIdentityQuestion,
}: QuestionProps) {
  const { t, language } = useDashboardText();
  const { name, type, title, description, choices } = question;
  const hint = textInLanguage(description, language);
  const own = Object.fromEntries(Object.entries(question.logic).filter(([key]) => !(key in logicTexts)));
  const rules = useRules(knownNames)({ ...question, logic: own });
  const items = choices.map(({ value, text }) => ({ value, text: textInLanguage(text, language) }));
  if (question.rest.showOtherItem === 'true') items.push({ value: 'other', text: t('versions.otherChoice') });
  if (question.rest.showNoneItem === 'true') items.push({ value: 'none', text: t('versions.noneChoice') });
  return (
    <li>
      {isNetworkSize ? <Tag tone="info">{t('versions.isNetworkSize')}</Tag> : null}
      {isIdentityQuestion ? <Tag tone="info">{t('versions.isClue')}</Tag> : null}
      {type === 'html' ? (
        <div>{textInLanguage(title, language).replace(/<[^>]*>/g, ' ')}</div>
      ) : (
        <h3>{textInLanguage(title, language)}</h3>
      )}
      {hint ? <div>{hint}</div> : null}
      <div className="note">
        {[kindName(type === 'text' ? (question.rest.inputType ?? type) : type, t), ...rules].join(' · ')}
      </div>
      {items.length > 0 ? (
        <ul className="bullets">
          {items.map(({ value, text }) => (
            <li key={value}>{text}</li>
          ))}
        </ul>
      ) : null}
      <details className="more">
        <summary>
          {t('versions.details')} <span className="hidden-text">{name}</span>
        </summary>
        <div className="note">
          <code>
            {name} · {type}
          </code>
        </div>
        {Object.entries(question.logic).map(([rule, value]) => (
          <div key={rule} className="note">
            <code>
              {rule}: {value}
            </code>
          </div>
        ))}
        {choices.length > 0 ? (
          <div className="note">
            <code>{choices.map(({ value }) => value).join(', ')}</code>
          </div>
        ) : null}
      </details>
    </li>
  );
}

interface Validator {
  text?: QuestionOutline['title'];
  notificationType?: string;
}

/** Describes when a question is asked and what its answer must be. */
function useRules(knownNames: KnownNames) {
  const { t, language } = useDashboardText();
  const say = useConditionDescriber(knownNames);
  return ({ required, logic }: Pick<QuestionOutline, 'required' | 'logic'>): string[] => {
    const lines: string[] = required ? [t('versions.required')] : [];
    for (const [key, value] of Object.entries(logic)) {
      const rule = key.split('.').at(-1);
      const condition = say(value);
      if (rule === 'visibleIf')
        lines.push(condition ? t('versions.askedIf', { condition }) : t('versions.askedSometimes'));
      if (rule === 'requiredIf')
        lines.push(condition ? t('versions.requiredIf', { condition }) : t('versions.requiredSometimes'));
      if (rule === 'min') lines.push(t('versions.atLeast', { value }));
      if (rule === 'max') lines.push(t('versions.atMost', { value }));
      if (rule === 'maxLength') lines.push(t('versions.atMostLetters', { value }));
      if (rule === 'validators') lines.push(...validators(value));
    }
    return lines;
  };
  function validators(json: string): string[] {
    return (JSON.parse(json) as Validator[]).flatMap(({ text, notificationType }) => {
      if (!text) return [];
      const words = textInLanguage(text, language);
      return [t(notificationType === 'warning' ? 'versions.warns' : 'versions.refuses', { words })];
    });
  }
}

/** The eligibility rule, in words if possible, and as stored. */
export function EligibilityRule({ rule, knownNames }: { rule: string; knownNames: KnownNames }) {
  const { t } = useDashboardText();
  // Question titles aren't shortened, because this rule decides who is eligible.
  const condition = useConditionDescriber(knownNames, Number.POSITIVE_INFINITY)(rule);
  return (
    <Card heading={t('versions.takesPartIf')}>
      <div>{condition ? t('versions.takesPartOnly', { condition }) : <code>{rule}</code>}</div>
      <div style={{ marginTop: 8 }}>{t('versions.takesPartElse')}</div>
      {condition ? (
        <details className="more">
          <summary>{t('versions.details')}</summary>
          <div className="note">
            <code>{rule}</code>
          </div>
        </details>
      ) : null}
    </Card>
  );
}

const MAX_ROWS = 60;
const MAX_DEPTH = 3;

export const namesKnownIn = (definition: object): KnownNames => ({
  questions: new Map(questionsOf(definition).map((question) => [question.name, question])),
  calculatedValues: calculatedExpressionsOf(definition),
});

/** Returns null for conditions that can't be described in words. */
export function useConditionDescriber(
  { questions, calculatedValues }: KnownNames,
  max = MAX_ROWS,
): (text: string) => string | null {
  const clipped = (text: string) => (text.length > max ? `${text.slice(0, max - 1)}…` : text);
  const { t, language } = useDashboardText();
  const list = (type: 'conjunction' | 'disjunction', parts: string[]) =>
    new Intl.ListFormat(language, { type }).format(parts);
  const one = ({ question: name, operator, values }: Condition['clauses'][number], depth: number): string => {
    const worked = calculatedValues.get(name);
    const within = worked && operator === 'equal' && values[0] === 'true' ? inWords(worked, depth + 1) : null;
    if (within) return within;
    const outline = questions.get(name);
    const title = outline ? textInLanguage(outline.title, language) : name;
    const question =
      worked || (outline?.type === 'expression' && title === name)
        ? t('versions.result', { name })
        : clipped(title);
    const word = (value: string) => {
      if (value === 'true' || value === 'false') return t(value === 'true' ? 'audit.yes' : 'audit.no');
      const choice = outline?.choices.find((candidate) => candidate.value === value);
      return choice ? textInLanguage(choice.text, language) : value;
    };
    const value = list(
      operator === 'allof' ? 'conjunction' : 'disjunction',
      values.map((each) => t('versions.quoted', { words: clipped(word(each)) })),
    );
    return t(`versions.clause.${operator}`, { question, value });
  };
  const inWords = (text: string, depth: number): string | null => {
    // Calculated values may refer to each other in a circle.
    const condition = depth > MAX_DEPTH ? null : readCondition(text);
    if (!condition) return null;
    const parts = condition.clauses.map((clause) => one(clause, depth));
    return list(condition.join === 'or' ? 'disjunction' : 'conjunction', parts);
  };
  return (text) => inWords(text, 0);
}
