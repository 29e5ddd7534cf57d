/** API types, from the service's own schemas, so that the two can't drift apart. */

import type { z } from 'zod';
import type {
  PasskeyCreatedReply as CreatedPasskeySchema,
  PasskeyList as PasskeyListSchema,
} from '../../src/access/auth/passkeys/schema.ts';
import type {
  Session,
  SessionList as SessionListSchema,
  SignedInReply,
} from '../../src/access/auth/schema.ts';
import type { ContactInput } from '../../src/interviews/contacts/schema.ts';
import type {
  Claim as ClaimSchema,
  Incentive as IncentiveSchema,
  IncentiveSummary as IncentiveSummarySchema,
  PayIncentivesResult as IncentivesPaidSchema,
  PaidIncentive as PaidIncentiveSchema,
} from '../../src/interviews/incentives/schema.ts';
import type {
  SurveyComment as SurveyCommentSchema,
  SurveyCreate,
  SurveyReceipt as SurveyReceiptSchema,
  Survey as SurveySchema,
} from '../../src/interviews/surveys/schema.ts';
import type { FaultTextParameters } from '../../src/platform/http/problems/error-codes.ts';
import type { Questionnaire as QuestionnaireSchema } from '../../src/questionnaires/schema.ts';
import type { Location as LocationSchema } from '../../src/study/locations/schema.ts';
import type {
  PublicStudy as PublicStudySchema,
  Study as StudySchema,
} from '../../src/study/settings/schema.ts';

export type { CodeFault, CodeVerdict } from '../../src/coupons/referral-codes/schema.ts';
export type { IncentiveHandedOver } from '../../src/interviews/incentives/schema.ts';
export type {
  RepeatCheckRequest,
  RepeatCheckResult,
} from '../../src/interviews/surveys/schema.ts';
export type { AnswerLine as Line } from '../../src/questionnaires/schema.ts';

import type { User as UserSchema } from '../../src/study/users/schema.ts';

export type User = z.infer<typeof UserSchema>;
export type SessionReply = z.infer<typeof Session>;
export type SessionList = z.infer<typeof SessionListSchema>;
export type PasskeyList = z.infer<typeof PasskeyListSchema>;
export type PasskeyCreatedReply = z.infer<typeof CreatedPasskeySchema>;
export type SignedIn = z.infer<typeof SignedInReply>;
export type Location = z.infer<typeof LocationSchema>;
export type Study = z.infer<typeof StudySchema>;
export type PublicStudy = z.infer<typeof PublicStudySchema>;
export type Questionnaire = z.infer<typeof QuestionnaireSchema>;
export type Survey = z.infer<typeof SurveySchema>;
/** An interview that arrived: in full, or, for a send token, only what the device needs. */
export type SentSurveyReply = Survey | z.infer<typeof SurveyReceiptSchema>;
export type SurveyComment = z.infer<typeof SurveyCommentSchema>;
export type Incentive = z.infer<typeof IncentiveSchema>;
/** The reply to a payment, which may include the gift card. */
export type PaidIncentive = z.infer<typeof PaidIncentiveSchema>;
export type IncentiveSummary = z.infer<typeof IncentiveSummarySchema>;
export type PayIncentivesResult = z.infer<typeof IncentivesPaidSchema>;
export type IncentiveClaim = z.infer<typeof ClaimSchema>;
/** As listed, without the answers. */
export type SurveyListItem = Omit<Survey, 'responses' | 'networkSize' | 'coordinates'>;
export type Flag = Survey['flags'][number];
export type Answers = Record<string, unknown>;
export type Coordinates = NonNullable<Survey['coordinates']>;

type Needed =
  | 'clientId'
  | 'location'
  | 'questionnaire'
  | 'responses'
  | 'status'
  | 'startedAt'
  | 'completedAt';
type Chosen =
  | 'onCodeProblem'
  | 'referralCode'
  | 'walkInCode'
  | 'issuedCodes'
  | 'coordinates'
  | 'incentive'
  | 'note'
  | 'statusHash';
type SurveyInput = z.input<typeof SurveyCreate>;
type Create = { [K in Needed]: NonNullable<SurveyInput[K]> } & {
  [K in Chosen]?: NonNullable<SurveyInput[K]>;
};

/** The body of POST /api/surveys, as this client sends it. */
export type SurveyBody = Create & { onCodeProblem: 'FLAG'; contact?: ContactInput };

/** The same, with the answers encrypted in `sealed`: the base64 of an age file. */
export type SealedBody = Omit<SurveyBody, 'responses' | 'coordinates' | 'contact' | 'note'> & {
  sealed: string;
};

/** An error in one field of a request. Without a code, the message is already in the reader's language. */
export interface FieldError {
  path: string;
  message: string;
  code?: string;
  params?: FaultTextParameters;
}

export interface ListOf<T> {
  data: T[];
  nextCursor: string | null;
}
