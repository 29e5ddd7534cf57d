/**
 * All collections, and what follows from their declarations: models, problems for unique indexes, names in the history,
 * and what the database needs before the service starts. A model that is missing here fails
 * test/docs/resources.test.ts.
 */
import { Otps, SignInCodes } from './access/auth/otp/otp-model.ts';
import { UsedChallenges } from './access/auth/passkeys/used-challenges.ts';
import { findRecordIdsOfCode } from './coupons/referral-codes/check.ts';
import {
  CodeBatches,
  type CodeBatchRecord,
  type ReferralCodeRecord,
  ReferralCodes,
} from './coupons/referral-codes/model.ts';
import { type SeedRecord, Seeds } from './coupons/seeds/model.ts';
import { type CardRecord, Cards } from './interviews/cards/model.ts';
import { type CashDayRecord, CashDays } from './interviews/cash-days/model.ts';
import { Contacts, TextedNumbers } from './interviews/contacts/model.ts';
import { type IncentiveRecord, Incentives } from './interviews/incentives/model.ts';
import { type MessageRecord, Messages } from './interviews/messages/model.ts';
import { type SurveyRecord, Surveys } from './interviews/surveys/model.ts';
import { recordHistoryRead } from './interviews/surveys/read/read.ts';
import { findSurveysByFlaggedCode } from './interviews/surveys/read/search-filter.ts';
import { Identities } from './interviews/surveys/repeats/identities.ts';
import { REPEAT_FIELD_RESTRICTION } from './interviews/surveys/repeats/repeat-detection.ts';
import { SurveyComments } from './interviews/surveys/review/comments.ts';
import { Dismissals } from './interviews/surveys/review/dismissals.ts';
import { SurveyCopies } from './interviews/surveys/submit/second-copies.ts';
import { ProcessedInboundTexts } from './interviews/texting/webhook.ts';
import { AuditEvents } from './platform/audit/model.ts';
import { createCollection, ensureIndexes, findMissingIndexes } from './platform/db/connect.ts';
import { migrate } from './platform/db/migrate.ts';
import { MIGRATIONS } from './platform/db/migrations/all.ts';
import { applyValidators } from './platform/db/validators.ts';
import { prepareRateLimits } from './platform/http/limits/rate-limits.ts';
import type { ProblemByIndex } from './platform/http/problems/errors.ts';
import { fullName } from './platform/lib/text/full-name.ts';
import type { Log } from './platform/log.ts';
import type { CollectionSettings } from './platform/rights/collection.ts';
import { prepareQuestionnaires } from './questionnaires/change.ts';
import { QuestionnaireDrafts } from './questionnaires/drafts/model.ts';
import { type QuestionnaireRecord, Questionnaires } from './questionnaires/model.ts';
import { Counts, type PopulationCountRecord } from './statistics/counts/model.ts';
import { AnalysisRuns, Jobs } from './statistics/runs/model.ts';
import { Devices } from './study/devices/model.ts';
import { type LocationRecord, Locations } from './study/locations/model.ts';
import { prepareRounds, type RoundRecord, Rounds } from './study/rounds/model.ts';
import { createStudyIfMissing, Studies } from './study/settings/model.ts';
import { type ReadTokenRecord, ReadTokens } from './study/tokens/model.ts';
import { type UserRecord, Users } from './study/users/model.ts';

