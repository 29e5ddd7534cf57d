/**
 * All field errors by code: the reply's `errors[].code`, with English messages that are filled with `params`. The
 * client translates them, so a new code needs a text in `faults.json`, or in `dashboard-faults.json` if it is about paper or
 * definitions. A pair of messages is for a `count` of one, and for all others. Browser-safe.
 */
const REQUEST_FAULTS = {
  MISSING: 'This is missing.',
  BODY_MISSING: 'The body is missing.',
  NOT_TEXT: 'This must be text.',
  NOT_NUMBER: 'This must be a number.',
  NOT_WHOLE: 'This must be a whole number.',
  NOT_BOOLEAN: 'This must be true or false.',
  NOT_LIST: 'This must be a list.',
  NOT_OBJECT: 'This must be an object.',
  OTHER_KIND: 'This has the wrong type.',
  NOT_THIS: 'This must be {{values}}.',
  NOT_ONE_OF: 'This must be one of {{values}}.',
  TOO_SHORT: ['This must have at least 1 character.', 'This must have at least {{count}} characters.'],
  TOO_LONG: ['This must have at most 1 character.', 'This must have at most {{count}} characters.'],
  TOO_FEW: ['This must have at least 1 entry.', 'This must have at least {{count}} entries.'],
  TOO_MANY: ['This must have at most 1 entry.', 'This must have at most {{count}} entries.'],
  TOO_SMALL: 'This must be at least {{limit}}.',
  TOO_BIG: 'This must be at most {{limit}}.',
  ODD: 'This has the wrong format.',
  UNKNOWN_FIELD: 'This field is unknown.',
  EMPTY: 'This can’t be empty.',
  AT_MOST: 'Use at most {{count}} characters.',
  NOT_ONE_LINE: 'This must be one line of plain text.',
  NO_CHANGE: 'Change at least one field.',
  NOT_ID: 'This must be an ID of 24 hexadecimal digits.',
  NOT_INSTANT: 'This must be a date and time in ISO 8601 with an offset, such as 2026-11-21T18:00:00Z.',
  NO_INSTANT: 'This date and time doesn’t exist.',
  NOT_DAY: 'This must be a date, such as 2026-11-21.',
  NOT_DAY_OR_INSTANT:
    'This must be a date, such as 2026-11-21, or a date and time, such as 2026-11-21T18:00:00Z.',
  NO_DAY: 'This date doesn’t exist.',
  NOT_WITHIN_DAYS: 'This must be a date from {{from}} to {{to}}.',
  NOT_UUID: 'This must be a UUID.',
  NO_PHONE: 'Enter a phone number.',
  PHONE_TOO_LONG: 'This is too long for a phone number.',
  NOT_EMAIL: 'This isn’t an email address.',
  NOT_OTP: 'The code has 6 digits.',
  NOT_DEVICE: 'This isn’t a device from an earlier sign-in.',
  NOT_LANGUAGE: 'This must be a language tag, such as en or es-MX.',
  NOT_MAIL_OR_WEB: 'This must be an e-mail address, or a web address that begins with https:// or http://.',
  NOT_ZONE: 'This must be an IANA time zone, such as America/Los_Angeles.',
  NOT_LIMIT: 'This must be a whole number from 1 to 200.',
  LIMIT_TOO_SMALL: 'The limit must be at least 1.',
  LIMIT_TOO_BIG: 'The limit must be at most 200.',
  NOT_CURSOR: 'This cursor is invalid or belongs to another list.',
  NOT_VERSION: 'Enter the version in quotes, such as "3", or *.',
  TOO_MANY_VALUES: 'This has more than {{most}} values.',
  ODD_CHARACTER: 'This text contains an invalid character.',
  ENDLESS_NUMBER: 'This number is too large.',
  TOO_DEEP: 'This is nested too deeply.',
  NAME_OF_FIELD: 'A field can’t have this name.',
  NOT_SEALED: 'This can’t be opened, or it was sealed for another interview.',
  IN_CLEAR: 'Leave this out: it belongs to the sealed part.',
  SEEDS_OR_UNUSED: 'Use either `seeds` or `unused`, not both.',
  LOCATION_WITH_UNUSED: 'You can only use `location` together with `unused`.',
} as const;

