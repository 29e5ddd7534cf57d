import { z } from 'zod';
import { MAX_LIST_PAGE_BYTES } from '../platform/http/lists/page.ts';
import { readSerializedPage } from '../platform/http/lists/serialized-page.ts';
import { serializerForSchema } from '../platform/http/lists/stored-fields.ts';
import { problem } from '../platform/http/problems/problem.ts';
import { createdReply, defineRoute, routeGroup, streamedFile } from '../platform/http/route.ts';
import { authorFromActor } from '../platform/rights/actor.ts';
import { loadPermittedRecord, requireRightToCreate, visibleFilter } from '../platform/rights/guard.ts';
import { createQuestionnaire } from './change.ts';
import { QuestionnaireModel, type QuestionnaireRecord } from './model.ts';
import { readFormFile } from './read-file.ts';
import {
  Questionnaire,
  QuestionnaireCreate,
  QuestionnaireFromXlsform,
  QuestionnaireList,
  QuestionnaireQuery,
  XlsformQuery,
} from './schema.ts';
import { writeXlsform } from './validator/validator.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Only characters that every file system accepts. */
const fileName = (name: string) => name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'form';

const LIST_PROJECTION = {
  fields: serializerForSchema(Questionnaire),
  maxBytes: MAX_LIST_PAGE_BYTES,
  projection: { codebook: 0 } as const,
};

export const questionnaireRoutes = routeGroup({ tag: 'Questionnaires' }, [
  defineRoute({
    method: 'get',
    path: '/api/questionnaires',
    memory: 'file',
    summary: 'List questionnaires, all versions',
    description:
      'A page has at most 2 MiB of JSON (but at least one version), so `data` may be shorter than `limit` although there is a `nextCursor`.',
    query: QuestionnaireQuery,
    reply: { 200: QuestionnaireList },
    handle: async ({ actor, query }) =>
      await readSerializedPage(
        QuestionnaireModel,
        visibleFilter(actor, ['read'], QuestionnaireModel, {}),
        query,
        LIST_PROJECTION,
      ),
  }),
  defineRoute({
    method: 'get',
    path: '/api/questionnaires/active',
    memory: 'small',
    summary: 'Get the active questionnaire, for new interviews',
    reply: { 200: Questionnaire },
    problems: ['NOT_FOUND'],
    handle: async () => {
      const active = await QuestionnaireModel.findOne({ active: true }).lean<QuestionnaireRecord>();
      if (!active) throw problem('NOT_FOUND');
      return active;
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/questionnaires/:id',
    memory: 'small',
    summary: 'Get one version of a questionnaire',
    reply: { 200: Questionnaire },
    handle: async ({ actor, id }) => await loadPermittedRecord(actor, 'read', QuestionnaireModel, id),
  }),
  defineRoute({
    method: 'get',
    path: '/api/questionnaires/:id/xlsform',
    memory: 'large',
    summary: 'Get one version as an XLSForm',
    description:
      'An .xlsx file with the sheets `survey`, `choices` and `settings`, for other survey programs. Anything that XLSForm can’t express is listed in a fourth sheet, `left_out`, by sheet and row, in `language`. Only this service uses the settings `questionnaire_name`, `network_size_question`, `takes_part_if` and `identity_questions`; other programs ignore them.',
    query: XlsformQuery,
    reply: { 200: XLSX },
    handle: async ({ actor, id, query }) => {
      const questionnaire = await loadPermittedRecord(actor, 'read', QuestionnaireModel, id);
      const { name, version, definition, networkSizeQuestion, takesPartIf = null } = questionnaire;
      const { identityQuestions = null } = questionnaire;
      const form = { name, version, definition, networkSizeQuestion, takesPartIf, identityQuestions };
      const file = await writeXlsform(form, query.language, actor.user._id.toHexString());
      return streamedFile(`${fileName(name)}-${version}.xlsx`, async (out) => void out.end(file));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/questionnaires/xlsform',
    summary: 'Convert an XLSForm',
    description:
      'The body is the .xlsx file itself, at most 2 MiB, and at most 16 MiB when unpacked. Stores nothing; you can send the result to `POST /api/questionnaires`. `notes` list by sheet and row what was left out because it has no counterpart: rules first, then questions and texts, then harmless differences. If there are `faults`, there is no `definition`.',
    body: z.instanceof(Uint8Array),
    fileTypes: [XLSX, 'application/octet-stream'],
    maxBytes: 2 * 1024 * 1024,
    reply: { 200: QuestionnaireFromXlsform },
    handle: async ({ actor, body, now }) => {
      requireRightToCreate(actor, 'Questionnaire', { createdBy: actor.user._id, createdAt: now });
      return await readFormFile(body, actor.user._id.toHexString());
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/questionnaires',
    summary: 'Store a new version of a questionnaire',
    description:
      'Versions never change; the server numbers them for each name. A new version is not active. If a condition, calculated value or text refers to a question that does not exist, the version is refused with its path, and the name in `params`.',
    body: QuestionnaireCreate,
    example: {
      name: 'Winter count',
      definition: { pages: [{ elements: [{ type: 'text', inputType: 'number', name: 'networkSize' }] }] },
      networkSizeQuestion: 'networkSize',
    },
    reply: { 201: Questionnaire },
    handle: async ({ actor, body, now }) => {
      requireRightToCreate(actor, 'Questionnaire', { ...body, createdBy: actor.user._id, createdAt: now });
      const questionnaire = await createQuestionnaire(body, authorFromActor(actor));
      return createdReply(questionnaire, `/api/questionnaires/${questionnaire._id}`);
    },
  }),
]);
