/**
 * All collections, and what follows from their declarations: models, problems for unique indexes, names in the history,
 * and what the database needs before the service starts. A model that is missing here fails
 * test/docs/resources.test.ts.
 */
import { OtpModel, SignInCodeModel } from './access/auth/otp/otp-model.ts';
import { UsedChallengeModel } from './access/auth/passkeys/used-challenges.ts';
import { findRecordIdsOfCode } from './coupons/referral-codes/check.ts';
import {
  CodeBatchModel,
  type CodeBatchRecord,
  ReferralCodeModel,
  type ReferralCodeRecord,
} from './coupons/referral-codes/model.ts';
import { SeedModel, type SeedRecord } from './coupons/seeds/model.ts';
import { CardModel, type CardRecord } from './interviews/cards/model.ts';
import { CashDayModel, type CashDayRecord } from './interviews/cash-days/model.ts';
import { ContactModel, TextedNumberModel } from './interviews/contacts/model.ts';
import { IncentiveModel, type IncentiveRecord } from './interviews/incentives/model.ts';
import { MessageModel, type MessageRecord } from './interviews/messages/model.ts';
import { SurveyModel, type SurveyRecord } from './interviews/surveys/model.ts';
import { recordHistoryRead } from './interviews/surveys/read/read.ts';
import { findSurveysByFlaggedCode } from './interviews/surveys/read/search-filter.ts';
import { IdentityHashModel } from './interviews/surveys/repeats/identities.ts';
import { REPEAT_FIELD_RESTRICTION } from './interviews/surveys/repeats/repeat-detection.ts';
import { SurveyCommentModel } from './interviews/surveys/review/comments.ts';
import { DismissalModel } from './interviews/surveys/review/dismissals.ts';
import { SurveyResubmissionModel } from './interviews/surveys/submit/second-copies.ts';
import { ProcessedInboundTextModel } from './interviews/texting/webhook.ts';
import { AuditEventModel } from './platform/audit/model.ts';
import { createCollection, ensureIndexes, findMissingIndexes } from './platform/db/connect.ts';
import { migrate } from './platform/db/migrate.ts';
import { MIGRATIONS } from './platform/db/migrations/all.ts';
import { applyCollectionValidators } from './platform/db/validators.ts';
import { prepareRateLimits } from './platform/http/limits/rate-limits.ts';
import type { ProblemByUniqueIndex } from './platform/http/problems/errors.ts';
import { fullName } from './platform/lib/text/full-name.ts';
import type { Log } from './platform/log.ts';
import type { CollectionSettings } from './platform/rights/collection.ts';
import { createQuestionnaireIfMissing } from './questionnaires/change.ts';
import { QuestionnaireDraftModel } from './questionnaires/drafts/model.ts';
import { QuestionnaireModel, type QuestionnaireRecord } from './questionnaires/model.ts';
import { PopulationCountModel, type PopulationCountRecord } from './statistics/counts/model.ts';
import { AnalysisRunModel, JobModel } from './statistics/runs/model.ts';
import { DeviceModel } from './study/devices/model.ts';
import { LocationModel, type LocationRecord } from './study/locations/model.ts';
import { ensureFirstRound, RoundModel, type RoundRecord } from './study/rounds/model.ts';
import { createStudyIfMissing, StudyModel } from './study/settings/model.ts';
import { ReadTokenModel, type ReadTokenRecord } from './study/tokens/model.ts';
import { UserModel, type UserRecord } from './study/users/model.ts';