const RECORD_FAULTS = {
  NOT_PHONE: 'This isn’t a valid phone number. Include the country code.',
  PHONE_NOT_TEXTED: 'We can’t text this number. Use another one.',
  PHONE_NOT_SERVED:
    'We can’t text codes to this number. Use a mobile number in this country, or ask the people who run the study.',
  NO_LOCATION: 'This location doesn’t exist.',
  NO_USER: 'This user doesn’t exist.',
  NO_SURVEY: 'This survey doesn’t exist.',
  UNKNOWN_ROUND: 'This round doesn’t exist.',
  SAME_ROUND: 'Both are of the same round.',
  OTHER_SITE: 'Compare two counts of the same site, or two counts of all sites.',
  NO_QUESTIONNAIRE: 'This questionnaire doesn’t exist.',
  TOO_MANY_TOKENS: 'There can be at most {{most}} read tokens. End one first.',
  TOO_MANY_DRAFTS: 'There can be at most {{most}} unfinished questionnaires. Delete one first.',
  NONE_ACTIVE: 'No questionnaire is active. Specify one.',
  NO_CHOICE_QUESTION: 'The active questionnaire has no choice question with this name.',
  NO_OUTCOME: 'There is no outcome with this name.',
  OTHER_OUTCOME:
    'This question has a different type in {{here}} than in {{elsewhere}}. Only a super admin can request a single version, with `questionnaire`.',
  OUTCOME_NAME_TAKEN: 'A question, choice or other outcome already has this name.',
  NO_CALCULATED_VALUE: 'No questionnaire calculates a value with this name.',
  OUTCOME_READS: 'There is no question named {{name}} with answers that can be counted.',
  NOT_A_CATEGORY: 'This needs an outcome with categories, but the outcome is a number.',
  TOO_MANY_LEVELS:
    'This has more than {{most}} different answers, too many to estimate or compare. Group them first.',
  TOO_MANY_CELLS:
    'The table would have more than {{most}} cells. Choose outcomes with fewer different answers.',
  SIZES_REVERSED: 'The population sizes must be in ascending order: at least, about, at most.',
  OWN_RECRUITER: 'This survey is its own recruiter.',
  IN_CIRCLE: 'These surveys recruited each other in a loop: {{ids}}.',
  SIZE_BELOW_ZERO: 'The network size is below 0.',
  NO_END_YET: 'An interview in progress doesn’t have an end time yet.',
  NOT_BASE64URL: 'This must be base64url, as browsers make it.',
  PASSKEY_OR_CODE: 'Send either the answer of a passkey or a recovery code.',
  NOT_CURRENCY: 'This must be the code of a currency, such as USD.',
  NO_CURRENCY: 'Choose a currency first.',
  NOT_AMOUNT:
    'This must be an amount above 0, at most 10000, with the decimals of its currency, such as 20.00.',
  UNKNOWN_BRACES: 'Between braces a text can only have {study}, {amount}, {sites} or {days}.',
  NOT_TIME: 'This must be a time of day, such as 20:00.',
  SAME_TIMES: 'These hours must begin and end at different times.',
  CARD_WITHOUT_NUMBER: 'A gift card needs a number or a link.',
  CARD_REPEATED: 'This gift card is stored already, or is in the file twice.',
  CARD_EXPIRED: 'This gift card has expired.',
  CARD_METHOD: 'Gift cards are paid with the method GIFT_CARD.',
  NOT_LINK: 'This must be a link that begins with https.',
  CONTACTS_OFF: 'The study doesn’t text anybody.',
  NOT_CASH: 'This must be an amount of 0 or more, with the decimals of its currency, such as 20.00.',
  INCENTIVE_TOO_EARLY: 'An incentive can only be recorded when an interview is completed.',
  STATUS_TOO_EARLY: 'A statusHash can only be set when an interview is completed.',
  NO_SITE_OF_YOURS: 'You have no current site. Send the `location` where you paid.',
  CODE_AND_WALK_IN: 'A walk-in has no coupon: leave out either this or `referralCode`.',
  COUPON_NOT_CLAIM:
    'This is the code of a coupon that was handed out. The person who handed it out is paid with their own claim number: the code they came with, or the number they got at the end of their interview.',
  CODE_NOT_YOURS: 'You can’t hand out this code here.',
  CODE_FROM_BELOW: 'This code came from this survey, or from someone further down its chain.',
  DAYS_REVERSED: 'The last day is before the first day.',
  DAY_IN_FUTURE: 'This date is in the future.',
  KNOWN_BELOW_INTERVIEWS:
    'This must be at least {{limit}}: that many people in your own interviews gave this answer.',
  NAME_TWICE_IN_LIST: 'Row {{row}} has the same name.',
  NO_COUPON_TEXT: 'The study has no coupon text in {{language}}, only in {{languages}}.',
  NO_COUPON_TEXTS: 'The study has no coupon texts yet, so there is none in {{language}}.',
  NO_TYPEFACE: 'These characters can’t be printed: {{letters}}',
  NO_ROOM: 'The site “{{site}}” doesn’t fit. Choose a larger layout.',
} as const;

