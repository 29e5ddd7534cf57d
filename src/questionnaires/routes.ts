import { z } from 'zod';
import { declaredFields } from '../http/declared-fields.ts';
import { MAX_PAGE_BYTES } from '../http/page-bytes.ts';
import { problem } from '../http/problem.ts';
import { created, route, routeGroup, streamed } from '../http/route.ts';
import { serializedPage } from '../http/serialized-page.ts';
import { authorOf } from '../rights/actor.ts';
import { load, mayChange, mayCreate, parseId, requireRight, visible } from '../rights/guard.ts';
import { activateQuestionnaire, createQuestionnaire } from './change.ts';
import { type QuestionnaireRecord, Questionnaires } from './model.ts';
import {
  Questionnaire,
  QuestionnaireActivate,
  QuestionnaireCreate,
  QuestionnaireList,
  QuestionnaireQuery,
  QuestionnaireRead,
  XlsformQuery,
} from './schema.ts';
import { writeXlsform } from './validator.ts';
import { readFormFile } from './xlsform/read-file.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** What any file system takes. */
const fileName = (name: string) => name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'form';

const LISTED = {
  serialize: declaredFields(Questionnaire),
  maxBytes: MAX_PAGE_BYTES,
  projection: { codebook: 0 } as const,
};

export const questionnaireRoutes = routeGroup({ tag: 'Questionnaires' }, [
  route({
    method: 'get',
    path: '/api/questionnaires',
    memory: 16,
    summary: 'List questionnaires, all versions',
    description:
      'A page ends before 2 MiB of JSON, after one version at the least, so that `data` may be shorter than `limit` while `nextCursor` goes on.',
    query: QuestionnaireQuery,
    isForAll: true,
    reply: { 200: QuestionnaireList },
    handle: async ({ actor, query }) =>
      await serializedPage(Questionnaires, visible(actor, ['read'], Questionnaires, {}), query, LISTED),
  }),
  route({
    method: 'get',
    path: '/api/questionnaires/active',
    memory: 4,
    summary: 'The questionnaire that new interviews answer',
    isForAll: true,
    reply: { 200: Questionnaire },
    problems: ['NOT_FOUND'],
    handle: async () => {
      const active = await Questionnaires.findOne({ active: true }).lean<QuestionnaireRecord>();
      if (!active) throw problem('NOT_FOUND');
      return active;
    },
  }),
  route({
    method: 'get',
    path: '/api/questionnaires/:id',
    memory: 4,
    summary: 'Get one version of a questionnaire',
    isForAll: true,
    reply: { 200: Questionnaire },
    handle: async ({ actor, id }) => await load(actor, 'read', Questionnaires, id),
  }),
  route({
    method: 'get',
    path: '/api/questionnaires/:id/xlsform',
    memory: 8,
    summary: 'One version as a form of XLSForm',
    description:
      'An .xlsx file with the sheets `survey`, `choices` and `settings`, as other programs of the field read it. What has no counterpart there stands in a fourth sheet, `left_out`, by sheet and row, in `language`. The settings `questionnaire_name`, `network_size_question`, `takes_part_if` and `identity_questions` are of this service; other programs pass over them.',
    query: XlsformQuery,
    isForAll: true,
    reply: { 200: XLSX },
    handle: async ({ actor, id, query }) => {
      const found = await load(actor, 'read', Questionnaires, id);
      const { name, version, definition, networkSizeQuestion, takesPartIf = null } = found;
      const { identityQuestions = null } = found;
      const form = { name, version, definition, networkSizeQuestion, takesPartIf, identityQuestions };
      const file = await writeXlsform(form, query.language);
      return streamed(`${fileName(name)}-${version}.xlsx`, async (out) => void out.end(file));
    },
  }),
  route({
    method: 'post',
    path: '/api/questionnaires/xlsform',
    summary: 'Read a form of XLSForm',
    description:
      'The body is the .xlsx file itself, of 2 MiB at most, which unpacks to 16 MiB at most. Stores nothing: what comes back can be sent to `POST /api/questionnaires`. `notes` name by sheet and row what has no counterpart and was left out: rules first, then questions and texts, then what makes no difference. Where there are `faults`, there is no `definition`.',
    body: z.instanceof(Uint8Array),
    fileTypes: [XLSX, 'application/octet-stream'],
    maxBytes: 2 * 1024 * 1024,
    reply: { 200: QuestionnaireRead },
    handle: async ({ actor, body, now }) => {
      mayCreate(actor, 'Questionnaire', { createdBy: actor.user._id, createdAt: now });
      return await readFormFile(body);
    },
  }),
  route({
    method: 'post',
    path: '/api/questionnaires',
    summary: 'Store a new version of a questionnaire',
    description:
      'Versions never change; the server numbers them by name. A new one is not active yet. A condition, a calculated value or a text that refers to a question that does not exist is refused at its path, with the name in `params`.',
    body: QuestionnaireCreate,
    example: {
      name: 'Winter count',
      definition: { pages: [{ elements: [{ type: 'text', inputType: 'number', name: 'networkSize' }] }] },
      networkSizeQuestion: 'networkSize',
    },
    reply: { 201: Questionnaire },
    handle: async ({ actor, body, now }) => {
      mayCreate(actor, 'Questionnaire', { ...body, createdBy: actor.user._id, createdAt: now });
      const made = await createQuestionnaire(body, authorOf(actor));
      return created(made, `/api/questionnaires/${made._id}`);
    },
  }),
  route({
    method: 'patch',
    path: '/api/questionnaires/:id',
    summary: 'Activate a version of a questionnaire',
    description: 'The one that was active is not any more. Interviews under way keep theirs.',
    body: QuestionnaireActivate,
    example: { active: true },
    reply: { 200: Questionnaire },
    handle: async ({ actor, id, body }) => {
      const allow = (found: QuestionnaireRecord) => {
        requireRight(actor, 'update', 'Questionnaire', found);
        mayChange(actor, 'Questionnaire', found, body);
      };
      return await activateQuestionnaire(parseId(id), authorOf(actor), allow);
    },
  }),
]);