export const COLLECTIONS: readonly CollectionSettings[] = [
  { model: Otps, unique: { phone_1: null }, isCreatedByService: true },
  { model: SignInCodes, unique: { phone_1: null }, isCreatedByService: true },
  { model: UsedChallenges, isCreatedByService: true },
  {
    model: Users,
    unique: { phone_live: 'PHONE_TAKEN' },
    auditLabel: {
      fields: ['firstName', 'lastName', 'role', 'location', 'createdAt', 'createdBy'],
      toName: (user: UserRecord) => ({ name: fullName(user) }),
    },
  },
  // report.ts writes again on conflict. Phones report again by themselves.
  { model: Devices, unique: { device_once: null }, isCreatedByService: true },
  {
    model: ReadTokens,
    // Tokens are random, so a duplicate is a bug.
    unique: { token_once: null },
    auditLabel: {
      fields: ['name'],
      toName: ({ name }: ReadTokenRecord) => ({ name }),
      // Callers who may read the history may see which program has read.
      rightsOf: 'AuditEvent',
    },
  },
  {
    model: Locations,
    unique: { name_live: 'NAME_TAKEN' },
    auditLabel: { fields: ['name'], toName: ({ name }: LocationRecord) => ({ name }) },
  },
  {
    model: Seeds,
    auditLabel: {
      fields: ['referralCode', 'location', 'survey'],
      toName: ({ referralCode, location }: SeedRecord) => ({ code: referralCode, location }),
      // See claims.ts.
      hidesCode: () => true,
    },
  },
  {
    model: Surveys,
    // submit.ts returns the first interview with the same clientId, and drops a statusHash that another interview has.
    unique: { referral_code_once: 'REFERRAL_CODE_USED', client_id_once: null, status_hash_once: null },
    guardsChanges: true,
    restrictedField: REPEAT_FIELD_RESTRICTION,
    recordHistoryRead,
    auditLabel: {
      fields: ['referralCode', 'location', 'createdBy', 'createdAt', 'questionnaire'],
      toName: ({ referralCode: code, location, questionnaire }: SurveyRecord) => {
        return { code, location, questionnaire };
      },
      // Callers who may look up coupons may know where a coupon went.
      orReadsAll: 'ReferralCode',
      findByCode: findSurveysByFlaggedCode,
    },
  },
  { model: SurveyCopies, unique: { survey_1_hash_1: null } },
  { model: SurveyComments },
  { model: Dismissals },
  { model: Identities, unique: { identity_once: null } },
  { model: Contacts },
  { model: TextedNumbers, unique: { number_once: null } },
  {
    model: Cards,
    // give.ts only assigns free cards.
    unique: { card_once: 'EDIT_CONFLICT', card_of_payment_once: 'ALREADY_PAID' },
    guardsChanges: true,
    auditLabel: {
      fields: ['amount', 'currency', 'lastFour'],
      toName: ({ amount, currency, lastFour }: CardRecord) => ({
        name: `${amount} ${currency} …${lastFour}`,
      }),
    },
  },
  {
    model: Messages,
    unique: { message_once: null },
    auditLabel: { fields: ['kind'], toName: ({ kind }: MessageRecord) => ({ name: kind }) },
  },
  { model: ProcessedInboundTexts, isCreatedByService: true },
  {
    model: Incentives,
    // A payer's clientId belongs to one incentive.
    unique: { incentive_once: null, payment_once: 'EDIT_CONFLICT' },
    guardsChanges: true,
    auditLabel: {
      fields: [
        ...['amount', 'currency', 'site', 'state', 'location', 'paidBy', 'recordedAt', 'createdAt'],
        'survey',
      ],
      toName: ({ amount, currency, site, survey }: IncentiveRecord) => ({
        name: `${amount} ${currency}`,
        location: site,
        interview: survey,
      }),
    },
  },
  {
    model: CashDays,
    unique: { cash_day_once: 'DAY_CLOSED' },
    guardsChanges: true,
    auditLabel: {
      fields: ['day', 'location'],
      toName: ({ day, location }: CashDayRecord) => ({ name: day, location }),
    },
  },
  {
    model: ReferralCodes,
    // issue.ts retries with another code.
    unique: { code_once: null },
    auditLabel: {
      fields: ['code', 'location'],
      toName: ({ code, location }: ReferralCodeRecord) => ({ code, location }),
      findByCode: findRecordIdsOfCode,
    },
  },
  {
    model: CodeBatches,
    auditLabel: {
      fields: ['location', 'note', 'createdBy', 'createdAt'],
      toName: ({ note, location }: CodeBatchRecord) => ({ name: note, location }),
      rightsOf: 'ReferralCode',
    },
  },
  {
    model: Questionnaires,
    unique: { version_once: null, one_active: null },
    // Every change leaves an audit event.
    isCreatedByService: true,
    auditLabel: {
      fields: ['name', 'version'],
      toName: ({ name, version }: QuestionnaireRecord) => ({ name: `${name} ${version}` }),
    },
  },
  { model: QuestionnaireDrafts, unique: { one_draft_of_version: 'EDIT_CONFLICT' } },
  {
    model: Rounds,
    unique: { one_open_round: 'INVALID_TRANSITION' },
    // The first round is created at startup; every change leaves an audit event.
    isCreatedByService: true,
    auditLabel: { fields: ['name'], toName: ({ name }: RoundRecord) => ({ name }) },
  },
  // The audit trail has all changes.
  { model: Studies, isCreatedByService: true },
  // Can be recalculated exactly.
  { model: AnalysisRuns, unique: { night_once: null }, isCreatedByService: true },
  { model: Jobs, isCreatedByService: true },
  {
    model: Counts,
    auditLabel: {
      fields: ['name'],
      toName: ({ name }: PopulationCountRecord) => ({ name }),
      rightsOf: 'Recruitment',
    },
  },
  { model: AuditEvents },
];

export const MODELS = COLLECTIONS.map(({ model }) => model);

export const PROBLEMS_BY_UNIQUE_INDEX: ProblemByIndex = Object.assign(
  {},
  ...COLLECTIONS.map(({ unique }) => unique),
);

/** Without the unique indexes, the database could store one interview twice. */
export const hasUniqueIndexes = async (): Promise<boolean> =>
  (await findMissingIndexes(MODELS)).every(({ unique }) => !unique);

/**
 * Migrations, indexes, validators, first records. Safe to repeat, and in several processes at once. Migrations come
 * first, because an index of this version may not fit an older version's data. `timeZone` is used if the study has none.
 */
export async function prepareDatabase(now: Date, log?: Log, timeZone = 'UTC'): Promise<void> {
  await migrate(MIGRATIONS, log ? { log } : {});
  await ensureIndexes(MODELS);
  await applyValidators(MODELS, log);
  await prepareRateLimits();
  // Created here, because two concurrent transactions that create it would fail.
  await createCollection('locks');
  await insertFirstRecords(now, timeZone);
}

export async function insertFirstRecords(now: Date, timeZone = 'UTC'): Promise<void> {
  await prepareQuestionnaires(now);
  await createStudyIfMissing(now);
  await prepareRounds(now, timeZone);
}