/** Problems of a printed sheet. */
const PRINT_FAULTS = {
  WORDS_IN_ENGLISH:
    '“Where to go” and other standard texts are in English, because they aren’t translated into {{language}}.',
  LETTERS_OF_STUDY: 'These characters in the study name can’t be printed and are left out: {{letters}}.',
  LETTERS_OF_CONTACT: 'These characters in the contact can’t be printed and are left out: {{letters}}.',
  LETTERS_OF_TEXT: 'These characters in the coupon text can’t be printed and are left out: {{letters}}.',
  LETTERS_OF_SITE:
    'These characters in the site name “{{site}}” can’t be printed and are left out: {{letters}}.',
  LETTERS_OF_ADDRESS:
    'These characters in the address of “{{site}}” can’t be printed and are left out: {{letters}}.',
  CUT_NAME: 'The study name doesn’t fit. Left out: “{{text}}”',
  CUT_VALIDITY: 'The coupon dates don’t fit. Left out: “{{text}}”',
  CUT_WORDS: 'A heading doesn’t fit. Left out: “{{text}}”',
  CUT_CONTACT: 'The contact doesn’t fit. Left out: “{{text}}”',
  CUT_TEXT: 'The text in {{language}} doesn’t fit. Left out: “{{text}}”',
  NOT_ON_LABELS:
    'Labels have no room for coupon texts or addresses. They show the study, dates, sites and contact.',
  INTERVIEWS_OVER:
    'The interview period on this sheet ended on {{day}}. Check the dates in the study settings.',
  COUPON_DAYS_OVER: 'These coupons expired on {{day}}.',
  SITE_LEFT_OUT: 'This site doesn’t fit: {{sites}}.',
  SITES_LEFT_OUT: 'These sites don’t fit: {{sites}}.',
  MORE_NOTES: 'More was left out than can be listed here.',
} as const;

const ANSWER_FAULTS = {
  ANSWER_NOT_TEXT: 'This answer must be text.',
  ANSWER_TOO_LONG: 'This can have at most {{count}} characters.',
  ANSWER_TOO_MANY: 'This can have at most {{count}} entries.',
  NO_CHOICE: 'This isn’t one of the choices.',
  NOT_CHOICES: 'This must be a list of choices.',
  CHOICE_TWICE: 'A choice appears twice.',
  TOO_MANY_CHOICES: 'You can choose at most {{count}}.',
  CHOICE_ALONE: 'One of these choices can’t be combined with others.',
  NOT_EITHER: 'This must be {{first}} or {{second}}.',
  NOT_NUMBERS: 'This must be a list of numbers.',
  NOT_ROWS: 'This must be an object with a row for each key.',
  NO_ROW: 'This row doesn’t exist.',
  NOT_LINES: 'This must be an object with a line for each key.',
  NO_LINE: 'This line doesn’t exist.',
  NOT_PLAIN: 'This must be a single value.',
  NOT_OBJECTS: 'This must be a list of objects.',
  NO_ANSWER: 'If there’s no answer, leave the question out.',
  NOT_KEPT: 'Answers to this type of question aren’t stored.',
  NOT_SHOWN: 'This question isn’t asked, given the other answers, so it can’t have an answer.',
  NO_REMARK: 'This answer can’t have a comment.',
  NOT_SUMS: 'This must be an object with the totals.',
  NO_QUESTION: 'The questionnaire doesn’t have this question.',
  ANSWER_MISSING: 'Response required.',
  ANSWER_UNFIT: 'This answer isn’t valid.',
  ANSWERS_UNFIT: 'These answers don’t match the questionnaire.',
  ANSWER_TOO_DEEP: 'This answer has too many levels.',
  ANSWER_NOT_PLAIN: 'This answer has the wrong format.',
  NAME_IN_ANSWER: 'This answer contains a name that isn’t allowed.',
  ANSWERS_TOO_SLOW: 'The questionnaire takes too long to check these answers.',
} as const;

