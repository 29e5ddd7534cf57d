/** All migrations since the first version, by date. Never change or remove one. */
import type { Migration } from '../migrate.ts';
import { interviewHeldAtMigration } from './2026-11-22-held-at.ts';
import { secondCopiesMigration } from './2026-11-22-second-copies.ts';
import { whereItHappenedMigration } from './2026-11-22-where-it-happened.ts';
import { dropLastAnswersMigration } from './2026-11-25-drop-last-answers.ts';
import { dropCodebooksMigration } from './2026-11-26-drop-codebooks.ts';
import { approvedFormulasMigration } from './2026-11-28-approve-formulas.ts';
import { firstRoundMigration } from './2026-11-28-first-round.ts';
import { forgetDataHashesMigration } from './2026-11-28-forget-data-hashes.ts';
import { markImportedInterviewsMigration } from './2026-11-28-imported-interviews.ts';
import { dropJobsMigration } from './2026-11-28-jobs-by-day.ts';
import { provedPhonesMigration } from './2026-11-28-proved-phones.ts';
import { recalculateCodebooksMigration } from './2026-11-28-recalculate-codebooks.ts';
import { sessionsMigration } from './2026-11-28-sessions.ts';
import { contactTextsMigration } from './2026-11-29-contact-texts.ts';
import { contactsBySurveyMigration } from './2026-11-29-contacts-by-survey.ts';

export const MIGRATIONS: readonly Migration[] = [
  interviewHeldAtMigration,
  secondCopiesMigration,
  whereItHappenedMigration,
  dropLastAnswersMigration,
  dropCodebooksMigration,
  markImportedInterviewsMigration,
  provedPhonesMigration,
  approvedFormulasMigration,
  recalculateCodebooksMigration,
  forgetDataHashesMigration,
  sessionsMigration,
  dropJobsMigration,
  contactTextsMigration,
  contactsBySurveyMigration,
  firstRoundMigration,
];
