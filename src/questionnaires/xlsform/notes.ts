/**
 * What is told of a form that comes or goes as XLSForm: what was left out or taken for something else, and why a form
 * can not be read, each with its sheet and row as a spreadsheet numbers them. Browser-safe.
 */
import type { FaultCode, Params } from '../../http/faults.ts';

/** Why nothing can be made of the file. */
const FATAL = {
  NOT_XLSX: 'This is no .xlsx file.',
  XLS_OLD: 'This is an .xls file from an older Excel. Open it, save it as .xlsx, and choose the new file.',
  HAS_PASSWORD: 'This file has a password. Open it, remove the password, save it, and choose it again.',
  FILE_TOO_LARGE: 'The file is too large: {{what}}, where {{most}} are taken.',
  FILE_TOO_SLOW: 'The file takes too long, or too much memory, to be read.',
  NO_SHEET: 'The sheet {{name}} is missing.',
  NO_COLUMN: 'The column {{column}} is missing.',
  TYPE_UNKNOWN: 'There is no type {{type}}.',
  NAME_MISSING: 'A name is missing.',
  NAME_TAKEN: '{{name}} is named twice; capitals make no difference.',
  LIST_UNNAMED: 'The type lacks the name of its list of choices.',
  LIST_MISSING: 'The sheet choices has no list {{list}}.',
  CHOICE_UNNAMED: 'A choice has no name.',
  GROUP_OPEN: 'The group or repeat {{name}} has no end.',
  GROUP_END: 'Nothing that could end here has begun.',
  GROUPS_DEEP: 'Groups are nested more than {{most}} deep.',
} as const;

/** What was left out of a form that came as a file. */
const OF_IMPORT = {
  TYPE_LEFT_OUT: 'Questions of type {{type}} have no counterpart; {{name}} is left out.',
  METADATA: '{{type}} is not needed: the service keeps such facts by itself.',
  GRID_HEAD: '{{name}} only shows the choices above a table, which shows them here by itself.',
  NAME_TWICE: '{{from}} stands in several groups; here it is called {{name}}.',
  DAY_MORE: '{{column}} allows one day more: the phone and the service may not have the same day.',
  TYPE_AS: '{{name}} of type {{from}} is asked as {{to}}.',
  CALCULATED: '{{name}} is calculated during the interview and stored with the answers.',
  NO_FORMULA: '{{name}} has nothing to work out and is left out.',
  COLUMN_UNKNOWN: 'The column {{column}} is not used.',
  CELL_LEFT_OUT: '{{column}} has no counterpart and is left out.',
  MEDIA: '{{column}}: files from elsewhere are not loaded.',
  APPEARANCE: 'The appearance {{value}} is left out.',
  PARAMETER: 'The parameter {{value}} is left out.',
  PLACE_EMPTY: '{{column}} quotes the answer to {{name}}, which is not asked here; it shows … instead.',
  CHOICE_HIDDEN: 'The choice {{name}} is never shown at {{question}}: the filter finds nothing in its row.',
  GUIDANCE_SHOWN:
    'guidance_hint is shown below the question, after its hint, to whoever looks at the screen.',
  MESSAGE_UNUSED: 'The message of the constraint is not used: the form says it in its own words.',
  CHOICES_SAME: 'The list {{list}} has the choice {{name}} twice; the first one is taken.',
  LIST_UNUSED: 'No question uses the list {{list}}.',
  LANGUAGE_UNKNOWN: 'The language of the column {{column}} is not known; its texts are left out.',
  LANGUAGE_DEFAULT: 'The language of the column {{column}} is not known; its texts stand for all languages.',
  LANGUAGE_TWICE: 'The column {{column}} has a language that another column has already.',
  SHEET_UNUSED: 'The sheet {{name}} is not used.',
  SETTING_LEFT_OUT: 'The setting {{name}} has no counterpart and is left out.',
  SETTING_OWN: '{{name}} is left out: the service numbers the versions by itself.',
  GROUP_EMPTY: 'The group {{name}} is empty and is left out.',
  NOT_IN_GROUPS: 'The questions outside of groups stand on one page, {{name}}.',
  EXTERNAL_LIST: 'The choices of {{name}} stand in a file of their own, which is not loaded.',
} as const;

