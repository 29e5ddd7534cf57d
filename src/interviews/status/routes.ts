import { problem } from '../../platform/http/problems/problem.ts';
import { defineRoute, largeReply, routeGroup } from '../../platform/http/route.ts';
import { findRespondentStatus, limitStatusRequests } from './find.ts';
import { RespondentStatusReply } from './schema.ts';

export const respondentStatusRoutes = routeGroup({ tag: 'Surveys' }, [
  defineRoute({
    method: 'get',
    path: '/api/status/:secret',
    access: 'public',
    memory: 'small',
    summary: 'Get the totals of the person who has this secret',
    description:
      'For people who were interviewed: the phone makes the secret at the end of the interview and sends its hash as `statusHash`. Totals as of the last midnight, so that nobody learns when someone came. 404 for an unknown secret, which takes as long, and while the study’s `statusPage` is OFF. 300 an hour for each address.',
    reply: { 200: RespondentStatusReply },
    problems: ['NOT_FOUND', 'RATE_LIMITED'],
    handle: async ({ params, address, now, deps: { config } }) => {
      await limitStatusRequests(address, config);
      const { study, sites, totals } = await findRespondentStatus(params.secret ?? '', now, config);
      if (!totals) throw problem('NOT_FOUND');
      return largeReply({ study, sites, ...totals });
    },
  }),
]);
