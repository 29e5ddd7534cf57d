import type { Types } from 'mongoose';
import { PROBLEM_BY_CODE_FAULT } from '../../coupons/referral-codes/check.ts';
import { recordNameFinder } from '../../platform/audit/record-names.ts';
import { MAX_BODY_BYTES } from '../../platform/http/bodies/body.ts';
import type { Deps } from '../../platform/http/deps.ts';
import { dateFilter } from '../../platform/http/lists/date-range.ts';
import { idFilter } from '../../platform/http/lists/id-filter.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { isSealed } from '../../platform/http/receipts.ts';
import {
  createdReply,
  defineRoute,
  largeReply,
  noContentReply,
  routeGroup,
} from '../../platform/http/route.ts';
import { asSubject } from '../../platform/rights/ability.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import type { CollectionSettings } from '../../platform/rights/collection.ts';
import { findRecord, parseId, permittedFilter, visibleFilter } from '../../platform/rights/guard.ts';
import { cachedQuestionnaire } from '../../questionnaires/model.ts';
import { AnswersInWords, AnswersInWordsQuery } from '../../questionnaires/schema.ts';
import { MINIMAL_RESPONSES } from '../../questionnaires/shipped/default-questionnaire.ts';
import { answersInWords } from '../../questionnaires/validator/validator.ts';
import { fieldDecryptionKeys } from '../../study/settings/field-keys.ts';
import { type ContactSummary, findContactState } from '../contacts/store.ts';
import { updateSurvey } from './change/change.ts';
import { deleteSurvey, restoreSurvey } from './change/delete.ts';
import { hideNoteFromReader } from './change/note.ts';
import { takeOverCode } from './change/take-code.ts';
import { eraseSurvey } from './erase.ts';
import { importSurveys, MAX_IMPORT_BYTES } from './import/import.ts';
import { SurveyModel, type SurveyRecord } from './model.ts';
import { surveyHistory } from './read/history.ts';
import { listSurveys } from './read/list.ts';
import { authorizeSurveyRead, loadToRead, recordReadIfUnchanged } from './read/read.ts';
import { surveySearchFilter } from './read/search-filter.ts';
import { surveyReceiptOf } from './receipt.ts';
import { checkRepeatInterview } from './repeats/repeat-check.ts';
import { withRepeatFlag } from './repeats/repeat-detection.ts';
import { addComment, listComments } from './review/comments.ts';
import { applyReviewDecision, reviewSurveys, undoReview } from './review/review.ts';
import {
  BulkReview,
  BulkReviewed,
  ChangedSurvey,
  CommentInput,
  CommentQuery,
  MAX_SEALED_BYTES,
  RedeemedCodeTakeover,
  RepeatCheckRequest,
  RepeatCheckResult,
  Survey,
  SurveyComment,
  SurveyCommentList,
  SurveyErasureRequest,
  SurveyHistory,
  SurveyImport,
  SurveyImported,
  SurveyList,
  SurveyPatch,
  SurveyQuery,
  SurveyReceipt,
  SurveyReviewRequest,
  SurveySubmission,
  Unsealed,
  UnsealRequest,
} from './schema.ts';
import { openSubmission } from './sealed/open-sealed.ts';
import { unsealAnswers } from './sealed/unseal.ts';
import { withDuplicateSubmissions } from './submit/second-copies.ts';
import { storeSubmittedSurvey } from './submit/submit.ts';

function flagged(actor: Actor, flag: NonNullable<SurveyQuery['flag']>): object {
  if (flag !== 'any' && flag !== 'POSSIBLE_REPEAT') return { 'flags.code': flag };
  const any = { 'flags.code': { $gt: '' } };
  const repeat = { $and: [{ 'repeat.strength': { $gt: '' } }, permittedFilter(actor, 'review', 'Survey')] };
  if (flag === 'POSSIBLE_REPEAT') return repeat;
  return actor.ability.can('review', 'Survey') ? { $or: [any, repeat] } : any;
}

