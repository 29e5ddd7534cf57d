/**
 * What is told of a form that comes or goes as XLSForm: what was left out or taken for something else, and why a form
 * can not be read, each with its sheet and row as a spreadsheet numbers them. Browser-safe.
 */
import type { FaultCode, Params } from '../../http/error-codes.ts';

/** Why nothing can be made of the file. */
const FATAL = {
  NOT_XLSX: 'This isn’t an .xlsx file.',
  XLS_OLD:
    'This is an .xls file from an older version of Excel. Open it, save it as .xlsx, and choose the new file.',
  HAS_PASSWORD: 'This file has a password. Open it, remove the password, save it, and choose it again.',
  FILE_TOO_LARGE: 'The file is too large: {{what}}. The maximum is {{most}}.',
  FILE_TOO_SLOW: 'Reading the file takes too much time or memory.',
  NO_SHEET: 'The sheet {{name}} is missing.',
  NO_COLUMN: 'The column {{column}} is missing.',
  TYPE_UNKNOWN: 'The type {{type}} doesn’t exist.',
  NAME_MISSING: 'A name is missing.',
  NAME_TAKEN: 'The name {{name}} is used twice. Names that differ only in capitals count as the same.',
  LIST_UNNAMED: 'The type doesn’t name a list of choices.',
  LIST_MISSING: 'The sheet choices doesn’t have the list {{list}}.',
  CHOICE_UNNAMED: 'A choice has no name.',
  GROUP_OPEN: 'The group or repeat {{name}} is never closed.',
  GROUP_END: 'This closes a group or repeat that was never opened.',
  GROUPS_DEEP: 'Groups are nested more than {{most}} levels deep.',
} as const;

/** What was left out of a form that came as a file. */
const OF_IMPORT = {
  TYPE_LEFT_OUT: 'Questions of type {{type}} aren’t supported. {{name}} isn’t imported.',
  METADATA: '{{type}} isn’t needed. The service records this itself.',
  GRID_HEAD: '{{name}} only shows the choices above a table. Tables here show them already.',
  NAME_TWICE: 'Several groups contain {{from}}. This one is renamed to {{name}}.',
  DAY_MORE:
    '{{column}} allows one extra day, because it may be a different day on the phone and the service.',
  TYPE_AS: '{{name}} changes from type {{from}} to {{to}}.',
  CALCULATED: '{{name}} is calculated during the interview and stored with the answers.',
  NO_FORMULA: '{{name}} has no formula and isn’t imported.',
  COLUMN_UNKNOWN: 'The column {{column}} isn’t used.',
  CELL_LEFT_OUT: '{{column}} isn’t supported and isn’t imported.',
  TEXT_COLUMN: 'The column {{column}} isn’t imported. Did you mean {{known}}?',
  MEDIA: '{{column}}: files from elsewhere aren’t loaded.',
  APPEARANCE: 'The appearance {{value}} isn’t imported.',
  PARAMETER: 'The parameter {{value}} isn’t imported.',
  PLACE_EMPTY: '{{column}} refers to the answer to {{name}}, which isn’t asked here. It shows … instead.',
  CHOICE_HIDDEN:
    '{{question}} never shows the choice {{name}}, because the filter doesn’t match anything in its row.',
  GUIDANCE_SHOWN: 'guidance_hint is shown on screen below the question and its hint.',
  MESSAGE_UNUSED: 'The constraint message isn’t used. The form has its own message.',
  CHOICES_SAME: 'The list {{list}} has the choice {{name}} twice. Only the first one is used.',
  LIST_UNUSED: 'No question uses the list {{list}}.',
  LANGUAGE_UNKNOWN: 'The language of the column {{column}} is unknown, so its texts aren’t imported.',
  LANGUAGE_DEFAULT:
    'The language of the column {{column}} is unknown, so its texts are used for all languages.',
  LANGUAGE_TWICE: 'The column {{column}} has the same language as another column.',
  SHEET_UNUSED: 'The sheet {{name}} isn’t used.',
  SETTING_LEFT_OUT: 'The setting {{name}} isn’t supported and isn’t imported.',
  SETTING_OWN: '{{name}} isn’t imported, because the service numbers versions itself.',
  GROUP_EMPTY: 'The group {{name}} is empty and isn’t imported.',
  NOT_IN_GROUPS: 'Questions outside groups are on one page, {{name}}.',
  EXTERNAL_LIST: 'The choices of {{name}} are in a separate file, which isn’t loaded.',
} as const;

/** Of a rule, either way; it is left out whole. */
const OF_RULES = {
  RULE_UNREADABLE: '{{column}} can’t be read and isn’t imported: {{text}}',
  RULE_FUNCTION: '{{column}} isn’t imported: {{name}} isn’t supported.',
  RULE_NAME: '{{column}} isn’t imported: there is no question {{name}}.',
  RULE_TWICE: '{{column}} isn’t imported: several questions are named {{name}}.',
  RULE_TIME:
    '{{column}} isn’t imported: {{name}} changes over time, so the service could reject valid answers.',
  RULE_OUTSIDE: '{{column}} isn’t imported: {{name}} is in another repeat.',
  RULE_COLUMN: 'The column {{column}} isn’t imported. Did you mean {{known}}?',
  RULE_COUNT:
    'The number of entries of {{name}} isn’t imported: {{count}} isn’t a number question. The interviewer adds the entries.',
  RULE_LONG: '{{column}} isn’t imported: it has more than {{most}} characters, or too many parentheses.',
} as const;

/** What was left out of a questionnaire that goes as a file. */
const OF_EXPORT = {
  KIND_LEFT_OUT: '{{name}} isn’t in the file: the type {{kind}} isn’t supported.',
  KIND_AS: '{{name}} changes from type {{kind}} to {{type}}.',
  PROPERTY_LEFT_OUT: '{{property}} of {{name}} isn’t supported and isn’t in the file.',
  SETTING_OUT: '{{property}} of the questionnaire isn’t supported and isn’t in the file.',
  NAME_CHANGED: '{{from}} is named {{name}} in the file.',
  CHOICE_CHANGED: 'The choice {{from}} of {{name}} is named {{to}} in the file.',
  CHOICES_TEXT: 'The choices of {{name}} are numbers or yes/no. In the file they are text.',
  MARKUP_LOST: 'The text of {{name}} loses some formatting.',
  PLACE_LEFT: 'The text of {{name}} contains {{place}}, which doesn’t match any question in the form.',
  MESSAGES_ONE: '{{name}} has several messages, but a constraint can only have one.',
  WARNING_LEFT_OUT:
    '{{name}} shows a warning but accepts the answer. A constraint can’t do that, so it isn’t in the file.',
  TITLE_ONE: 'The title is saved in one language only.',
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
