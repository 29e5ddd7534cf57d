/**
 * The columns that every interview has, regardless of the questionnaire: its place in the tree in the terms of
 * respondent-driven sampling, then where, when and how it took place.
 */
import { formatCode } from '../../coupons/referral-codes/code.ts';
import type { SurveyRecord } from '../../interviews/surveys/model.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import type { ExportCell } from './cells.ts';

export interface ExportRowContext {
  zone: string;
  /** Recruiters that have a row in the file. */
  inFile: ReadonlySet<string>;
  sites: ReadonlyMap<string, string>;
  questionnaires: ReadonlyMap<string, { name: string; version: number }>;
}

export interface RecordColumn {
  name: string;
  text: string;
  read(survey: SurveyRecord, around: ExportRowContext): ExportCell | null | undefined;
}

/** With a hyphen, because spreadsheets would read a code such as 57658E62 as a number. */
const printedCode = (code: string | null | undefined) => (code ? formatCode(code) : code);
const idOf = (id: unknown): string => (id ? String(id) : '');
const instant = (at: Date | null): string => at?.toISOString() ?? '';

const TREE_PLACE_COLUMNS: RecordColumn[] = [
  { name: 'id', text: 'Interview ID.', read: ({ _id }) => idOf(_id) },
  {
    name: 'recruiter_id',
    text: 'ID of the recruiter’s interview; "seed" if it is not in this file.',
    // R's RDS package needs the same value for everyone whose recruiter has no row.
    read: ({ recruiter }, { inFile }) => (inFile.has(idOf(recruiter)) ? idOf(recruiter) : 'seed'),
  },
  {
    name: 'recruited_by',
    text: 'ID of the recruiter’s interview, whether or not it is in this file; empty for a seed or if unknown.',
    read: ({ recruiter }) => idOf(recruiter),
  },
  {
    name: 'seed_id',
    text: 'Seed of the chain; empty if unknown.',
    read: ({ seed }) => idOf(seed),
  },
  {
    name: 'wave',
    text: 'Wave: 0 for a seed, otherwise one more than the recruiter; empty if unknown.',
    read: ({ wave }) => wave,
  },
  {
    name: 'network_size',
    text: 'Network size (personal degree), as answered.',
    read: ({ networkSize }) => networkSize,
  },
  {
    name: 'referral_code',
    text: 'Coupon code presented.',
    read: ({ referralCode }) => printedCode(referralCode),
  },
];

const couponColumn = (number: number): RecordColumn => ({
  name: `coupon_${number}`,
  text: 'Coupon code handed out.',
  read: ({ issuedCodes }) => printedCode(issuedCodes[number - 1]),
});

const SITE_AND_LATER_COLUMNS: RecordColumn[] = [
  { name: 'site', text: 'Name of the site.', read: ({ location }, { sites }) => sites.get(idOf(location)) },
  { name: 'site_id', text: 'Site ID.', read: ({ location }) => idOf(location) },
  { name: 'status', text: 'COMPLETED or IN_PROGRESS.', read: ({ status }) => status },
  {
    name: 'takes_part',
    text: "no: the person declined or was not eligible, by the questionnaire's takesPartIf, or where it has none, by what the device said.",
    read: ({ takesPart }) => (takesPart === false ? 'no' : 'yes'),
  },
  {
    name: 'started_at',
    text: 'Start of the interview according to the device; UTC.',
    read: ({ startedAt }) => instant(startedAt),
  },
  {
    name: 'started_day',
    text: "Its calendar day in the study's time zone.",
    read: ({ startedAt }, { zone }) => (startedAt ? isoDateAt(startedAt, zone) : ''),
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
    read: ({ createdAt }, { zone }) => isoDateAt(createdAt, zone),
  },
  {
    name: 'held_at',
    text: 'Interview date: the start, or when it was received if the device’s clock was wrong (CLOCK_ODD); UTC.',
    read: ({ heldAt }) => instant(heldAt),
  },
  {
    name: 'held_day',
    text: "Its calendar day in the study's time zone; the day of the recruitment board.",
    read: ({ heldAt }, { zone }) => isoDateAt(heldAt, zone),
  },
  {
    name: 'flags',
    text: 'Unresolved flags, separated by ;.',
    read: ({ flags }) => flags.map(({ code }) => code).join(';'),
  },
  {
    name: 'review',
    text: 'RECEIVED, APPROVED, HAS_ISSUES or REJECTED; rejected interviews are not in the sample.',
    read: ({ review }) => review?.state ?? 'RECEIVED',
  },
  {
    name: 'erased_at',
    text: 'When its answers were erased, UTC; empty if they were not.',
    read: ({ erasedAt }) => instant(erasedAt ?? null),
  },
  {
    name: 'questionnaire',
    text: 'Name of the questionnaire.',
    read: ({ questionnaire }, { questionnaires }) => questionnaires.get(idOf(questionnaire))?.name,
  },
  {
    name: 'questionnaire_version',
    text: 'Version of the questionnaire.',
    read: ({ questionnaire }, { questionnaires }) => questionnaires.get(idOf(questionnaire))?.version,
  },
  {
    name: 'interviewer_id',
    text: 'Account ID of the interviewer.',
    read: ({ createdBy }) => idOf(createdBy),
  },
];

const DELETED_COLUMN: RecordColumn = {
  name: 'deleted_at',
  text: 'When it was deleted, UTC; empty if it was not.',
  read: ({ deletedAt }) => instant(deletedAt),
};

const COORDINATE_COLUMNS: RecordColumn[] = [
  {
    name: 'latitude',
    text: 'Latitude of the interview in degrees.',
    read: ({ coordinates }) => coordinates?.latitude,
  },
  {
    name: 'longitude',
    text: 'Longitude of the interview in degrees.',
    read: ({ coordinates }) => coordinates?.longitude,
  },
  {
    name: 'accuracy',
    text: 'Accuracy of the position in meters.',
    read: ({ coordinates }) => coordinates?.accuracy,
  },
];

export function recordColumns(
  coupons: number,
  { includeDeleted, coordinates }: { includeDeleted: boolean; coordinates: boolean },
): RecordColumn[] {
  return [
    ...TREE_PLACE_COLUMNS,
    ...Array.from({ length: coupons }, (_, at) => couponColumn(at + 1)),
    ...SITE_AND_LATER_COLUMNS,
    ...(includeDeleted ? [DELETED_COLUMN] : []),
    ...(coordinates ? COORDINATE_COLUMNS : []),
  ];
}

/** Always the last column. */
export const OTHER_ANSWERS_COLUMN = {
  name: 'other_answers',
  text: 'Answers that don’t fit any column, as JSON; usually empty.',
};

const RESERVED_NAMES = new Set(
  [
    ...TREE_PLACE_COLUMNS,
    ...SITE_AND_LATER_COLUMNS,
    DELETED_COLUMN,
    ...COORDINATE_COLUMNS,
    OTHER_ANSWERS_COLUMN,
  ].map(({ name }) => name),
);

/** A question's column has the question's name, unless one of the columns above has it. */
export const columnOfQuestion = (key: string): string =>
  RESERVED_NAMES.has(key) || /^coupon_\d+$/.test(key) ? `answer.${key}` : key;
