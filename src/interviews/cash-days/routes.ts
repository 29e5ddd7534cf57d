import { createdReply, defineRoute, routeGroup } from '../../platform/http/route.ts';
import { closeDay } from './close.ts';
import { listCashDays, showCashDay } from './list.ts';
import { reopenCashDay } from './reopen.ts';
import { CashDay, CashDayClose, CashDayList, CashDayQuery, CashDayReopen } from './schema.ts';

export const cashDayRoutes = routeGroup({ tag: 'Cash' }, [
  defineRoute({
    method: 'get',
    path: '/api/cash-days',
    memory: 'page',
    summary: 'List closed days of cash boxes, limited to those that the caller may read',
    description:
      'Also those that were reopened. A day keeps the figures with which it was closed; `paidNow` says what is known by now.',
    query: CashDayQuery,
    reply: { 200: CashDayList },
    handle: async ({ actor, query }) => await listCashDays(actor, query),
  }),
  defineRoute({
    method: 'post',
    path: '/api/cash-days',
    summary: 'Close the day of a site’s cash box',
    description:
      'Stores what was counted beside what was paid in cash at the site on that day. A day can be closed once until it is reopened; of several requests at the same time exactly one succeeds. Later payments on that day are possible and do not change it. Managers can close the current day of their own site.',
    body: CashDayClose,
    example: { location: '665f1c2ab7e4d90012345678', day: '2026-11-21', opening: '100.00', counted: '60.00' },
    reply: { 201: CashDay },
    problems: ['DAY_CLOSED'],
    handle: async ({ actor, body }) => {
      const day = await closeDay(actor, body);
      return createdReply(
        await showCashDay(actor, day),
        `/api/cash-days?location=${day.location}&from=${day.day}&to=${day.day}`,
      );
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/cash-days/:id/reopen',
    summary: 'Reopen a closed day, so that it can be closed again',
    description: 'The record stays in the list, with the reason.',
    body: CashDayReopen,
    example: { reason: 'A bundle of notes was counted twice.' },
    reply: { 200: CashDay },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, id, body }) =>
      await showCashDay(actor, await reopenCashDay(actor, id, body.reason)),
  }),
]);