/** Errors in a questionnaire's definition. */
const DEFINITION_FAULTS = {
  NOT_DEFINITION: 'The definition must be a JSON object.',
  UNREADABLE: 'The form library can’t read or fill in this definition.',
  TOO_SLOW_TO_READ:
    'Reading and filling in this questionnaire takes more than the limit of {{most}} s of processor time.',
  TOO_LARGE_TO_READ:
    'Reading and filling in this questionnaire takes more than the limit of {{most}} MB of memory.',
  EXPRESSION_UNREADABLE:
    'The expression {{property}} of {{name}} can’t be read, or it uses a function that doesn’t exist.',
  OWN_EXPRESSION_UNREADABLE:
    'The expression {{property}} of the questionnaire can’t be read, or it uses a function that doesn’t exist.',
  NO_QUESTIONS: 'Add at least one question.',
  NOT_SIZE_QUESTION: 'This must be the name of a question of type text, preferably with inputType number.',
  NAME_NOT_TEXT: 'A name must be text.',
  NAME_TWICE: 'Another element already has this name.',
  NAME_LENGTH: 'A name must have 1 to {{count}} characters.',
  NAME_BLANK: 'A name can’t start or end with a space.',
  NAME_MARKS: 'A name can’t contain a dot or start with a dollar sign.',
  NAME_FORBIDDEN: 'This name isn’t allowed.',
  NAME_ENDING: 'The endings -Comment and -total are reserved for comments and totals.',
  TRIGGER: 'Triggers that end, skip, show or set a variable aren’t supported. Use visibleIf instead.',
  CHOICES_ELSEWHERE: 'Choices can’t be loaded from another website. List them under choices.',
  SENT_ELSEWHERE: 'Answers can only be sent to this service.',
  KEPT_ELSEWHERE: 'A questionnaire can’t be loaded from another website. It must be complete.',
  LEADS_AWAY: 'An interview can’t link to another page.',
  COOKIE: 'One device is used for many interviews, so a cookie can’t mark them as done.',
  IDENTIFYING: 'Photos, files and signatures can identify a person, so they can’t be part of the answers.',
  SCRIPT: 'Scripts aren’t allowed.',
  OTHER_HOST: 'Addresses of other websites aren’t allowed. Embed images as data:image/png;base64,… instead.',
  TAG: 'Only simple text tags are allowed (p, b, i, ul, li, h3, table and similar), with no attributes except class, lang and dir.',
  DEFINITION_TOO_DEEP: 'The definition is nested more than {{most}} levels deep.',
  DEFINITION_TOO_LARGE: 'The definition is too large.',
  PROPERTY_NAME: 'The definition has a property with a name that isn’t allowed.',
  TEXT_LANGUAGE: 'A text’s key must be default or a language tag, such as en or es-MX.',
  EXPRESSION_TOO_LONG: 'An expression can have at most {{count}} characters.',
  REFERENCE_UNKNOWN: 'This uses “{{name}}”, but there is no such question.',
  GROWS: 'This expands to more than {{most}} references to answers.',
  PATTERN_TOO_LONG: 'A pattern can have at most {{count}} characters.',
  PATTERN_TOO_LARGE: 'This pattern is too large: its counts, such as {1,500}, expand into too many steps.',
  NO_PATTERN: 'This isn’t a valid pattern.',
  PATTERN_UNKNOWN:
    'Patterns can’t look ahead or behind, refer back to a group, count over 1,000 or use rare escapes. Rewrite the pattern, or use an expression instead.',
  TAKES_PART_NAME: 'There is no question or calculated value named {{name}}.',
  TAKES_PART_WORK: 'This takes too much processing, together with the calculated values it uses.',
  TAKES_PART_CIRCLE: 'The calculated value {{name}} refers to itself.',
  TAKES_PART_UNREADABLE: 'This can’t be read: {{text}}',
  CLUE_NO_QUESTION:
    '{{name}} must be a question with a single answer: text, a number or one choice. It can’t be the network size.',
  NO_CLUES: 'This questionnaire has no identity questions.',
  CLUE_COUNT: 'Choose {{least}} to {{most}} identity questions, or none.',
  CLUE_TWICE: 'This question is listed twice.',
  SITE_TWICE: 'This site is listed twice.',
  CLUE_REQUIRED:
    'The answer to {{name}} isn’t stored, so neither the question nor its page or panel can be required.',
  CLUE_USED: 'The answer to {{name}} isn’t stored, so nothing can use it. It’s used in {{place}}.',
  CLUE_INDIRECT:
    '{{name}} can’t be used like this in a questionnaire with identity questions, because it could read their answers, which aren’t stored. A question’s name must stand there in quotation marks.',
  TAKES_PART_FUNCTION:
    'You can’t use {{name}} here in this way: its result can depend on the day or the device, or it takes too much processing.',
} as const;

