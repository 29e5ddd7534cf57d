/**
 * All that can be wrong with a field, by its code, in one table: the reply's `errors[].code`, its words in English and
 * the places in them that `params` fill. The client tells it in its reader's language: one more code here is one more
 * text in `faults.json` there. Browser-safe. Two forms of one text: for a `count` of one, and for any other.
 */
const OF_REQUESTS = {
  MISSING: 'This is missing.',
  BODY_MISSING: 'The body is missing.',
  NOT_TEXT: 'This must be a text.',
  NOT_NUMBER: 'This must be a number.',
  NOT_WHOLE: 'This must be a whole number.',
  NOT_BOOLEAN: 'This must be true or false.',
  NOT_LIST: 'This must be a list.',
  NOT_OBJECT: 'This must be an object.',
  OTHER_KIND: 'This must be something else.',
  NOT_THIS: 'This must be {{values}}.',
  NOT_ONE_OF: 'This must be one of {{values}}.',
  TOO_SHORT: ['This must have at least 1 character.', 'This must have at least {{count}} characters.'],
  TOO_LONG: ['This must have at most 1 character.', 'This must have at most {{count}} characters.'],
  TOO_FEW: ['This must have at least 1 entry.', 'This must have at least {{count}} entries.'],
  TOO_MANY: ['This must have at most 1 entry.', 'This must have at most {{count}} entries.'],
  TOO_SMALL: 'This must be at least {{limit}}.',
  TOO_BIG: 'This must be at most {{limit}}.',
  ODD: 'This does not have the right form.',
  UNKNOWN_FIELD: 'This field is not known here.',
  EMPTY: 'this cannot be empty',
  AT_MOST: 'at most {{count}} characters',
  NOT_ONE_LINE: 'one line of plain text',
  NO_CHANGE: 'Name at least one field to change.',
  NOT_ID: 'an id is 24 hexadecimal digits',
  NOT_INSTANT: 'an instant in ISO 8601 with its offset, such as 2026-11-21T18:00:00Z',
  NO_INSTANT: 'there is no such instant',
  NOT_DAY: 'a day, such as 2026-11-21',
  NOT_DAY_OR_INSTANT: 'a day, such as 2026-11-21, or an instant, such as 2026-11-21T18:00:00Z',
  NO_DAY: 'There is no such day.',
  NOT_UUID: 'a UUID',
  NO_PHONE: 'a phone number is needed',
  PHONE_TOO_LONG: 'this is too long for a phone number',
  NOT_EMAIL: 'this is not an email address',
  NOT_OTP: 'the code has 6 digits',
  NOT_LANGUAGE: 'a language tag, such as en or es-MX',
  NOT_ZONE: 'an IANA time zone, such as America/Los_Angeles',
  NOT_LIMIT: 'a whole number from 1 to 200',
  LIMIT_TOO_SMALL: 'at least 1',
  LIMIT_TOO_BIG: 'at most 200',
  NOT_CURSOR: 'This cursor is broken or belongs to another list.',
  NOT_VERSION: 'Give the version in quotes, such as "3", or *.',
  TOO_MANY_VALUES: 'This holds more than {{most}} values.',
  ODD_CHARACTER: 'This text holds a character that is not a character.',
  ENDLESS_NUMBER: 'This number is too large.',
  TOO_DEEP: 'This is nested too deeply.',
  NAME_OF_FIELD: 'A field cannot have this name.',
  SEEDS_OR_UNUSED: 'Give either `seeds` or `unused`.',
  LOCATION_WITH_UNUSED: 'A location goes with `unused`.',
} as const;

