import mongoose from 'mongoose';
import { parseIfMatch } from '../../platform/http/if-match.ts';
import { MAX_LIST_PAGE_BYTES } from '../../platform/http/lists/page.ts';
import { readSerializedPage } from '../../platform/http/lists/serialized-page.ts';
import { serializerForSchema } from '../../platform/http/lists/stored-fields.ts';
import { createdReply, defineRoute, noContentReply, routeGroup } from '../../platform/http/route.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { findRecord, requireRightToCreate } from '../../platform/rights/guard.ts';
import {
  createQuestionnaireDraft,
  type DraftAuthor,
  deleteQuestionnaireDraft,
  updateDraft,
} from './change.ts';
import { QuestionnaireDraftModel } from './model.ts';
import {
  QuestionnaireDraft,
  QuestionnaireDraftCreate,
  QuestionnaireDraftList,
  QuestionnaireDraftPatch,
  QuestionnaireDraftQuery,
  QuestionnaireDraftSummary,
} from './schema.ts';

const LIST_PROJECTION = {
  fields: serializerForSchema(QuestionnaireDraftSummary),
  maxBytes: MAX_LIST_PAGE_BYTES,
  projection: { text: 0 } as const,
};

/** A 1 MiB definition with escaped quotes. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Everyone who may create questionnaires can use all drafts. */
function requireWriter(actor: Actor, now: Date): DraftAuthor {
  const by = actor.user._id;
  requireRightToCreate(actor, 'Questionnaire', { createdBy: by, createdAt: now });
  return { by, now, deadline: actor.deadline };
}

export const questionnaireDraftRoutes = routeGroup({ tag: 'Questionnaires' }, [
  defineRoute({
    method: 'get',
    path: '/api/questionnaire-drafts',
    memory: 'small',
    summary: 'List unfinished questionnaires',
    description:
      'Everyone who may store questionnaires shares them. Without their contents; get one to read it.',
    query: QuestionnaireDraftQuery,
    reply: { 200: QuestionnaireDraftList },
    handle: async ({ actor, query: { base, ...query }, now }) => {
      requireWriter(actor, now);
      const filter = base ? { base: new mongoose.Types.ObjectId(base) } : {};
      return await readSerializedPage(QuestionnaireDraftModel, filter, query, LIST_PROJECTION);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/questionnaire-drafts/:id',
    memory: 'small',
    summary: 'Get an unfinished questionnaire',
    reply: { 200: QuestionnaireDraft },
    handle: async ({ actor, id, now }) => {
      requireWriter(actor, now);
      return await findRecord(QuestionnaireDraftModel, id);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/questionnaire-drafts',
    summary: 'Store an unfinished questionnaire',
    description:
      'There can be 50. A draft is deleted 90 days after its last change. If the version `base` already has one: 409 EDIT_CONFLICT.',
    body: QuestionnaireDraftCreate,
    maxBytes: MAX_BYTES,
    example: {
      name: 'Winter count',
      text: '{"pages":[]}',
      networkSizeQuestion: '',
      takesPartIf: '',
      identityQuestions: [],
    },
    reply: { 201: QuestionnaireDraftSummary },
    problems: ['EDIT_CONFLICT', 'INVALID_TRANSITION'],
    handle: async ({ actor, body, now }) => {
      const draft = await createQuestionnaireDraft(body, requireWriter(actor, now));
      return createdReply(draft, `/api/questionnaire-drafts/${draft._id}`);
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/api/questionnaire-drafts/:id',
    summary: 'Change an unfinished questionnaire',
    ifMatch: true,
    body: QuestionnaireDraftPatch,
    maxBytes: MAX_BYTES,
    example: { name: 'Winter count' },
    reply: { 200: QuestionnaireDraftSummary },
    problems: ['EDIT_CONFLICT'],
    handle: async ({ actor, id, body, now, ifMatch }) =>
      await updateDraft(id, parseIfMatch(ifMatch), body, requireWriter(actor, now)),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/questionnaire-drafts/:id',
    summary: 'Delete an unfinished questionnaire',
    description: 'For good.',
    ifMatch: true,
    reply: { 204: null },
    problems: ['EDIT_CONFLICT'],
    handle: async ({ actor, id, now, ifMatch }) => {
      requireWriter(actor, now);
      await deleteQuestionnaireDraft(id, parseIfMatch(ifMatch));
      return noContentReply();
    },
  }),
]);