/** Not about a field: the reply's `reason`, if its `code` alone isn't specific enough. */
const REFUSAL_FAULTS = {
  LINK_USED: 'This link has already been used.',
  FILTER_INVALID: 'A query parameter is unknown or invalid: {{filter}}.',
  FIELDS_REFUSED: 'You don’t have permission to change: {{fields}}.',
  ACCOUNT_STATE: 'The account is {{from}} and can’t change to {{to}}.',
  ONLY_APPROVED: 'Only an approved user can get a sign-in code.',
  PHONE_NOT_PROVED:
    'This phone has never received a code by SMS or call and signed in with it. Only a super-admin can create a sign-in code for it.',
  SECOND_FACTOR_REQUIRED:
    'Confirm with your passkey or a recovery code that it’s you. Without a passkey, add one first.',
  OWN_SIGN_IN_REQUIRED:
    'You signed in with a colleague’s code or before the last update. For this, sign in with a code that was sent to your phone, or with your passkey.',
  TOO_MANY_PASSKEYS: 'You can have at most {{most}} passkeys. Remove one first.',
  MESSAGES_NEED_PROVIDER:
    'In production, texts are sent only with MESSAGE_PROVIDER=twilio. Ask the operator of the server.',
  CARD_GIVEN: 'This gift card was given to somebody. Reopen its payment instead.',
  CARD_MAY_BE_SENT:
    'Nobody knows if this gift card was sent, and it must not be sent twice. Show it to the person instead.',
  PASSKEYS_NEED_HTTPS:
    'Passkeys only work if the service’s address (PUBLIC_URL) begins with https, or is on localhost.',
  CALLER_NEEDS_PASSKEY: 'Add a passkey to your own account first, so that you aren’t locked out.',
  SOME_ANSWERS: 'Some answers are missing or invalid.',
  SURVEY_ERASED: 'The answers of this survey were erased, so you can’t change them.',
  SURVEY_COMPLETED: 'You can’t reopen a completed survey.',
  ROUND_OPEN: 'Another round is open. Close it first.',
  ROUND_IS_CLOSED: 'This round is already closed.',
  ROUND_IS_OPEN: 'This round is already open.',
  LATER_ROUND: 'A later round exists, so this one can’t be reopened.',
  REVIEW_UNFINISHED: 'You can only review a completed survey.',
  REVIEW_NOT_YOURS: 'Only your own last decision can be taken back, while the answers are still the same.',
  CLUES_CHANGED:
    'You can change the identity answers of a completed survey up to {{most}} times. Leave them empty to change the rest.',
  CURRENCY_IN_USE: 'You can’t change the currency, because incentives in {{currency}} have been recorded.',
  PAID_TOO_OFTEN: 'This was paid and reopened too many times.',
  WITHDRAWN_BY_TREE: 'This isn’t owed, because the interview or the recruit doesn’t count.',
  STILL_DUE: 'This is neither paid nor withdrawn.',
  SURVEY_HAS_CODE: 'This survey already has a referral code.',
  CODE_NOT_PRESENTED:
    'A survey can only take over a code that it presented, and only if it has no other code.',
  COPY_KEPT:
    'Another interview is stored under this clientId. This copy was saved too, so that someone can compare them.',
  COPY_NOT_KEPT:
    'Another interview is stored under this clientId. It already has ten copies, so this one was not saved.',
  NO_SEED: 'Seed {{seed}} doesn’t exist.',
  NO_UNUSED_SEED: 'There are no unused seeds to print.',
  NO_BATCH: 'Batch {{batch}} doesn’t exist.',
  BATCH_EMPTY: 'This batch has no coupons left.',
  RECORD_TOO_LARGE: 'The record would be too large. Nothing was saved.',
  FIELD_KEY_UNKNOWN:
    'These answers were sealed for a key that the service doesn’t have. Seal them again for the current key.',
  FRESH_SIGN_IN: 'Sign in again, then repeat this within 10 minutes.',
  BODY_TOO_LARGE: 'The body is larger than {{most}} MiB.',
  UNFINISHED_TOO_LARGE: 'The answers of an unfinished interview can have at most {{most}} bytes of JSON.',
  SENDING_TOO_MUCH: 'You’re sending too much at once. Wait a little, then send one at a time.',
  ACTIVATION_LOSES:
    'Interviews that were already held have answers that this version no longer asks for, or asks differently. Send `confirm: true` to activate it all the same.',
  PRINTING_ALREADY: 'You’re already printing files. Wait until they’re finished, then try again.',
  MAKING_ALREADY: 'You’re already creating files. Wait until they’re finished, then try again.',
} as const;

