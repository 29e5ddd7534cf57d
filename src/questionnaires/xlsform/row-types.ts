/** The XLSForm question types, and their counterparts here. Browser-safe. */

import type { TextOrTranslations } from './languages.ts';

/** Choice questions; the type is followed by the name of the list. */
export const XLSFORM_CHOICE_TYPES = ['select_one', 'select_multiple', 'rank'] as const;
export type ChoiceQuestionType = (typeof XLSFORM_CHOICE_TYPES)[number];

const PLAIN_TYPES = [
  'text',
  'integer',
  'decimal',
  'date',
  'time',
  'datetime',
  'note',
  'range',
  'calculate',
  'acknowledge',
  'barcode',
] as const;
export type QuestionTypeWithoutChoices = (typeof PLAIN_TYPES)[number];

/** Facts about the interview that the service records anyway. */
const METADATA =
  'start end today starttime endtime deviceid imei simid phonenumber username email audit simserial subscriberid instanceid start-geopoint background-geopoint textaudit speedviolationscount speedviolationslist speedviolationsaudit enumerator'.split(
    ' ',
  );
/** XLSForm types that aren't supported here: pictures, places, files. */
const UNSUPPORTED_TYPES =
  'geopoint geotrace geoshape gps location image photo audio video file background-audio hidden xml-external csv-external osm caseid comments calculate_here sensor_statistic sensor_stream'.split(
    ' ',
  );

const TYPES_WITH_FILES = ['select_one_external', 'select_one_from_file', 'select_multiple_from_file'];

const ALIASES: Record<string, string> = {
  int: 'integer',
  percentage: 'integer',
  string: 'text',
  'date time': 'datetime',
  'select one using': 'select_one',
  'select multiple using': 'select_multiple',
  'select one': 'select_one',
  select1: 'select_one',
  'select one from': 'select_one',
  'select multiple': 'select_multiple',
  'select all that apply': 'select_multiple',
  'select all that apply from': 'select_multiple',
  'select multiple from': 'select_multiple',
  trigger: 'acknowledge',
  acknowledgement: 'acknowledge',
  signature: 'image',
};

export type XlsformRowType =
  | { is: 'list'; type: ChoiceQuestionType; list: string; orOther: boolean }
  | { is: 'plain'; type: QuestionTypeWithoutChoices }
  | { is: 'begin' | 'end'; what: 'group' | 'repeat' }
  | { is: 'begin matrix' | 'end matrix'; type: string }
  | { is: 'metadata' | 'left out' | 'file list'; type: string }
  | { is: 'unknown'; type: string };

export function rowTypeOf(typeText: string): XlsformRowType {
  const text = modernName(typeText.trim().replace(/\s+/g, ' '));
  const lower = text.toLowerCase();
  const [, edge, what] = /^(begin|end)[ _](group|repeat|lgroup|looped group)$/.exec(lower) ?? [];
  if (edge && what) return { is: edge as 'begin' | 'end', what: what === 'group' ? 'group' : 'repeat' };
  const [, side, block] = /^(begin|end)[ _](kobomatrix|score|rank)$/.exec(lower) ?? [];
  if (side && block) return { is: side === 'begin' ? 'begin matrix' : 'end matrix', type: block };
  const listed = listTypeOf(text);
  if (listed) return listed;
  const word = ALIASES[lower] ?? lower;
  const [first = ''] = word.split(' ');
  if (PLAIN_TYPES.includes(word as QuestionTypeWithoutChoices))
    return { is: 'plain', type: word as QuestionTypeWithoutChoices };
  if (METADATA.includes(word.replaceAll('_', '').replaceAll(' ', ''))) return { is: 'metadata', type: text };
  if (METADATA.includes(word)) return { is: 'metadata', type: text };
  if (TYPES_WITH_FILES.includes(first)) return { is: 'file list', type: first };
  if (UNSUPPORTED_TYPES.includes(first)) return { is: 'left out', type: first };
  return { is: 'unknown', type: text };
}

