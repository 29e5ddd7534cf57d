import { problem } from '../http/problem.ts';
import { route, routeGroup } from '../http/route.ts';
import type { Actor } from '../rights/actor.ts';
import { readsAll } from '../rights/guard.ts';
import { dismissFinding } from './dismiss.ts';
import { listFindings } from './list.ts';
import { Dismiss, QualityFinding, QualityFindingList, QualityQuery } from './schema.ts';

/** Interviews of all sites are compared with each other. */
function requireRecruitment(actor: Actor): void {
  if (!readsAll(actor, 'Recruitment')) throw problem('FORBIDDEN');
}

export const qualityRoutes = routeGroup({ tag: 'Quality' }, [
  route({
    method: 'get',
    path: '/api/quality',
    isLong: true,
    memory: 2,
    summary: 'What is odd about interviews, the worst first',
    description:
      "First what is about an interviewer's work, then single interviews; by how many times the value is beyond its limit. Nothing is refused or changed because of a finding. POSSIBLE_REPEAT is listed only to who may review the survey.",
    query: QualityQuery,
    reply: { 200: QualityFindingList },
    handle: async ({ actor, query }) => {
      requireRecruitment(actor);
      return await listFindings(actor, query);
    },
  }),
  route({
    method: 'post',
    path: '/api/quality/:id/dismiss',
    memory: 2,
    summary: 'Dismiss a finding, with a comment',
    description:
      'It holds until the value changes. Again: the new comment replaces the old one. 404 where there is no such finding any more.',
    body: Dismiss,
    example: { comment: 'The group came together; I was there.' },
    reply: { 200: QualityFinding },
    handle: async ({ actor, id, body }) => {
      requireRecruitment(actor);
      return await dismissFinding(actor, id, body.comment);
    },
  }),
]);