const OF_RECORDS = {
  NOT_PHONE: 'This is not a valid phone number. Give it with its country code.',
  PHONE_NOT_TEXTED: 'This number cannot get text messages from us. Use another one.',
  PHONE_NOT_SERVED:
    'Codes are not sent to this number: it is no mobile number, or one of another country. Use another number, or ask the people who run the study.',
  NO_LOCATION: 'There is no such location.',
  NO_USER: 'There is no such user.',
  NO_SURVEY: 'There is no such survey.',
  NO_QUESTIONNAIRE: 'There is no such questionnaire.',
  NONE_ACTIVE: 'None is active; name one.',
  NO_CHOICE_QUESTION: 'The active questionnaire has no choice question of this name.',
  NO_OUTCOME: 'There is no outcome of this name.',
  OTHER_OUTCOME:
    'This question has a different type in {{here}} than in {{elsewhere}}. Only a super admin can ask for one version, with `questionnaire`.',
  OUTCOME_NAME_TAKEN: 'A question, a choice or another outcome has this name.',
  OUTCOME_READS: 'There is no question named {{name}} whose answers can be counted.',
  NOT_A_CATEGORY: 'This needs an outcome whose answers are levels; these are numbers.',
  TOO_MANY_LEVELS:
    'It has more than {{most}} different answers, too many to estimate or compare. Group them first.',
  TOO_MANY_CELLS:
    'The table would have more than {{most}} cells. Choose outcomes with fewer different answers.',
  SIZES_REVERSED: 'The sizes of the population must ascend: at least, about, at most.',
  OWN_RECRUITER: 'It is named as its own recruiter.',
  IN_CIRCLE: 'These recruited each other in a circle: {{ids}}.',
  SIZE_BELOW_ZERO: 'Its network size is below 0.',
  NO_END_YET: 'An interview in progress has no end yet.',
  CODE_NOT_YOURS: 'This code is not one that you can hand out here.',
  CODE_FROM_BELOW: 'This code comes from the survey itself or from someone below it.',
  DAYS_REVERSED: 'The last day is before the first.',
  DAY_IN_FUTURE: 'This day is in the future.',
  KNOWN_BELOW_INTERVIEWS: 'Your own interviews have {{limit}} people with this answer.',
  NAME_TWICE_IN_LIST: 'row {{row}} has this name too',
  NO_COUPON_TEXT: 'The study has no text for coupons in {{language}}; it has {{languages}}.',
  NO_COUPON_TEXTS: 'The study has no text for coupons in {{language}}; it has none.',
  NO_TYPEFACE: 'There is no typeface for these letters: {{letters}}',
  NO_ROOM: 'No room for the whole site “{{site}}”. Choose a larger layout.',
} as const;

/** What of a sheet is not on paper as it should be. */
const OF_PAPER = {
  WORDS_IN_ENGLISH: '“Where to go” and the like stand in English: there are no such words in {{language}}.',
  LETTERS_OF_STUDY: 'No typeface for {{letters}} in the name of the study: left out.',
  LETTERS_OF_CONTACT: 'No typeface for {{letters}} in the contact: left out.',
  LETTERS_OF_TEXT: 'No typeface for {{letters}} in the text for coupons: left out.',
  LETTERS_OF_SITE: 'No typeface for {{letters}} in the name of the site “{{site}}”: left out.',
  LETTERS_OF_ADDRESS: 'No typeface for {{letters}} in the address of the site “{{site}}”: left out.',
  CUT_NAME: 'The name of the study does not fit. Left out: “{{text}}”',
  CUT_VALIDITY: 'The dates of the coupon do not fit. Left out: “{{text}}”',
  CUT_WORDS: 'A heading does not fit. Left out: “{{text}}”',
  CUT_CONTACT: 'The contact does not fit. Left out: “{{text}}”',
  CUT_TEXT: 'The text in {{language}} does not fit. Left out: “{{text}}”',
  NOT_ON_LABELS:
    'Labels have no room for the text for coupons or for addresses. They show the study, dates, sites, and contact.',
  INTERVIEWS_OVER:
    'The interview period on this sheet ended on {{day}}. Check the dates in the study settings.',
  COUPON_DAYS_OVER: 'These coupons expired on {{day}}.',
  SITE_LEFT_OUT: 'No room for this site: {{sites}}.',
  SITES_LEFT_OUT: 'No room for these sites: {{sites}}.',
  MORE_NOTES: 'More is left out than can be told here.',
} as const;

const OF_ANSWERS = {
  ANSWER_NOT_TEXT: 'This must be text.',
  ANSWER_TOO_LONG: 'This can have at most {{count}} characters.',
  ANSWER_TOO_MANY: 'This can have at most {{count}} entries.',
  NO_CHOICE: 'This is not one of the choices.',
  NOT_CHOICES: 'This must be a list of choices.',
  CHOICE_TWICE: 'A choice is named twice.',
  TOO_MANY_CHOICES: 'At most {{count}} choices can be made.',
  CHOICE_ALONE: 'One of these choices can only stand alone.',
  NOT_EITHER: 'This must be {{first}} or {{second}}.',
  NOT_NUMBERS: 'This must be a list of numbers.',
  NOT_ROWS: 'This must be an object with a row for each key.',
  NO_ROW: 'There is no such row.',
  NOT_LINES: 'This must be an object with a line for each key.',
  NO_LINE: 'There is no such line.',
  NOT_PLAIN: 'This must be a plain value.',
  NOT_OBJECTS: 'This must be a list of objects.',
  NO_ANSWER: 'Leave the question out where there is no answer.',
  NOT_KEPT: 'Answers to this kind of question are not kept.',
  NOT_SHOWN: 'This question is not shown with the other answers given, so it can have no answer.',
  NO_REMARK: 'No remark belongs to the answer given.',
  NOT_SUMS: 'This must be an object with the sums.',
  NO_QUESTION: 'The questionnaire has no such question.',
  ANSWER_MISSING: 'Response required.',
  ANSWER_UNFIT: 'This answer does not fit.',
  ANSWERS_UNFIT: 'These answers do not fit the questionnaire.',
  ANSWER_TOO_DEEP: 'This answer is nested too deep.',
  ANSWER_NOT_PLAIN: 'This is not a plain answer.',
  NAME_IN_ANSWER: 'There is a name in it that is not allowed.',
  ANSWERS_TOO_SLOW: 'The questionnaire takes too long to check these answers.',
} as const;

