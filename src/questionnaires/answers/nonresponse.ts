/**
 * Lets people skip the network size with a reason. Every estimate needs that number, so questionnaires require it, but an
 * invented number is worse than none. So a second question (named like the first, plus `Missing`) asks for the reason, and
 * the number may then be left out.
 *
 * The included questionnaire has that question; it is added to others here, for the phone and for validation. The stored
 * definition is not changed. Browser-safe.
 */
type Json = Record<string, unknown>;
type Texts = Record<string, string>;

export interface HasNetworkSizeQuestion {
  definition: object;
  networkSizeQuestion: string;
}

const reasonName = (networkSizeQuestion: string): string => `${networkSizeQuestion}Missing`;

const TITLE: Texts = {
  en: 'No number? Choose why:',
  es: '¿No hay número? Elija por qué:',
  ar: 'لا يوجد رقم؟ اختر السبب:',
  ru: 'Нет числа? Выберите причину:',
  vi: 'Không có con số? Hãy chọn lý do:',
  zh: '没有数字？请选择原因：',
};
const REASONS: { value: string; text: Texts }[] = [
  {
    value: 'dontKnow',
    text: {
      en: 'I do not know',
      es: 'No sé',
      ar: 'لا أعرف',
      ru: 'Не знаю',
      vi: 'Tôi không biết',
      zh: '不知道',
    },
  },
  {
    value: 'preferNotToSay',
    text: {
      en: 'Prefer not to say',
      es: 'Prefiero no responder',
      ar: 'أفضّل عدم الإجابة',
      ru: 'Предпочитаю не отвечать',
      vi: 'Không muốn trả lời',
      zh: '不愿回答',
    },
  },
];

/** The questionnaire with the reason question, unless it has one or the network size is not required. */
export const withNoNetworkSizeReason = <T extends HasNetworkSizeQuestion>(questionnaire: T): T => ({
  ...questionnaire,
  definition: addReasonQuestion(questionnaire),
});

function addReasonQuestion({ definition, networkSizeQuestion: name }: HasNetworkSizeQuestion): object {
  const reason = reasonName(name);
  if (namesVariable(definition, reason)) return definition;
  return mapElements(definition, (element) => {
    if (element.name !== name || (element.isRequired !== true && !element.requiredIf)) return [element];
    return [
      makeOptional(element, reason),
      reasonQuestion(element, reason, String((definition as Json).locale ?? 'en')),
    ];
  }) as object;
}

/** Required and validated only until a reason is given. */
function makeOptional(element: Json, reason: string): Json {
  const { isRequired: _always, ...rest } = element;
  const unlessReason = `{${reason}} empty`;
  const requiredIf = element.requiredIf
    ? `(${String(element.requiredIf)}) and ${unlessReason}`
    : unlessReason;
  const { validators } = element;
  if (!Array.isArray(validators)) return { ...rest, requiredIf };
  const checks = (validators as Json[]).map((check) =>
    check.type === 'expression'
      ? { ...check, expression: `{${String(element.name)}} empty or (${String(check.expression)})` }
      : check,
  );
  return { ...rest, requiredIf, validators: checks };
}

/**
 * In the languages of its question only, so that a form in one language doesn't start to offer a second. Texts without
 * a language, or in a language not listed here, are in the form's own language.
 */
function reasonQuestion(element: Json, reason: string, formLanguage: string): Json {
  const { title } = element;
  const languages = typeof title === 'object' && title ? Object.keys(title) : ['default'];
  const say = (texts: Texts) =>
    Object.fromEntries(
      languages.map((code) => {
        const language = code === 'default' ? formLanguage : code;
        return [code, texts[language] ?? texts[language.split('-')[0] ?? ''] ?? texts.en];
      }),
    );
  const unanswered = `{${String(element.name)}} empty`;
  return {
    type: 'radiogroup',
    name: reason,
    title: say(TITLE),
    visibleIf: element.visibleIf ? `(${String(element.visibleIf)}) and ${unanswered}` : unanswered,
    showClearButton: true,
    choices: REASONS.map(({ value, text }) => ({ value, text: say(text) })),
  };
}

/**
 * Puts the question and its reason on one screen when the form shows one question per screen. Otherwise the required
 * question would block the way to the reason.
 */
export function withReasonOnSameScreen({
  definition,
  networkSizeQuestion: name,
}: HasNetworkSizeQuestion): object {
  const reason = reasonName(name);
  return mapElements(definition, (element, siblings, owner) => {
    const isPair = owner !== 'panel' && siblings.some((one) => one.name === reason);
    const number = siblings.find((one) => one.name === name);
    if (!isPair || !number || (element.name !== name && element.name !== reason)) return [element];
    if (element.name === reason) return [];
    const reasonElement = siblings.find((one) => one.name === reason) as Json;
    return [{ type: 'panel', name: `${reason}Screen`, elements: [number, reasonElement] }];
  }) as object;
}

const ELEMENT_LISTS = ['pages', 'elements', 'questions'];

/** Replaces each element with the result of `change`, through pages and panels. */
function mapElements(
  node: unknown,
  change: (element: Json, siblings: Json[], owner: unknown) => Json[],
): unknown {
  const whole = node as Json;
  const lists = ELEMENT_LISTS.filter((key) => Array.isArray(whole[key]));
  if (lists.length === 0) return node;
  const after = lists.map((key) => {
    const children = whole[key] as Json[];
    const inside = children.map((child) => mapElements(child, change) as Json);
    return [key, key === 'pages' ? inside : inside.flatMap((one) => change(one, inside, whole.type))];
  });
  return { ...whole, ...Object.fromEntries(after) };
}

function namesVariable(node: unknown, name: string): boolean {
  const whole = node as Json;
  if (typeof whole !== 'object' || whole === null) return false;
  const isIt = typeof whole.name === 'string' && whole.name.toLowerCase() === name.toLowerCase();
  return (
    isIt ||
    ELEMENT_LISTS.some(
      (key) => Array.isArray(whole[key]) && whole[key].some((one) => namesVariable(one, name)),
    )
  );
}
