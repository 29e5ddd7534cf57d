/** All migrations since the first version, by date. Never change or remove one. */
import type { Migration } from '../migrate.ts';
import { heldAt } from './2026-11-22-held-at.ts';
import { secondCopies } from './2026-11-22-second-copies.ts';
import { whereItHappened } from './2026-11-22-where-it-happened.ts';
import { lastAnswers } from './2026-11-25-drop-last-answers.ts';
import { dropCodebooks } from './2026-11-26-drop-codebooks.ts';
import { approvedFormulas } from './2026-11-28-approve-formulas.ts';
import { firstRound } from './2026-11-28-first-round.ts';
import { dataHashes } from './2026-11-28-forget-data-hashes.ts';
import { importedInterviews } from './2026-11-28-imported-interviews.ts';
import { jobsByDay } from './2026-11-28-jobs-by-day.ts';
import { provedPhones } from './2026-11-28-proved-phones.ts';
import { yesNoCodebooks } from './2026-11-28-recalculate-codebooks.ts';
import { startSessions } from './2026-11-28-sessions.ts';
import { contactTexts } from './2026-11-29-contact-texts.ts';
import { contactsBySurvey } from './2026-11-29-contacts-by-survey.ts';

export const MIGRATIONS: readonly Migration[] = [
  heldAt,
  secondCopies,
  whereItHappened,
  lastAnswers,
  dropCodebooks,
  importedInterviews,
  provedPhones,
  approvedFormulas,
  yesNoCodebooks,
  dataHashes,
  startSessions,
  jobsByDay,
  contactTexts,
  contactsBySurvey,
  firstRound,
];