/** Of questionnaires: only who writes one meets these. */
const OF_DEFINITIONS = {
  NOT_DEFINITION: 'The definition must be a JSON object.',
  UNREADABLE: 'The form library cannot read or fill in this definition.',
  TOO_SLOW_TO_READ:
    'Reading and filling in this questionnaire takes more than {{most}} s of processor time, which is the limit.',
  TOO_LARGE_TO_READ:
    'Reading and filling in this questionnaire takes more than {{most}} MB of memory, which is the limit.',
  EXPRESSION_UNREADABLE:
    'The expression {{property}} of {{name}} cannot be read, or it calls a function that does not exist.',
  OWN_EXPRESSION_UNREADABLE:
    'The expression {{property}} of the questionnaire cannot be read, or it calls a function that does not exist.',
  NO_QUESTIONS: 'There must be at least one question.',
  NOT_SIZE_QUESTION: 'This must be the name of a question of type text, best with inputType number.',
  NAME_NOT_TEXT: 'A name must be text.',
  NAME_TWICE: 'Another element has this name already.',
  NAME_LENGTH: 'A name must have 1 to {{count}} characters.',
  NAME_BLANK: 'A name cannot begin or end with a blank.',
  NAME_MARKS: 'A name cannot hold a dot and cannot begin with a dollar sign.',
  NAME_FORBIDDEN: 'This name is not allowed.',
  NAME_ENDING: 'The endings -Comment and -total are kept for remarks and sums.',
  TRIGGER: 'Triggers that end or skip are not supported: give the later pages a visibleIf instead.',
  CHOICES_ELSEWHERE: 'Choices cannot be loaded from another place; list them under choices.',
  SENT_ELSEWHERE: 'Answers are sent to this service alone.',
  KEPT_ELSEWHERE: 'A questionnaire is kept whole in this service; it cannot be loaded from another place.',
  LEADS_AWAY: 'An interview cannot lead to another page.',
  COOKIE: 'One device holds many interviews, so a cookie cannot mark them as done.',
  IDENTIFYING: 'Photos, files and signatures can identify a respondent, so they are no part of the answers.',
  SCRIPT: 'Scripts are not allowed.',
  OTHER_HOST:
    'Addresses of other hosts are not allowed; an image can be given as data:image/png;base64,… instead.',
  TAG: 'Only plain text tags are allowed (p, b, i, ul, li, h3, table and the like), with no attribute but class, lang and dir.',
  DEFINITION_TOO_DEEP: 'The definition is nested more than {{most}} levels deep.',
  DEFINITION_TOO_LARGE: 'The definition is too large.',
  PROPERTY_NAME: 'The definition holds a property with a name that is not allowed.',
  TEXT_LANGUAGE: 'A text is said under default or under a language tag, such as en or es-MX.',
  EXPRESSION_TOO_LONG: 'An expression can have at most {{count}} characters.',
  REFERENCE_UNKNOWN: '“{{name}}” is used here, but there is no such question.',
  GROWS: 'This works out to more than {{most}} references to answers.',
  PATTERN_TOO_LONG: 'A pattern can have at most {{count}} characters.',
  PATTERN_TOO_LARGE: 'This pattern is too large: its counts, such as {1,500}, unfold into too many steps.',
  NO_PATTERN: 'This is not a valid pattern.',
  PATTERN_UNKNOWN:
    'Patterns cannot look ahead or behind, refer back to a group, count over 1,000 or use rare escapes. Write it without, or use an expression instead.',
  TAKES_PART_NAME: 'There is no question or calculated value named {{name}}.',
  TAKES_PART_WORK: 'This takes too much work, together with the calculated values that it reads.',
  TAKES_PART_CIRCLE: 'The calculated value {{name}} reads itself.',
  TAKES_PART_UNREADABLE: 'This cannot be read: {{text}}',
  CLUE_NO_QUESTION:
    '{{name}} must be a question with one answer of its own: a text, a number or one choice, and not the network size.',
  NO_CLUES: 'This questionnaire has no identity questions.',
  CLUE_COUNT: 'Choose none, or {{least}} to {{most}} questions by which a person is known again.',
  CLUE_TWICE: 'This question is named already.',
  CLUE_REQUIRED:
    'The answer to {{name}} is not kept, so the question cannot be required, nor what it stands in.',
  CLUE_USED: 'The answer to {{name}} is not kept, so nothing can read it. It is read at {{place}}.',
  TAKES_PART_FUNCTION:
    '{{name}} cannot be used here in this way: what it says may depend on the day or the device, or takes too much work.',
} as const;

