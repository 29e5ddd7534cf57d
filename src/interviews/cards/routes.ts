import { z } from 'zod';
import { problem } from '../../platform/http/problems/problem.ts';
import { defineRoute, routeGroup } from '../../platform/http/route.ts';
import { authorFromActor } from '../../platform/rights/actor.ts';
import { requireReadsAll } from '../../platform/rights/guard.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { importCards } from './import.ts';
import { listCards } from './list.ts';
import { CardQuery, CardRecordShown, CardSummary, CardsImported, CardVoid, GiftCardList } from './schema.ts';
import { loadGiftCardSummary } from './summary.ts';
import { voidCard } from './void.ts';

const File = z.instanceof(Buffer);

export const cardRoutes = routeGroup({ tag: 'Cards' }, [
  defineRoute({
    method: 'post',
    path: '/api/cards/import',
    summary: 'Store gift cards from a CSV file',
    description:
      'Columns `number,pin,link,amount,currency,expiresOn`, of which a number or a link, `amount` and `currency` are required; at most 1,000 cards. All or nothing: `errors` names each faulty line, and each that repeats a card (`lines.7`). Numbers, PINs and links are sealed.',
    body: File,
    fileTypes: ['text/csv', 'application/octet-stream'],
    example: 'number,pin,link,amount,currency,expiresOn\n6039501234567890,1234,,20.00,USD,2027-12-31\n',
    reply: { 200: CardsImported },
    problems: ['EDIT_CONFLICT'],
    handle: async ({ actor, body, deps }) => {
      if (!actor.ability.can('create', 'Card')) throw problem('FORBIDDEN');
      const { contactKey } = deps.config;
      return {
        imported: await importCards(body, { ...authorFromActor(actor), contactKey, zone: actor.zone }),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/cards',
    memory: 'page',
    summary: 'List gift cards, the newest first',
    description: 'Without numbers, PINs and links; only the last four characters.',
    query: CardQuery,
    reply: { 200: GiftCardList },
    handle: async ({ actor, query }) => await listCards(actor, query),
  }),
  defineRoute({
    method: 'get',
    path: '/api/cards/summary',
    memory: 'small',
    summary: 'Get how many gift cards of each amount are left',
    reply: { 200: CardSummary },
    handle: async ({ actor, now }) => {
      requireReadsAll(actor, 'Card');
      return await loadGiftCardSummary(await loadStudy(), now, actor.zone);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/cards/:id/void',
    summary: 'Void a gift card that was not given to anybody',
    body: CardVoid,
    example: { reason: 'The vendor says it was used.' },
    reply: { 200: CardRecordShown },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, id, body }) => await voidCard(actor, id, body.reason),
  }),
]);
