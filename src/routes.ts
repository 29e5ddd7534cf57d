/** All routes, and the groups of the documentation in their order. */
import { passkeyRoutes } from './access/auth/passkeys/routes.ts';
import { authRoutes } from './access/auth/routes.ts';
import { findSurveysWithFindings } from './board/quality/list.ts';
import { qualityRoutes } from './board/quality/routes.ts';
import { recruitmentRoutes } from './board/recruitment/routes.ts';
import { printRoutes } from './coupons/print/routes.ts';
import { referralCodeRoutes } from './coupons/referral-codes/routes.ts';
import { seedRoutes } from './coupons/seeds/routes.ts';
import { countTablesCsvRoutes } from './exports/count-tables-csv.ts';
import { publicationRoutes } from './exports/publication/routes.ts';
import { exportRoutes } from './exports/routes.ts';
import { cardRoutes } from './interviews/cards/routes.ts';
import { cashDayRoutes } from './interviews/cash-days/routes.ts';
import { paymentRoutes } from './interviews/payments/routes.ts';
import { respondentStatusRoutes } from './interviews/status/routes.ts';
import { surveyRoutes } from './interviews/surveys/routes.ts';
import { messageRoutes } from './interviews/texting/routes.ts';
import { auditRoutes } from './platform/audit/routes.ts';
import { healthRoutes } from './platform/health/routes.ts';
import type { ApiRoute } from './platform/http/route.ts';
import { questionnaireDraftRoutes } from './questionnaires/drafts/routes.ts';
import { questionnaireRoutes } from './questionnaires/routes.ts';
import { COLLECTIONS } from './resources.ts';
import { activationRoutes } from './statistics/activation/routes.ts';
import { outcomeChangeRoutes } from './statistics/change/routes.ts';
import { populationCountRoutes } from './statistics/counts/routes.ts';
import { resultRoutes } from './statistics/results/routes.ts';
import { runRoutes } from './statistics/runs/routes.ts';
import { sampleRoutes } from './statistics/sample/routes.ts';
import { deviceRoutes } from './study/devices/routes.ts';
import { locationRoutes } from './study/locations/routes.ts';
import { roundRoutes } from './study/rounds/routes.ts';
import { studyRoutes } from './study/settings/routes.ts';
import { tokenRoutes } from './study/tokens/routes.ts';
import { userRoutes } from './study/users/routes.ts';

export const apiRoutes: ApiRoute[] = [
  ...authRoutes,
  ...passkeyRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...deviceRoutes,
  ...locationRoutes,
  ...seedRoutes,
  ...surveyRoutes(COLLECTIONS, findSurveysWithFindings),
  ...respondentStatusRoutes,
  ...paymentRoutes,
  ...cashDayRoutes,
  ...cardRoutes,
  ...messageRoutes,
  ...referralCodeRoutes,
  ...printRoutes,
  ...questionnaireRoutes,
  ...questionnaireDraftRoutes,
  ...studyRoutes,
  ...roundRoutes,
  ...recruitmentRoutes,
  ...qualityRoutes,
  ...sampleRoutes,
  ...runRoutes,
  ...resultRoutes,
  ...populationCountRoutes,
  ...outcomeChangeRoutes,
  ...activationRoutes,
  ...countTablesCsvRoutes,
  ...publicationRoutes,
  ...exportRoutes,
  ...auditRoutes(COLLECTIONS),
  ...healthRoutes,
];

export const API_TAGS = [
  { name: 'Setup', description: 'Once, at the first start: the first super-admin.' },
  { name: 'Auth', description: 'Signing up and in with a phone number and a one-time code.' },
  { name: 'Passkeys', description: 'A second factor after a code, and a way to sign in without one.' },
  { name: 'Users', description: 'Approving accounts, their roles and sites.' },
  { name: 'Tokens', description: 'Read tokens, with which programs read files and figures.' },
  { name: 'Devices', description: 'What phones in the field still have to send.' },
  { name: 'Locations', description: 'The sites where interviews take place.' },
  { name: 'Seeds', description: 'The first person of each chain, with a coupon.' },
  { name: 'Surveys', description: 'Interviews: each redeems a coupon and hands out new ones.' },
  { name: 'Incentives', description: 'What people are owed for interviews and recruits, paid once.' },
  { name: 'Cash', description: 'Cash boxes of sites: what was counted at the end of each day.' },
  { name: 'Cards', description: 'Gift cards: stored from a vendor’s file, one for each payment.' },
  { name: 'Messages', description: 'Texts to respondents who agreed to them.' },
  { name: 'Referral codes', description: 'The codes on coupons: checking, reserving, printing, voiding.' },
  { name: 'Questionnaires', description: 'Questionnaires and their versions, one of which is active.' },
  { name: 'Study', description: "The study's settings: name, languages, how many coupons." },
  { name: 'Rounds', description: 'Samples of the study, one after another, each with chains of its own.' },
  { name: 'Recruitment', description: 'The progress of recruitment: counts, chains, trees, alerts.' },
  { name: 'Quality', description: 'Interviews that may be wrong or made up.' },
  { name: 'Analysis', description: 'Estimates for the population, and what they are based on.' },
  { name: 'Exports', description: 'The study as files, for statistics.' },
  { name: 'Audit', description: 'Who did what and when.' },
  { name: 'Health', description: 'For monitoring.' },
];