export const FAULTS = {
  ...REFUSAL_FAULTS,
  ...REQUEST_FAULTS,
  ...RECORD_FAULTS,
  ...PRINT_FAULTS,
  ...ANSWER_FAULTS,
  ...DEFINITION_FAULTS,
} as const;

type SpecificCode = keyof typeof FAULTS;
/** OTHER has only a message, such as a questionnaire's own message for a wrong answer. */
export type FaultCode = SpecificCode | 'OTHER';
export const FIELD_ERROR_CODES = [...(Object.keys(FAULTS) as SpecificCode[]), 'OTHER'] as const;
type Places<Text> = Text extends `${string}{{${infer Place}}}${infer Rest}` ? Place | Places<Rest> : never;
type Words<Code extends SpecificCode> = (typeof FAULTS)[Code] extends readonly (infer Text)[]
  ? Text
  : (typeof FAULTS)[Code];
export type FaultTextParameters = Readonly<Record<string, string | number>>;
type ParamsOf<Code extends SpecificCode> = [Places<Words<Code>>] extends [never]
  ? []
  : [params: Readonly<Record<Places<Words<Code>>, string | number>>];

/** An error without its path. */
export interface CodedError {
  code: FaultCode;
  message: string;
  params?: FaultTextParameters;
}

/** An error of one field; `path` has dots, such as `responses.networkSize`. */
export interface FieldError extends CodedError {
  path: string;
}

/** Fills in the placeholders of a text, such as `{{count}}`. */
export const fillPlaceholders = (text: string, params: Record<string, unknown>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name]));

export function fault<Code extends SpecificCode>(code: Code, ...[params]: ParamsOf<Code>): CodedError {
  const words: string | readonly [string, string] = FAULTS[code];
  const values: FaultTextParameters | undefined = params;
  const text = typeof words === 'string' ? words : words[values?.count === 1 ? 0 : 1];
  if (!values) return { code, message: text };
  return {
    code,
    message: fillPlaceholders(text, values),
    params: values,
  };
}

export const faultWithMessage = (message: string): CodedError => ({ code: 'OTHER', message });

export const fieldError = <Code extends SpecificCode>(
  path: string,
  code: Code,
  ...params: ParamsOf<Code>
): FieldError => ({ path, ...fault(code, ...params) });
