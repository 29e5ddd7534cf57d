import type { FindNames } from '../audit/record-names.ts';
import { dateFilter } from '../http/date-range.ts';
import { idFilter } from '../http/id-filter.ts';
import { PAGE_MEMORY } from '../http/memory-budget.ts';
import { problem } from '../http/problem.ts';
import { created, largeReply, noContent, route, routeGroup } from '../http/route.ts';
import { MINIMAL_RESPONSES } from '../questionnaires/default-questionnaire.ts';
import { definitionOf } from '../questionnaires/model.ts';
import { AnswersInWords, WordsQuery } from '../questionnaires/schema.ts';
import { answersInWords } from '../questionnaires/validator.ts';
import { FAULT_PROBLEMS } from '../referral-codes/check.ts';
import { asSubject } from '../rights/ability.ts';
import { type Actor, authorOf } from '../rights/actor.ts';
import { permittedFilter, visible } from '../rights/guard.ts';
import { updateSurvey } from './change.ts';
import { addComment, listComments } from './comments.ts';
import { deleteSurvey, restoreSurvey } from './delete.ts';
import { eraseSurvey } from './erase.ts';
import { surveyHistory } from './history.ts';
import { importSurveys, MAX_IMPORT_BYTES } from './import.ts';
import { listSurveys } from './list.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import { loadToRead } from './read.ts';
import { checkRepeat } from './repeat-check.ts';
import { withRepeatFlag } from './repeat-detection.ts';
import { reviewSurvey, reviewSurveys } from './review.ts';
import {
  BulkReview,
  BulkReviewed,
  Comment,
  CommentQuery,
  Erase,
  RepeatCheck,
  RepeatChecked,
  Review,
  Survey,
  SurveyComment,
  SurveyCommentList,
  SurveyCreate,
  SurveyHistory,
  SurveyImport,
  SurveyImported,
  SurveyList,
  SurveyPatch,
  SurveyQuery,
  TakeCode,
} from './schema.ts';
import { surveySearchFilter } from './search-filter.ts';
import { withCopies } from './second-copies.ts';
import { submitSurvey } from './submit.ts';
import { takeCode } from './take-code.ts';

function flagged(actor: Actor, flag: NonNullable<SurveyQuery['flag']>): object {
  if (flag !== 'any' && flag !== 'POSSIBLE_REPEAT') return { 'flags.code': flag };
  const any = { 'flags.code': { $gt: '' } };
  const repeat = { $and: [{ 'repeat.strength': { $gt: '' } }, permittedFilter(actor, 'review', 'Survey')] };
  if (flag === 'POSSIBLE_REPEAT') return repeat;
  return actor.ability.can('review', 'Survey') ? { $or: [any, repeat] } : any;
}

function filterOf(actor: Actor, query: SurveyQuery): object {
  const { location, seed, recruiter, createdBy, status, flag, review } = query;
  return {
    ...idFilter({ location, seed, recruiter, createdBy }),
    ...(status ? { status } : {}),
    // RECEIVED is not stored.
    ...(review ? { 'review.state': review === 'RECEIVED' ? null : review } : {}),
    ...(flag ? { $and: [flagged(actor, flag)] } : {}),
    ...dateFilter('createdAt', query, actor.zone),
  };
}

/** A single survey includes its second copies. */
const whole = async (actor: Actor, survey: SurveyRecord) => {
  const found = await withRepeatFlag(actor, await withCopies(survey));
  return found === survey ? found : largeReply(found);
};

