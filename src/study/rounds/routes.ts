import type { Deps } from '../../platform/http/deps.ts';
import { loadRecordPage } from '../../platform/http/lists/page.ts';
import { createdReply, defineRoute, routeGroup } from '../../platform/http/route.ts';
import { loadPermittedRecord, visibleFilter } from '../../platform/rights/guard.ts';
import { loadStudy } from '../settings/model.ts';
import { closeRound, openRound, renameRound, reopenRound, roundWithStudyFields } from './change.ts';
import { RoundModel, type RoundRecord } from './model.ts';
import {
  OpenedRound,
  Round,
  RoundClosingPreview,
  RoundCreate,
  RoundList,
  RoundPatch,
  RoundQuery,
} from './schema.ts';

/** What is still outstanding in a round when it is closed. */
export interface OutstandingInRound {
  couponsOut: number;
  devices: object[];
  due: { count: number; total: string | null };
  unreviewed: number;
}

declare module '../../platform/http/deps.ts' {
  interface Deps {
    /** Passed in, because it counts interviews and incentives, which this folder must not import. */
    unsentInRound(round: RoundRecord, now: Date): Promise<OutstandingInRound>;
  }
}

const toReply = async (round: RoundRecord) => roundWithStudyFields(round, await loadStudy());

async function closing(round: RoundRecord, { deps, now }: { deps: Deps; now: Date }) {
  const [shownRound, out] = await Promise.all([toReply(round), deps.unsentInRound(round, now)]);
  return { round: shownRound, ...out };
}

export const roundRoutes = routeGroup({ tag: 'Rounds' }, [
  defineRoute({
    method: 'get',
    path: '/api/rounds',
    memory: 'page',
    summary: 'List rounds',
    description: 'Each round is one sample of the study, with chains of its own.',
    query: RoundQuery,
    reply: { 200: RoundList },
    handle: async ({ actor, query }) => {
      const [study, rounds] = await Promise.all([
        loadStudy(),
        loadRecordPage(RoundModel, visibleFilter(actor, ['read'], RoundModel, {}), query),
      ]);
      return { ...rounds, data: rounds.data.map((round) => roundWithStudyFields(round, study)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/rounds/:id',
    summary: 'Get one round',
    reply: { 200: Round },
    handle: async ({ actor, id }) => await toReply(await loadPermittedRecord(actor, 'read', RoundModel, id)),
  }),
  defineRoute({
    method: 'post',
    path: '/api/rounds',
    summary: 'Open a round',
    description:
      'Only while none is open. Its last day, target and population size become those of the study. From now on, walk-ins and new seeds belong to it.',
    body: RoundCreate,
    example: { name: 'Winter 2028', startsOn: '2028-01-20', endsOn: '2028-03-31', resetVolunteers: true },
    reply: { 201: OpenedRound },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, body }) => {
      const { round, volunteers } = await openRound(actor, body);
      const reply = { ...(await toReply(round)), ...(volunteers && { volunteers }) };
      return createdReply(reply, `/api/rounds/${round._id}`);
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/api/rounds/:id',
    summary: 'Rename a round',
    body: RoundPatch,
    example: { name: 'Winter 2028' },
    reply: { 200: Round },
    handle: async ({ actor, id, body }) => await toReply(await renameRound(actor, id, body.name)),
  }),
  defineRoute({
    method: 'get',
    path: '/api/rounds/:id/closing',
    summary: 'Get what a round still waits for',
    description: 'Look at it before you close the round.',
    reply: { 200: RoundClosingPreview },
    handle: async ({ actor, id, deps, now }) =>
      await closing(await loadPermittedRecord(actor, 'update', RoundModel, id), { deps, now }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/rounds/:id/close',
    summary: 'Close a round',
    description:
      'Its live coupons and unused seeds are expired for interviews held from now on. Interviews that were held before and arrive later still count in it, and what is owed stays payable.',
    reply: { 200: RoundClosingPreview },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, id, deps, now }) => {
      const before = await closing(await loadPermittedRecord(actor, 'update', RoundModel, id), { deps, now });
      const round = await closeRound(actor, id, deps.now);
      return { ...before, round };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/rounds/:id/reopen',
    summary: 'Reopen a closed round',
    description: 'Only while no later round exists. Its coupons are live again, by their own dates.',
    reply: { 200: Round },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, id }) => await toReply(await reopenRound(actor, id)),
  }),
]);