/** Of a rule, either way; it is left out whole. */
const OF_RULES = {
  RULE_UNREADABLE: '{{column}} cannot be read and is left out: {{text}}',
  RULE_FUNCTION: '{{column}} is left out: {{name}} has no counterpart.',
  RULE_NAME: '{{column}} is left out: there is no question {{name}}.',
  RULE_TWICE: '{{column}} is left out: several questions are called {{name}}.',
  RULE_TIME:
    '{{column}} is left out: {{name}} is another when the service judges the answers, and they could be refused.',
  RULE_OUTSIDE: '{{column}} is left out: {{name}} stands in another repeat.',
  RULE_LONG: '{{column}} is left out: it has more than {{most}} characters, or too many parentheses.',
} as const;

/** What was left out of a questionnaire that goes as a file. */
const OF_EXPORT = {
  KIND_LEFT_OUT: '{{name}} is left out: the kind {{kind}} has no counterpart.',
  KIND_AS: '{{name}} of the kind {{kind}} goes as {{type}}.',
  PROPERTY_LEFT_OUT: '{{property}} of {{name}} has no counterpart and is left out.',
  SETTING_OUT: '{{property}} of the questionnaire has no counterpart and is left out.',
  NAME_CHANGED: '{{from}} is called {{name}} in the file.',
  CHOICE_CHANGED: 'The choice {{from}} of {{name}} is called {{to}} in the file.',
  CHOICES_TEXT: 'The choices of {{name}} are numbers or yes and no; in the file they are text.',
  MARKUP_LOST: 'The text of {{name}} loses some of its form.',
  PLACE_LEFT: 'The text of {{name}} has {{place}}, which no question of the form fills in.',
  MESSAGES_ONE: '{{name}} has several messages; a constraint has one.',
  WARNING_LEFT_OUT: '{{name}} warns and lets the answer stand; a constraint cannot, so it is left out.',
  TITLE_ONE: 'The title stands in one language only.',
} as const;

export const XLSFORM_WORDS = { ...FATAL, ...OF_IMPORT, ...OF_RULES, ...OF_EXPORT } as const;
export type NoteCode = keyof typeof XLSFORM_WORDS;

/** What makes no difference to what is asked and answered. */
const HARMLESS: readonly string[] = [
  'METADATA',
  'GRID_HEAD',
  'NAME_TWICE',
  'DAY_MORE',
  'TYPE_AS',
  'CALCULATED',
  'COLUMN_UNKNOWN',
  'APPEARANCE',
  'GUIDANCE_SHOWN',
  'MESSAGE_UNUSED',
  'LIST_UNUSED',
  'LANGUAGE_DEFAULT',
  'SHEET_UNUSED',
  'SETTING_LEFT_OUT',
  'SETTING_OWN',
  'GROUP_EMPTY',
  'GROUP_END',
  'NOT_IN_GROUPS',
  'MARKUP_LOST',
  'CHOICE_HIDDEN',
] satisfies NoteCode[];

/** What a note tells of, the gravest first. */
export const WEIGHTS = ['RULE', 'QUESTION', 'HARMLESS'] as const;
export type Weight = (typeof WEIGHTS)[number];

export function weightOf({ code }: Pick<Note, 'code'>): Weight {
  if (code.startsWith('RULE_') || code === 'CELL_LEFT_OUT') return 'RULE';
  return HARMLESS.includes(code) ? 'HARMLESS' : 'QUESTION';
}

export interface Note {
  /** Empty where it is said of the whole file. */
  sheet: string;
  /** As a spreadsheet numbers its rows; 0 where it is said of the whole sheet. */
  row: number;
  /** One of these, or a fault of the questionnaire. */
  code: NoteCode | FaultCode;
  message: string;
  params?: Params;
}

export interface Place {
  sheet: string;
  row: number;
}

/** Where something is said of the whole file. */
export const FILE: Place = { sheet: '', row: 0 };
export const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

const LONGEST = 80;
const short = (value: string | number) =>
  typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;

export const filled = (text: string, params: Params): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name]));

export function note({ sheet, row }: Place, code: NoteCode, params: Params = {}): Note {
  const said = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, short(value)]));
  const message = filled(XLSFORM_WORDS[code], said);
  return { sheet, row, code, message, ...(Object.keys(said).length > 0 ? { params: said } : {}) };
}

/** Notes as they are found; who sent a thousand is not helped by more. */
export class Notes {
  readonly all: Note[] = [];
  readonly #most = 1_000;

  add(place: Place, code: NoteCode, params?: Params): void {
    if (this.all.length < this.#most) this.all.push(note(place, code, params));
  }
}