function filterOf(actor: Actor, query: SurveyQuery): object {
  const { location, round, seed, recruiter, createdBy, status, flag, review } = query;
  return {
    ...idFilter({ location, round, seed, recruiter, createdBy }),
    ...(status ? { status } : {}),
    // RECEIVED is not stored.
    ...(review ? { 'review.state': review === 'RECEIVED' ? null : review } : {}),
    ...(flag ? { $and: [flagged(actor, flag)] } : {}),
    ...dateFilter('createdAt', query, actor.zone),
  };
}

/** A single survey includes its second copies. */
const whole = async (
  actor: Actor,
  survey: SurveyRecord,
  contactOrRead: ContactSummary | null | ReturnType<typeof findContactState> = findContactState(survey._id),
) => {
  const [fullSurvey, contact] = await Promise.all([withDuplicateSubmissions(survey), contactOrRead]);
  const visibleSurvey = hideNoteFromReader(actor, await withRepeatFlag(actor, fullSurvey));
  return visibleSurvey === survey ? { ...visibleSurvey, contact } : largeReply({ ...visibleSurvey, contact });
};

const withoutAnswers = ({ responses: _, takesPart: __, note: ___, ...survey }: SurveyRecord) => ({
  ...survey,
  networkSize: null,
  coordinates: null,
});

/** The right to change, restore or erase an interview doesn't include the right to read it. */
const afterWrite = async (actor: Actor, survey: SurveyRecord, { log }: Deps) => {
  if (!actor.ability.can('read', asSubject('Survey', survey))) return withoutAnswers(survey);
  await recordReadIfUnchanged(actor, survey, log);
  return await whole(actor, survey);
};

/** The surveys with open findings of this check, or of any check, for the list's filter. */
type FindSuspects = (
  actor: Actor,
  check: Exclude<SurveyQuery['finding'], 'any'>,
) => Promise<Types.ObjectId[]>;