export const COLLECTIONS: readonly CollectionSettings[] = [
  { model: OtpModel, unique: { phone_1: null }, isCreatedByService: true },
  { model: SignInCodeModel, unique: { phone_1: null }, isCreatedByService: true },
  { model: UsedChallengeModel, isCreatedByService: true },
  {
    model: UserModel,
    unique: { phone_live: 'PHONE_TAKEN' },
    auditLabel: {
      fields: ['firstName', 'lastName', 'role', 'location', 'createdAt', 'createdBy'],
      toName: (user: UserRecord) => ({ name: fullName(user) }),
    },
  },
  // report.ts writes again on conflict. Phones report again by themselves.
  { model: DeviceModel, unique: { device_once: null }, isCreatedByService: true },
  {
    model: ReadTokenModel,
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
    model: LocationModel,
    unique: { name_live: 'NAME_TAKEN' },
    auditLabel: { fields: ['name'], toName: ({ name }: LocationRecord) => ({ name }) },
  },
  {
    model: SeedModel,
    auditLabel: {
      fields: ['referralCode', 'location', 'survey'],
      toName: ({ referralCode, location }: SeedRecord) => ({ code: referralCode, location }),
      // See claims.ts.
      hidesCode: () => true,
    },
  },
  {
    model: SurveyModel,
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
  { model: SurveyResubmissionModel, unique: { survey_1_hash_1: null } },
  { model: SurveyCommentModel },
  { model: DismissalModel },
  { model: IdentityHashModel, unique: { identity_once: null } },
  { model: ContactModel },
  { model: TextedNumberModel, unique: { number_once: null } },
  {
    model: CardModel,
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
    model: MessageModel,
    unique: { message_once: null },
    auditLabel: { fields: ['kind'], toName: ({ kind }: MessageRecord) => ({ name: kind }) },
  },
  { model: ProcessedInboundTextModel, isCreatedByService: true },
  {
    model: IncentiveModel,
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
    model: CashDayModel,
    unique: { cash_day_once: 'DAY_CLOSED' },
    guardsChanges: true,
    auditLabel: {
      fields: ['day', 'location'],
      toName: ({ day, location }: CashDayRecord) => ({ name: day, location }),
    },
  },
  {
    model: ReferralCodeModel,
    // issue.ts retries with another code.
    unique: { code_once: null },
    auditLabel: {
      fields: ['code', 'location'],
      toName: ({ code, location }: ReferralCodeRecord) => ({ code, location }),
      findByCode: findRecordIdsOfCode,
    },
  },
  {
    model: CodeBatchModel,
    auditLabel: {
      fields: ['location', 'note', 'createdBy', 'createdAt'],
      toName: ({ note, location }: CodeBatchRecord) => ({ name: note, location }),
      rightsOf: 'ReferralCode',
    },
  },
  {
    model: QuestionnaireModel,
    unique: { version_once: null, one_active: null },
    // Every change leaves an audit event.
    isCreatedByService: true,
    auditLabel: {
      fields: ['name', 'version'],
      toName: ({ name, version }: QuestionnaireRecord) => ({ name: `${name} ${version}` }),
    },
  },
  { model: QuestionnaireDraftModel, unique: { one_draft_of_version: 'EDIT_CONFLICT' } },
  {
    model: RoundModel,
    unique: { one_open_round: 'INVALID_TRANSITION' },
    // The first round is created at startup; every change leaves an audit event.
    isCreatedByService: true,
    auditLabel: { fields: ['name'], toName: ({ name }: RoundRecord) => ({ name }) },
  },
  // The audit trail has all changes.
  { model: StudyModel, isCreatedByService: true },
  // Can be recalculated exactly.
  { model: AnalysisRunModel, unique: { night_once: null }, isCreatedByService: true },
  { model: JobModel, isCreatedByService: true },
  {
    model: PopulationCountModel,
    auditLabel: {
      fields: ['name'],
      toName: ({ name }: PopulationCountRecord) => ({ name }),
      rightsOf: 'Recruitment',
    },
  },
  { model: AuditEventModel },
];

export const MODELS = COLLECTIONS.map(({ model }) => model);

export const PROBLEMS_BY_UNIQUE_INDEX: ProblemByUniqueIndex = Object.assign(
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
  await applyCollectionValidators(MODELS, log);
  await prepareRateLimits();
  // Created here, because two concurrent transactions that create it would fail.
  await createCollection('locks');
  await insertFirstRecords(now, timeZone);
}

export async function insertFirstRecords(now: Date, timeZone = 'UTC'): Promise<void> {
  await createQuestionnaireIfMissing(now);
  await createStudyIfMissing(now);
  await ensureFirstRound(now, timeZone);
}
