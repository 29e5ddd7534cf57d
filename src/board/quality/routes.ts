import { defineRoute, routeGroup } from '../../platform/http/route.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { requireReadsAll } from '../../platform/rights/guard.ts';
import { dismissFinding } from './dismiss.ts';
import { listFindingGroups, listFindings } from './list.ts';
import {
  FindingDismiss,
  FindingGroupList,
  FindingGroupQuery,
  QualityFinding,
  QualityFindingList,
  QualityQuery,
} from './schema.ts';

/** Required because interviews of all sites are compared with each other. */
const requireRecruitment = (actor: Actor): void => requireReadsAll(actor, 'Recruitment');

export const qualityRoutes = routeGroup({ tag: 'Quality' }, [
  defineRoute({
    method: 'get',
    path: '/api/quality',
    isLong: true,
    memory: 'small',
    summary: 'List interviews that may be wrong, worst first',
    description:
      "Findings about an interviewer's work come first, then those about single interviews, sorted by how many times the value is beyond its limit. A finding refuses or changes nothing. Only people who may review the survey see POSSIBLE_REPEAT, and only people who may read it FAR_FROM_SITE.",
    query: QualityQuery,
    reply: { 200: QualityFindingList },
    handle: async ({ actor, query }) => {
      requireRecruitment(actor);
      return await listFindings(actor, query);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/quality/groups',
    isLong: true,
    memory: 'small',
    summary: 'List findings by interviewer and check, worst first',
    description: 'One row for each interviewer and check. `GET /api/quality` with both lists its findings.',
    query: FindingGroupQuery,
    reply: { 200: FindingGroupList },
    handle: async ({ actor, query }) => {
      requireRecruitment(actor);
      return await listFindingGroups(actor, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/quality/:id/dismiss',
    memory: 'small',
    summary: 'Dismiss a finding, with a comment',
    description:
      'It stays dismissed until the value changes. Dismissing it again replaces the comment. 404 if the finding no longer exists.',
    body: FindingDismiss,
    example: { comment: 'The group came together; I was there.' },
    reply: { 200: QualityFinding },
    handle: async ({ actor, id, body }) => {
      requireRecruitment(actor);
      return await dismissFinding(actor, id, body.comment);
    },
  }),
]);