/** Very old forms use types such as "add text prompt", "q text", "get device id", "uri:deviceid". */
const modernName = (text: string) =>
  text
    .replace(/^add (.+?) prompt\b/i, '$1')
    .replace(/^(q|get) /i, '')
    .replace(/^uri:/i, '');

function listTypeOf(text: string): XlsformRowType | null {
  for (const word of [
    ...XLSFORM_CHOICE_TYPES,
    ...Object.keys(ALIASES).filter((one) => one.startsWith('select')),
  ]
    .map((one) => ({ one, type: (ALIASES[one] ?? one) as ChoiceQuestionType }))
    // Longest first: "select one from" before "select one".
    .sort((a, b) => b.one.length - a.one.length)) {
    if (text.toLowerCase() !== word.one && !text.toLowerCase().startsWith(`${word.one} `)) continue;
    const rest = text.slice(word.one.length).trim();
    const list = rest.replace(/(?:^| )(or_other|or other|or specify other)$/i, '');
    const orOther = list !== rest;
    // The choices are answers from a repeat.
    if (list.startsWith('$')) return { is: 'left out', type: text };
    if (/\.(csv|xml|geojson)$/i.test(list)) return { is: 'file list', type: word.type };
    return { is: 'list', type: word.type, list, orOther };
  }
  return null;
}

/** Special choices of survey-core, with its texts for them. */
export const SPECIAL_CHOICES = {
  none: { show: 'showNoneItem', text: 'noneText', words: 'None' },
  refused: { show: 'showRefuseItem', text: 'refuseText', words: 'Refuse to answer' },
  dontknow: { show: 'showDontKnowItem', text: 'dontKnowText', words: "Don't know" },
} as const;
export type SpecialChoiceName = keyof typeof SPECIAL_CHOICES;
export const isSpecialChoice = (name: string): name is SpecialChoiceName =>
  Object.hasOwn(SPECIAL_CHOICES, name);

/** The message for a number that must be whole, as in the included questionnaire. */
const WHOLE_NUMBER_TEXTS: Record<string, string> = {
  en: 'Please give a whole number.',
  es: 'Escriba un número entero.',
  ar: 'أدخل عددًا كاملًا دون كسور من فضلك.',
  ru: 'Укажите целое число.',
  vi: 'Vui lòng cho một số nguyên.',
  zh: '请填一个整数。',
};
const ENGLISH = WHOLE_NUMBER_TEXTS.en ?? '';

export const wholeNumberRule = (name: string) => `{${name}} empty or {${name}} % 1 = 0`;

/** In the form's languages; English for languages that have no text here. */
export function wholeNumberMessage(languages: readonly string[]): TextOrTranslations {
  if (languages.every((language) => language === 'default')) return ENGLISH;
  const others = languages.filter(
    (language) => language !== 'en' && Object.hasOwn(WHOLE_NUMBER_TEXTS, language),
  );
  return Object.fromEntries(
    ['en', ...others].map((language) => [language, WHOLE_NUMBER_TEXTS[language] ?? ENGLISH]),
  );
}

/** Whether it is this message, in any languages. */
export function isWholeNumberMessage(words: unknown): boolean {
  if (words === undefined || words === ENGLISH) return true;
  if (typeof words !== 'object' || words === null) return false;
  return Object.entries(words).every(
    ([language, text]) => text === (WHOLE_NUMBER_TEXTS[language] ?? ENGLISH),
  );
}

/** Default settings of every form here, so they aren't reported. */
export const QUESTIONNAIRE_DEFAULTS = {
  showProgressBar: true,
  showQuestionNumbers: false,
  checkErrorsMode: 'onNextPage',
};

/** For a repeat with a fixed count: the interviewer has no buttons to add or remove entries. */
export const FIXED_REPEAT_PROPERTIES = { allowAddPanel: false, allowRemovePanel: false };
