/** API types that only the dashboard uses, from the service's own schemas. */
import type { z } from 'zod';
import type {
  CodeBatchItem,
  ReferralCode as ReferralCodeSchema,
} from '../../../../../src/coupons/referral-codes/schema.ts';
import type { Seed as SeedSchema } from '../../../../../src/coupons/seeds/schema.ts';
import type { CashDay as CashDaySchema } from '../../../../../src/interviews/cash-days/schema.ts';
import type { SurveyImported as SurveyImportedSchema } from '../../../../../src/interviews/surveys/schema.ts';
import type { AuditEvent as AuditEventSchema } from '../../../../../src/platform/audit/schema.ts';
import type { Device as DeviceSchema } from '../../../../../src/study/devices/schema.ts';
import type { LocationImported as LocationImportedSchema } from '../../../../../src/study/locations/schema.ts';
import type { ReadToken as ReadTokenSchema } from '../../../../../src/study/tokens/schema.ts';
import type { UserDecisionList as DecisionListSchema } from '../../../../../src/study/users/schema.ts';

export type Device = z.infer<typeof DeviceSchema>;
export type ReadToken = z.infer<typeof ReadTokenSchema>;
export type CashDay = z.infer<typeof CashDaySchema>;
export type Seed = z.infer<typeof SeedSchema>;
export type ReferralCode = z.infer<typeof ReferralCodeSchema>;
export type CodeBatch = z.infer<typeof CodeBatchItem>;
export type SurveyImported = z.infer<typeof SurveyImportedSchema>;
export type LocationImportReply = z.infer<typeof LocationImportedSchema>;
export type UserDecision = z.infer<typeof DecisionListSchema>['data'][number];
export type AuditEvent = z.infer<typeof AuditEventSchema>;