export const surveyRoutes = (namesOf: FindNames) =>
  routeGroup({ tag: 'Surveys' }, [
    route({
      method: 'get',
      path: '/api/surveys',
      memory: (query) => (query.fields === 'full' ? 24 : PAGE_MEMORY(query)),
      summary: 'List surveys, limited to those that the caller may read',
      description:
        'Light: without `responses`, and without the copies in `flags`. `fields=full` gives them too; a page then ends before 2 MiB of JSON, after one survey at the least, so that `data` may be shorter than `limit` while `nextCursor` goes on.',
      query: SurveyQuery,
      reply: { 200: SurveyList },
      handle: async ({ actor, query, deps }) => {
        const found = await surveySearchFilter(actor, query.search);
        // An earlier version running in parallel stores interviews without it, until db/backfill.ts adds it.
        const held = query.sort.endsWith('heldAt') ? { heldAt: { $gt: new Date(0) } } : {};
        const filter = { ...held, ...filterOf(actor, query), ...found };
        return await listSurveys(actor, visible(actor, ['read'], Surveys, filter), query, deps.log);
      },
    }),
    route({
      method: 'get',
      path: '/api/surveys/:id',
      // The largest takes 10, but with 4 more of the usual requests run at once and share their round trips.
      memory: 4,
      summary: 'Get one survey',
      reply: { 200: Survey },
      handle: async ({ actor, id, deps }) => await whole(actor, await loadToRead(actor, id, deps.log)),
    }),
    route({
      method: 'get',
      path: '/api/surveys/:id/answers',
      memory: 8,
      summary: 'The answers of a survey in words',
      description:
        'The questions that these answers show, in their order, each with its title and its answer as the questionnaire words them.',
      query: WordsQuery,
      reply: { 200: AnswersInWords },
      handle: async ({ actor, id, query, deps }) => {
        const survey = await loadToRead(actor, id, deps.log);
        const { questionnaire, responses, erasedAt } = survey;
        if (erasedAt) return [];
        const found = await definitionOf(questionnaire);
        if (!found) throw problem('NOT_FOUND');
        const { definition, identityQuestions } = found;
        const plain = { id: questionnaire.toHexString(), definition };
        const lines = await answersInWords(plain, responses, query.language ?? 'en');
        return largeReply(
          lines.map((line) => (identityQuestions?.includes(line.name) ? { ...line, kept: false } : line)),
        );
      },
    }),
    route({
      method: 'get',
      path: '/api/surveys/:id/history',
      memory: 10,
      summary: 'What was changed in a survey, by whom and when',
      reply: { 200: SurveyHistory },
      handle: async ({ actor, id, deps }) => {
        const survey = await loadToRead(actor, id, deps.log);
        return largeReply(surveyHistory(actor, survey, namesOf));
      },
    }),
    route({
      method: 'post',
      path: '/api/surveys',
      summary: 'Submit a survey',
      description:
        'Put the `id` of a location and the code of a coupon, such as that of a seed, into the example, or leave `referralCode` out; its answers are the least that the questionnaire that ships asks for.\n\nRedeems a referral code, or makes a walk-in seed, and issues codes when completed; together or not at all. Of many requests with one code exactly one is stored. The same clientId again answers 200 with what is stored; with other content 409 EDIT_CONFLICT, and the copy is kept in `flags`.',
      body: SurveyCreate,
      example: {
        location: '665f1c2ab7e4d90012345678',
        referralCode: 'ABCD-EFGC',
        responses: MINIMAL_RESPONSES,
      },
      reply: { 200: Survey, 201: Survey },
      problems: [...Object.values(FAULT_PROBLEMS), 'EDIT_CONFLICT'],
      handle: async ({ actor, body, deps }) => {
        const submitted = await submitSurvey(actor, body, deps.config.identityKey);
        const survey = await withRepeatFlag(actor, submitted.survey);
        return submitted.created ? created(survey, `/api/surveys/${survey._id}`) : survey;
      },
    }),
    route({
      method: 'post',
      path: '/api/surveys/import',
      isLong: true,
      summary: 'Store interviews that someone else held and cannot send any more',
      description:
        'For someone who was deleted or rejected, or may no longer interview there. Each by itself, as if `owner` had sent it with `onCodeProblem: "FLAG"`: `createdBy` and reserved codes are the owner\'s, the audit event names the caller. The same again answers 200 for each, and stores nothing. The body may have 2 MiB; what does not fit is sent in parts.',
      body: SurveyImport,
      maxBytes: MAX_IMPORT_BYTES,
      skipBodyCheck: true,
      example: {
        owner: '665f1c2ab7e4d90012345678',
        surveys: [
          {
            clientId: '5b0c6f6e-52a5-4a6e-9b8e-0f6f2c1d7a11',
            location: '665f1c2ab7e4d90012345678',
            responses: MINIMAL_RESPONSES,
          },
        ],
      },
      reply: { 200: SurveyImported },
      handle: async ({ actor, body, deps }) =>
        await importSurveys(actor, body, {
          identityKey: deps.config.identityKey,
          unexpected: (error) => deps.log.error({ err: error }, 'an import failed'),
        }),
    }),
    route({
      method: 'post',
      path: '/api/surveys/repeat-check',
      summary: 'Was someone with these identity clues interviewed before?',
      description:
        "Only where the study allows it (`repeatCheck`): it tells whoever knows someone's clues that this person was here. 30 a day for each user; the history says who asked, never what. The clues are kept nowhere.",
      body: RepeatCheck,
      example: {
        questionnaire: '665f1c2ab7e4d90012345678',
        clues: { birthDay: 7, birthMonth: '3', birthYear: 1971, firstNameStart: 'Zo', lastNameStart: 'Ng' },
      },
      reply: { 200: RepeatChecked },
      handle: async ({ actor, body, deps }) => await checkRepeat(actor, body, deps.config),
    }),
    route({
      method: 'patch',
      path: '/api/surveys/:id',
      memory: 10,
      ifMatch: true,
      summary: 'Update a survey',
      description:
        'Answers are replaced as a whole and validated where the survey is completed. `If-Match: "<version>"` refuses a change on top of a version that the caller has not seen. The identity clues of a completed survey are changed three times at most, then 409 INVALID_TRANSITION.',
      body: SurveyPatch,
      example: { status: 'COMPLETED', responses: MINIMAL_RESPONSES },
      reply: { 200: Survey },
      problems: ['EDIT_CONFLICT', 'INVALID_TRANSITION', 'REVIEW_CLOSED', ...Object.values(FAULT_PROBLEMS)],
      handle: async ({ actor, id, body, ifMatch, deps }) => {
        const { identityKey } = deps.config;
        return await whole(actor, await updateSurvey(actor, id, body, { ifMatch, identityKey }));
      },
    }),
    route({
      method: 'post',
      path: '/api/surveys/:id/take-code',
      summary: 'Take the referral code that another survey redeemed first',
      description:
        'For a code that was presented twice. This survey has no code and the flag REFERRAL_CODE_USED with the one that `from` has; it takes the code and its place in the tree, whatever the dates. `from` loses its place and gets that flag, so that the same way leads back. Seed and wave below both follow.',
      body: TakeCode,
      example: { from: '665f1c2ab7e4d90012345678', reason: 'The coupon had been copied.' },
      reply: { 200: Survey },
      problems: ['EDIT_CONFLICT', 'INVALID_TRANSITION'],
      handle: async ({ actor, id, body, ifMatch }) =>
        await whole(actor, await takeCode(actor, id, body, ifMatch)),
    }),
    route({
      method: 'post',
      path: '/api/surveys/:id/review',
      memory: 10,
      ifMatch: true,
      summary: 'Review a survey',
      description:
        'Approves it, sends it back or rejects it. Other answers, by someone else than the reviewer, make APPROVED and HAS_ISSUES RECEIVED again; those of a REJECTED one can only be changed by who may review it. Rejected interviews leave the sample and keep their place in the tree; their coupons stay good.',
      body: Review,
      example: { state: 'HAS_ISSUES', comment: 'The network size is missing.' },
      reply: { 200: Survey },
      problems: ['EDIT_CONFLICT', 'INVALID_TRANSITION'],
      handle: async ({ actor, id, body, ifMatch }) =>
        await whole(actor, await reviewSurvey(actor, id, body, ifMatch)),
    }),
    route({
      method: 'post',
      path: '/api/surveys/review',
      isLong: true,
      summary: 'Review many surveys at once',
      description: 'Each by itself, as `POST /api/surveys/:id/review` does it without If-Match.',
      body: BulkReview,
      example: { ids: ['665f1c2ab7e4d90012345678'], state: 'APPROVED' },
      reply: { 200: BulkReviewed },
      handle: async ({ actor, body, deps }) =>
        await reviewSurveys(actor, body, (error) => deps.log.error({ err: error }, 'a review failed')),
    }),
    route({
      method: 'get',
      path: '/api/surveys/:id/comments',
      summary: 'List the comments on a survey, newest first',
      query: CommentQuery,
      reply: { 200: SurveyCommentList },
      handle: async ({ actor, id, query, deps }) =>
        await listComments(await loadToRead(actor, id, deps.log), query),
    }),
    route({
      method: 'post',
      path: '/api/surveys/:id/comments',
      summary: 'Comment on a survey',
      description: 'A comment is never changed.',
      body: Comment,
      example: { text: 'The network size is missing.' },
      reply: { 201: SurveyComment },
      handle: async ({ actor, id, body }) => {
        return created(await addComment(actor, id, body), `/api/surveys/${id}/comments`);
      },
    }),
    route({
      method: 'post',
      path: '/api/surveys/:id/restore',
      summary: 'Undo the deletion of a survey',
      reply: { 200: Survey },
      handle: async ({ actor, id }) => await whole(actor, await restoreSurvey(actor, id)),
    }),
    route({
      method: 'post',
      path: '/api/surveys/:id/erase',
      memory: 10,
      ifMatch: true,
      summary: 'Erase the contents of a survey for good',
      description:
        'Deletes its answers, calculated values, coordinates, second copies, identity hashes and comments, and the values in its history. Its place in the tree, dates, coupons and network size stay; in the sample its answers are missing. Deleted surveys can be erased too. Backups made before still have everything.',
      body: Erase,
      example: { reason: 'Asked for on 21 November.' },
      reply: { 200: Survey },
      problems: ['EDIT_CONFLICT'],
      handle: async ({ actor, id, body: { reason }, ifMatch }) => {
        const mayErase = (survey: SurveyRecord) => actor.ability.can('erase', asSubject('Survey', survey));
        const erasure = { reason, ifMatch, mayErase };
        return await whole(actor, await eraseSurvey(id, erasure, authorOf(actor)));
      },
    }),
    route({
      method: 'delete',
      path: '/api/surveys/:id',
      summary: 'Delete a survey (soft)',
      description:
        'The recruitment tree keeps its shape; its code stays used; the codes that it issued stay good.',
      reply: { 204: null },
      handle: async ({ actor, id }) => {
        await deleteSurvey(actor, id);
        return noContent();
      },
    }),
  ]);