/** Not of a field: why the whole is refused, the reply's `reason`, where its `code` alone would tell less. */
const OF_REFUSALS = {
  LINK_USED: 'This link has been used.',
  FIELDS_REFUSED: 'You may not do this. Refused: {{fields}}.',
  ACCOUNT_STATE: 'The account is {{from}}; from there it cannot become {{to}}.',
  SOME_ANSWERS: 'Some answers are missing or wrong.',
  SURVEY_COMPLETED: 'A completed survey cannot be opened again.',
  CLUES_CHANGED:
    'The identity answers of a completed survey can be changed {{most}} times. Leave them empty to change the rest.',
  SURVEY_HAS_CODE: 'This survey has redeemed a referral code already.',
  CODE_NOT_PRESENTED:
    'Only a survey without a code takes the one that it presented, from the survey that has redeemed it.',
  COPY_KEPT:
    'Another interview is stored under this clientId. This copy is kept beside it, for a person to compare.',
  COPY_NOT_KEPT:
    'Another interview is stored under this clientId. Ten copies are kept beside it, and this one is not.',
  NO_SEED: 'There is no seed {{seed}}.',
  NO_UNUSED_SEED: 'There is no unused seed to print.',
  NO_BATCH: 'There is no batch {{batch}}.',
  BATCH_EMPTY: 'Nothing is left of this batch.',
  RECORD_TOO_LARGE: 'The record would become too large. Nothing was stored.',
  BODY_TOO_LARGE: 'The body is larger than {{most}} MiB.',
  UNFINISHED_TOO_LARGE: 'Answers of an unfinished interview may have {{most}} bytes of JSON at most.',
  SENDING_TOO_MUCH: 'Too much is being sent at once. Wait a little, and send one after the other.',
  PRINTING_ALREADY: 'Files of yours are being printed already. Wait until they are here, then try again.',
  MAKING_ALREADY: 'Files of yours are being made already. Wait until they are here, then try again.',
} as const;

export const FAULTS = {
  ...OF_REFUSALS,
  ...OF_REQUESTS,
  ...OF_RECORDS,
  ...OF_PAPER,
  ...OF_ANSWERS,
  ...OF_DEFINITIONS,
} as const;

type Known = keyof typeof FAULTS;
/** OTHER is what has words alone, such as those that a questionnaire has for a wrong answer. */
export type FaultCode = Known | 'OTHER';
export const FAULT_CODES = [...(Object.keys(FAULTS) as Known[]), 'OTHER'] as const;
type Places<Text> = Text extends `${string}{{${infer Place}}}${infer Rest}` ? Place | Places<Rest> : never;
type Words<Code extends Known> = (typeof FAULTS)[Code] extends readonly (infer Text)[]
  ? Text
  : (typeof FAULTS)[Code];
export type Params = Readonly<Record<string, string | number>>;
type ParamsOf<Code extends Known> = [Places<Words<Code>>] extends [never]
  ? []
  : [params: Readonly<Record<Places<Words<Code>>, string | number>>];

/** What is wrong, without its place. */
export interface Fault {
  code: FaultCode;
  message: string;
  params?: Params;
}

/** One fault of one field; `path` is text with dots, such as `responses.networkSize`. */
export interface FieldError extends Fault {
  path: string;
}

export function fault<Code extends Known>(code: Code, ...[params]: ParamsOf<Code>): Fault {
  const words: string | readonly [string, string] = FAULTS[code];
  const given: Params | undefined = params;
  const text = typeof words === 'string' ? words : words[given?.count === 1 ? 0 : 1];
  if (!given) return { code, message: text };
  return {
    code,
    message: text.replace(/\{\{(\w+)\}\}/g, (_, place: string) => String(given[place])),
    params: given,
  };
}

export const otherFault = (message: string): Fault => ({ code: 'OTHER', message });

export const fieldError = <Code extends Known>(
  path: string,
  code: Code,
  ...params: ParamsOf<Code>
): FieldError => ({ path, ...fault(code, ...params) });