export function surveyRoutes(collections: readonly CollectionSettings[], findSuspects: FindSuspects) {
  const namesOf = recordNameFinder(collections);
  return routeGroup({ tag: 'Surveys' }, [
    defineRoute({
      method: 'get',
      path: '/api/surveys',
      memory: (query) => (query.fields === 'full' ? 'file' : 'page'),
      summary: 'List surveys that the caller may read',
      description:
        'Without `responses`, `coordinates`, `networkSize` and the copies in `flags`, unless `fields=full`. With it, a page has at most 2 MiB of JSON (but at least one survey), so `data` may be shorter than `limit` although there is a `nextCursor`.',
      query: SurveyQuery,
      reply: { 200: SurveyList },
      handle: async ({ actor, query, deps }) => {
        const searchFilter = await surveySearchFilter(actor, query.search);
        const suspects = query.finding && {
          _id: { $in: await findSuspects(actor, query.finding === 'any' ? undefined : query.finding) },
        };
        const filter = { ...filterOf(actor, query), ...searchFilter, ...suspects };
        return await listSurveys(actor, visibleFilter(actor, ['read'], SurveyModel, filter), query, deps.log);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/surveys/:id',
      // The largest survey needs 10 MB, but with the 4 MB of "small" more requests run at once.
      memory: 'small',
      summary: 'Get one survey',
      reply: { 200: Survey },
      readEarly: async ({ id = '' }) => {
        const surveyId = parseId(id);
        return await Promise.all([findRecord(SurveyModel, id), findContactState(surveyId)]);
      },
      handle: async ({ actor, early: [survey, contact], deps }) => {
        await authorizeSurveyRead(actor, survey, deps.log);
        return await whole(actor, survey, contact);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/surveys/:id/answers',
      memory: 'large',
      summary: 'Get the answers of a survey in words',
      description:
        'The questions that were shown with these answers, in order, each with its title and answer in the words of the questionnaire.',
      query: AnswersInWordsQuery,
      reply: { 200: AnswersInWords },
      handle: async ({ actor, id, query, deps }) => {
        const survey = await loadToRead(actor, id, deps.log);
        const { questionnaire, responses, erasedAt } = survey;
        if (erasedAt) return [];
        const record = await cachedQuestionnaire(questionnaire);
        if (!record) throw problem('NOT_FOUND');
        const { definition, identityQuestions } = record;
        const plain = { id: questionnaire.toHexString(), definition };
        const lines = await answersInWords(
          plain,
          responses,
          query.language ?? 'en',
          actor.user._id.toHexString(),
        );
        return largeReply(
          lines.map((line) => (identityQuestions?.includes(line.name) ? { ...line, kept: false } : line)),
        );
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/surveys/:id/history',
      memory: 'large',
      summary: 'Get what was changed in a survey, by whom and when',
      reply: { 200: SurveyHistory },
      handle: async ({ actor, id, deps }) => {
        const survey = await loadToRead(actor, id, deps.log);
        return largeReply(surveyHistory(actor, survey, namesOf));
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/surveys',
      summary: 'Submit a survey',
      description:
        'To try the example, put in the `id` of a location and the code of a coupon, such as a seed’s, or leave out `referralCode`. Its answers are the minimum that the built-in questionnaire requires.\n\nIn one transaction, it redeems a referral code or creates a walk-in seed, and issues codes if the survey is completed. If several requests use the same code, exactly one is stored. The answers can be in clear or `sealed` on the phone; the reply to a sealed survey is a receipt, as for a send token. A survey that was sealed for a key that the service doesn’t have gets 503 FIELD_KEY_UNKNOWN. Sending the same clientId again gets 200 with the stored survey; with different content it gets 409 EDIT_CONFLICT, and the copy is stored in `flags`.',
      body: SurveySubmission,
      maxBytes: MAX_SEALED_BYTES,
      maxBytesOf: (body) => (isSealed(body) ? MAX_SEALED_BYTES : MAX_BODY_BYTES),
      example: {
        location: '665f1c2ab7e4d90012345678',
        referralCode: 'ABCD-EFGC',
        responses: MINIMAL_RESPONSES,
      },
      reply: { 200: Survey, 201: Survey },
      sendToken: { reply: SurveyReceipt },
      problems: [...Object.values(PROBLEM_BY_CODE_FAULT), 'EDIT_CONFLICT', 'NO_ROUND'],
      handle: async ({ actor, body, deps }) => {
        const opened = openSubmission(body, actor.user._id, fieldDecryptionKeys(deps.config));
        const submitted = await storeSubmittedSurvey(actor, opened, deps.config);
        const survey =
          actor.isSendToken || isSealed(body)
            ? surveyReceiptOf(submitted.survey)
            : {
                ...(await withRepeatFlag(actor, submitted.survey)),
                contact:
                  opened.contact && !submitted.created
                    ? await findContactState(submitted.survey._id)
                    : submitted.contact,
              };
        return submitted.created ? createdReply(survey, `/api/surveys/${submitted.survey._id}`) : survey;
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/surveys/import',
      isLong: true,
      summary: 'Store interviews of someone else who can no longer send them',
      description:
        'For someone who was deleted or rejected, or may no longer interview there. Each survey is stored separately, as if `owner` had sent it with `onCodeProblem: "FLAG"`: `createdBy` and reserved codes are the owner\'s; the flag IMPORTED and the audit event name the caller, who may not review it, and by whom an incentive in it was paid. The owner\'s current location stays as it is. Sending the same surveys again gets 200 for each, and stores nothing. The body can have 3 MiB; send more in several requests.',
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
          config: deps.config,
          fieldKeys: fieldDecryptionKeys(deps.config),
          unexpected: (error) => deps.log.error({ err: error }, 'an import failed'),
        }),
    }),
    defineRoute({
      method: 'post',
      path: '/api/surveys/unseal',
      summary: 'Open what you sealed on a phone and can’t open there any more',
      description:
        'For its interviewer alone, such as one who has forgotten the PIN of the phone and wants to continue an unfinished interview. The session must be younger than 10 minutes, and with `deviceLock: PIN` it must come from a passkey or a colleague’s code, otherwise 403 FRESH_SIGN_IN. The history records that it was done, without values. An unknown key is 503 FIELD_KEY_UNKNOWN.',
      body: UnsealRequest,
      maxBytes: MAX_SEALED_BYTES,
      example: {
        clientId: '5b0c6f6e-52a5-4a6e-9b8e-0f6f2c1d7a11',
        sealed: 'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSA…',
      },
      reply: { 200: Unsealed },
      handle: async ({ actor, body, deps }) =>
        await unsealAnswers(actor, body, fieldDecryptionKeys(deps.config)),
    }),
    defineRoute({
      method: 'post',
      path: '/api/surveys/repeat-check',
      summary: 'Check if someone with these identity clues was interviewed before',
      description:
        "Only if the study allows it (`repeatCheck`), because anyone who knows someone's clues can learn that this person was here. Each user can check 30 times a day. The history records who checked, but not the clues, which are stored nowhere.",
      body: RepeatCheckRequest,
      example: {
        questionnaire: '665f1c2ab7e4d90012345678',
        clues: { birthDay: 7, birthMonth: '3', birthYear: 1971, firstNameStart: 'Zo', lastNameStart: 'Ng' },
      },
      reply: { 200: RepeatCheckResult },
      handle: async ({ actor, body, deps }) => await checkRepeatInterview(actor, body, deps.config),
    }),
    defineRoute({
      method: 'patch',
      path: '/api/surveys/:id',
      memory: 'large',
      ifMatch: true,
      summary: 'Update a survey',
      description:
        'Replaces all answers, and validates them if the survey is completed. `If-Match: "<version>"` refuses the change if the survey has changed since the caller read it. The identity clues of a completed survey can be changed three times, then 409 INVALID_TRANSITION.',
      body: SurveyPatch,
      example: { status: 'COMPLETED', responses: MINIMAL_RESPONSES },
      reply: { 200: ChangedSurvey },
      sendToken: { reply: SurveyReceipt, fields: ['issuedCodes'] },
      problems: [
        ...(['EDIT_CONFLICT', 'INVALID_TRANSITION', 'REVIEW_CLOSED', 'ROUND_CLOSED', 'NO_ROUND'] as const),
        ...Object.values(PROBLEM_BY_CODE_FAULT),
      ],
      handle: async ({ actor, id, body, ifMatch, deps }) => {
        const survey = await updateSurvey(actor, id, body, { ifMatch, config: deps.config });
        return actor.isSendToken ? surveyReceiptOf(survey) : await afterWrite(actor, survey, deps);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/surveys/:id/take-code',
      ifMatch: true,
      summary: 'Take over a referral code from the survey that redeemed it first',
      description:
        'For a code that was presented twice. This survey must have no code, and the flag REFERRAL_CODE_USED with the code that `from` has. It gets the code and its place in the tree, regardless of dates. `from` loses its place and gets that flag, so the change can be reversed in the same way. Seed and wave of everyone below both surveys are updated.',
      body: RedeemedCodeTakeover,
      example: { from: '665f1c2ab7e4d90012345678', reason: 'The coupon had been copied.' },
      reply: { 200: ChangedSurvey },
      problems: ['EDIT_CONFLICT', 'INVALID_TRANSITION'],
      handle: async ({ actor, id, body, ifMatch, deps }) =>
        await afterWrite(actor, await takeOverCode(actor, id, body, ifMatch), deps),
    }),
    defineRoute({
      method: 'post',
      path: '/api/surveys/:id/review',
      memory: 'large',
      ifMatch: true,
      summary: 'Review a survey',
      description:
        'Approves the survey, sends it back or rejects it. If someone other than the reviewer then changes its answers, APPROVED and HAS_ISSUES become RECEIVED again. Answers of a REJECTED survey can only be changed by people who may review it. Rejected interviews leave the sample but keep their place in the tree, and their coupons stay valid.',
      body: SurveyReviewRequest,
      example: { state: 'HAS_ISSUES', comment: 'The network size is missing.' },
      reply: { 200: ChangedSurvey },
      problems: ['EDIT_CONFLICT', 'INVALID_TRANSITION'],
      handle: async ({ actor, id, body, ifMatch, deps }) =>
        await afterWrite(actor, await applyReviewDecision(actor, id, body, ifMatch), deps),
    }),
    defineRoute({
      method: 'post',
      path: '/api/surveys/:id/review/undo',
      memory: 'large',
      ifMatch: true,
      summary: 'Take back a review',
      description:
        'Only the last reviewer can take back their own decision; the review is then what it was before. What the decision changed (the sample, incentives) is changed back. 409 if the answers were changed since.',
      reply: { 200: ChangedSurvey },
      problems: ['EDIT_CONFLICT', 'INVALID_TRANSITION'],
      handle: async ({ actor, id, ifMatch, deps }) =>
        await afterWrite(actor, await undoReview(actor, id, ifMatch), deps),
    }),
    defineRoute({
      method: 'post',
      path: '/api/surveys/review',
      isLong: true,
      summary: 'Review many surveys at once',
      description: 'Each one separately, like `POST /api/surveys/:id/review` without If-Match.',
      body: BulkReview,
      example: { ids: ['665f1c2ab7e4d90012345678'], state: 'APPROVED' },
      reply: { 200: BulkReviewed },
      handle: async ({ actor, body, deps }) =>
        await reviewSurveys(actor, body, (error) => deps.log.error({ err: error }, 'a review failed')),
    }),
    defineRoute({
      method: 'get',
      path: '/api/surveys/:id/comments',
      summary: 'List the comments on a survey, newest first',
      query: CommentQuery,
      reply: { 200: SurveyCommentList },
      handle: async ({ actor, id, query, deps }) =>
        await listComments(await loadToRead(actor, id, deps.log), query),
    }),
    defineRoute({
      method: 'post',
      path: '/api/surveys/:id/comments',
      summary: 'Comment on a survey',
      description: 'Comments can’t be changed.',
      body: CommentInput,
      example: { text: 'The network size is missing.' },
      reply: { 201: SurveyComment },
      handle: async ({ actor, id, body }) => {
        return createdReply(await addComment(actor, id, body), `/api/surveys/${id}/comments`);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/surveys/:id/restore',
      summary: 'Restore a deleted survey',
      reply: { 200: ChangedSurvey },
      handle: async ({ actor, id, deps }) => await afterWrite(actor, await restoreSurvey(actor, id), deps),
    }),
    defineRoute({
      method: 'post',
      path: '/api/surveys/:id/erase',
      memory: 'large',
      ifMatch: true,
      summary: 'Permanently erase the contents of a survey',
      description:
        'Deletes its answers, calculated values, coordinates, note, second copies, identity hashes and comments, and the values in its history. Its place in the tree, dates, coupons and network size stay; in the sample its answers count as missing. Deleted surveys can be erased too. Earlier backups still have everything.',
      body: SurveyErasureRequest,
      example: { reason: 'Asked for on 21 November.' },
      reply: { 200: ChangedSurvey },
      problems: ['EDIT_CONFLICT'],
      handle: async ({ actor, id, body: { reason }, ifMatch, deps }) => {
        const mayErase = (survey: SurveyRecord) => actor.ability.can('erase', asSubject('Survey', survey));
        const erasure = { reason, ifMatch, mayErase };
        return await afterWrite(actor, await eraseSurvey(id, erasure, authorFromActor(actor)), deps);
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/api/surveys/:id',
      summary: 'Delete a survey (soft)',
      description:
        'The recruitment tree keeps its shape, its code stays used, and the codes it issued stay valid.',
      reply: { 204: null },
      handle: async ({ actor, id }) => {
        await deleteSurvey(actor, id);
        return noContentReply();
      },
    }),
  ]);
}
