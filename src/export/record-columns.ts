/**
 * The columns that every interview has, whatever was asked: its place in the tree in the terms of respondent-driven
 * sampling, then where, when and how it was held.
 */
import { dayName } from '../lib/day.ts';
import type { SurveyRecord } from '../surveys/model.ts';
import type { Cell } from './cells.ts';

export interface Around {
  zone: string;
  /** The recruiters that have a row of their own in the file. */
  inFile: ReadonlySet<string>;
  sites: ReadonlyMap<string, string>;
  questionnaires: ReadonlyMap<string, { name: string; version: number }>;
}

export interface RecordColumn {
  name: string;
  text: string;
  read(survey: SurveyRecord, around: Around): Cell | null | undefined;
}

const idOf = (id: unknown): string => (id ? String(id) : '');
const instant = (at: Date | null): string => at?.toISOString() ?? '';

const PLACE: RecordColumn[] = [
  { name: 'id', text: 'The interview.', read: ({ _id }) => idOf(_id) },
  {
    name: 'recruiter_id',
    text: 'The interview whose coupon brought this one; "seed" where that is none of this file.',
    // R's RDS package wants one and the same word for all whose recruiter has no row.
    read: ({ recruiter }, { inFile }) => (inFile.has(idOf(recruiter)) ? idOf(recruiter) : 'seed'),
  },
  {
    name: 'recruited_by',
    text: 'The same, whether or not it is in this file; empty for a seed, and where it is not known.',
    read: ({ recruiter }) => idOf(recruiter),
  },
  {
    name: 'seed_id',
    text: 'The seed that the chain began with; empty where it is not known.',
    read: ({ seed }) => idOf(seed),
  },
  {
    name: 'wave',
    text: '0 for a seed, else one more than of the recruiter; empty where it is not known.',
    read: ({ wave }) => wave,
  },
  {
    name: 'network_size',
    text: 'Network size (personal degree), the number as answered.',
    read: ({ networkSize }) => networkSize,
  },
  { name: 'referral_code', text: 'The coupon that was brought.', read: ({ referralCode }) => referralCode },
];

const couponColumn = (number: number): RecordColumn => ({
  name: `coupon_${number}`,
  text: 'A coupon that was handed out.',
  read: ({ issuedCodes }) => issuedCodes[number - 1],
});

const REST: RecordColumn[] = [
  { name: 'site', text: 'Name of the site.', read: ({ location }, { sites }) => sites.get(idOf(location)) },
  { name: 'site_id', text: 'The site.', read: ({ location }) => idOf(location) },
  { name: 'status', text: 'COMPLETED or IN_PROGRESS.', read: ({ status }) => status },
  {
    name: 'takes_part',
    text: "no: the person declined or was not eligible, by the questionnaire's takesPartIf, or where it has none, by what the device said.",
    read: ({ takesPart }) => (takesPart === false ? 'no' : 'yes'),
  },
  {
    name: 'started_at',
    text: 'When the interview began, by the device; UTC.',
    read: ({ startedAt }) => instant(startedAt),
  },
  {
    name: 'started_day',
    text: "Its calendar day in the study's time zone.",
    read: ({ startedAt }, { zone }) => (startedAt ? dayName(startedAt, zone) : ''),
  },
  {
    name: 'completed_at',
    text: 'When it was completed; UTC.',
    read: ({ completedAt }) => instant(completedAt),
  },
  {
    name: 'created_at',
    text: 'When the service received it; UTC.',
    read: ({ createdAt }) => instant(createdAt),
  },
  {
    name: 'created_day',
    text: "Its calendar day in the study's time zone.",
    read: ({ createdAt }, { zone }) => dayName(createdAt, zone),
  },
  {
    name: 'held_at',
    text: 'By which time it is counted: when it began, or where its clock cannot be right (CLOCK_ODD), when it arrived; UTC.',
    read: ({ heldAt, createdAt }) => instant(heldAt ?? createdAt),
  },
  {
    name: 'held_day',
    text: "Its calendar day in the study's time zone; the day of the recruitment board.",
    read: ({ heldAt, createdAt }, { zone }) => dayName(heldAt ?? createdAt, zone),
  },
  {
    name: 'flags',
    text: 'What a person has yet to look at, with ; between.',
    read: ({ flags }) => flags.map(({ code }) => code).join(';'),
  },
  {
    name: 'questionnaire',
    text: 'Name of the questionnaire.',
    read: ({ questionnaire }, { questionnaires }) => questionnaires.get(idOf(questionnaire))?.name,
  },
  {
    name: 'questionnaire_version',
    text: 'Its version.',
    read: ({ questionnaire }, { questionnaires }) => questionnaires.get(idOf(questionnaire))?.version,
  },
  {
    name: 'interviewer_id',
    text: 'Who held the interview: the id of the account, nothing else.',
    read: ({ createdBy }) => idOf(createdBy),
  },
];

const DELETED: RecordColumn = {
  name: 'deleted_at',
  text: 'When it was deleted; empty for one that is not. UTC.',
  read: ({ deletedAt }) => instant(deletedAt),
};

const COORDINATES: RecordColumn[] = [
  {
    name: 'latitude',
    text: 'Where it was held, degrees north.',
    read: ({ coordinates }) => coordinates?.latitude,
  },
  {
    name: 'longitude',
    text: 'Where it was held, degrees east.',
    read: ({ coordinates }) => coordinates?.longitude,
  },
  {
    name: 'accuracy',
    text: 'How exact that is, in metres.',
    read: ({ coordinates }) => coordinates?.accuracy,
  },
];

export function recordColumns(
  coupons: number,
  { includeDeleted, coordinates }: { includeDeleted: boolean; coordinates: boolean },
): RecordColumn[] {
  return [
    ...PLACE,
    ...Array.from({ length: coupons }, (_, at) => couponColumn(at + 1)),
    ...REST,
    ...(includeDeleted ? [DELETED] : []),
    ...(coordinates ? COORDINATES : []),
  ];
}

/** Last of all. */
export const LEFT_OVER = {
  name: 'other_answers',
  text: 'Answers that no column fits, as JSON; nearly always empty.',
};

const TAKEN = new Set([...PLACE, ...REST, DELETED, ...COORDINATES, LEFT_OVER].map(({ name }) => name));

/** The column of a question bears the question's name, unless a column above has it. */
export const columnOfQuestion = (key: string): string =>
  TAKEN.has(key) || /^coupon_\d+$/.test(key) ? `answer.${key}` : key;
