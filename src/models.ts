/** Every model, for work on all collections with all their indexes. */
import { AuditEvents } from './audit/model.ts';
import { Otps } from './auth/otp-model.ts';
import type { AnyModel } from './db/schema-options.ts';
import { Locations } from './locations/model.ts';
import { Questionnaires } from './questionnaires/model.ts';
import { CodeBatches, ReferralCodes } from './referral-codes/model.ts';
import { Seeds } from './seeds/model.ts';
import { Studies } from './study/model.ts';
import { SurveyCopies } from './surveys/copies.ts';
import { Surveys } from './surveys/model.ts';
import { Users } from './users/model.ts';

export const MODELS: readonly AnyModel[] = [
  Users,
  Otps,
  Locations,
  Seeds,
  Surveys,
  SurveyCopies,
  ReferralCodes,
  CodeBatches,
  Questionnaires,
  Studies,
  AuditEvents,
];
