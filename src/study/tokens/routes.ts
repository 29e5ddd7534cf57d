import { loadRecordPage } from '../../platform/http/lists/page.ts';
import { createdReply, defineRoute, noContentReply, routeGroup } from '../../platform/http/route.ts';
import { visibleFilter } from '../../platform/rights/guard.ts';
import { createReadToken } from './create.ts';
import { endToken } from './end.ts';
import { ReadTokenModel } from './model.ts';
import { NewToken, ReadTokenCreate, TokenList, TokenQuery } from './schema.ts';

export const tokenRoutes = routeGroup({ tag: 'Tokens' }, [
  defineRoute({
    method: 'get',
    path: '/api/tokens',
    memory: 'page',
    summary: 'List the read tokens of programs',
    description: 'Those that nobody has ended, including expired ones; never the tokens themselves.',
    query: TokenQuery,
    reply: { 200: TokenList },
    handle: async ({ actor, query }) =>
      await loadRecordPage(ReadTokenModel, visibleFilter(actor, ['read'], ReadTokenModel, {}), query),
  }),
  defineRoute({
    method: 'post',
    path: '/api/tokens',
    summary: 'Make a read token for a program',
    description:
      'The reply shows it once. `Authorization: Bearer fst_…` is then valid for GET requests under /api/exports (`EXPORTS`), /api/analysis (`RESULTS`) and /api/recruitment (`RECRUITMENT`), and every other request gets 403. It reads what an admin reads, with small cells hidden, and with `EXPORTS` every interview. Reads are recorded in the history as the token’s. It ends on its last day, with DELETE, or once its maker is no longer an approved super admin. There can be 50 at a time.',
    body: ReadTokenCreate,
    example: { name: 'Weekly figures in R', scopes: ['EXPORTS', 'RESULTS'], expiresOn: '2027-06-30' },
    reply: { 201: NewToken },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, body }) => {
      const newToken = await createReadToken(actor, body);
      return createdReply(newToken, `/api/tokens/${newToken.id}`);
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/tokens/:id',
    summary: 'End a read token',
    reply: { 204: null },
    handle: async ({ actor, id }) => {
      await endToken(actor, id);
      return noContentReply();
    },
  }),
]);
