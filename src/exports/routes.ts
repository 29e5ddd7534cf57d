/** The study's files. Only a few are created at a time, and clients that don't read are cut off. */
import mongoose, { type mongo } from 'mongoose';
import type { z } from 'zod';
import { IncentiveModel } from '../interviews/incentives/model.ts';
import { SurveyModel } from '../interviews/surveys/model.ts';
import { recordExportRead } from '../interviews/surveys/read/read.ts';
import { streamTo } from '../platform/http/bodies/backpressure.ts';
import { WorkQueue } from '../platform/http/limits/work-queue.ts';
import { dateFilter } from '../platform/http/lists/date-range.ts';
import { defineRoute, routeGroup, streamedFile } from '../platform/http/route.ts';
import {
  findVisible,
  type HasAbility,
  readsAll,
  requireReadsAll,
  visibleFilter,
} from '../platform/rights/guard.ts';
import { requestedRound } from '../study/rounds/requested.ts';
import { incentiveFilterForSite, incentiveReaderOf } from './interviews/incentives.ts';
import {
  EXPORT_FILE_NAMES,
  EXPORT_FILES,
  type ExportName,
  GiftCardsExportQuery,
  IncentivesExportQuery,
  InterviewsExportQuery,
  SampleExportQuery,
} from './schema.ts';
import { writeExportFile } from './write-file.ts';

const places = new WorkQueue({
  capacity: 2,
  each: 1,
  maxWaiting: 20,
  maxWaitingEach: 2,
  overloadProblem: 'MAKING_ALREADY',
});

const PERMISSION_TEXTS = {
  incentives:
    'Contains the incentives that the caller may read, with who paid and who interviewed, and the claim numbers and coupons that the caller may know. `location` is where they were paid or, for unpaid ones, the site of the interview. With `paidFrom`, `paidTo` or both, the file has the payments of these days in order of time: the ones that GET /api/incentives/summary counts from `from` to `to`. The history records each download.',
  cards:
    'Only for callers who may read cards. Contains no whole number, PIN or link. With `from`, `to` or both, only cards given then. The history records each download.',
  interviews: 'Contains the interviews that the caller may read. The history records each download.',
  sample:
    "Only for callers who may read every interview, because part of a tree is useless. The sample is checked first. If it breaks a rule (interviews that recruited each other in a circle, a network size below 0), there is no file, and `errors` lists the interviews. An interview that started before its recruiter's gets the recruiter's start. The file contains no coupon codes. The history records each download.",
};

const FILES_WITHOUT_ANSWERS: readonly ExportName[] = ['codebook.csv', 'incentives.csv', 'cards.csv'];

const FILE_SPECS: Partial<Record<ExportName, { may: string; query: z.ZodObject }>> = {
  'incentives.csv': { may: PERMISSION_TEXTS.incentives, query: IncentivesExportQuery },
  'cards.csv': { may: PERMISSION_TEXTS.cards, query: GiftCardsExportQuery },
};

export const exportRoutes = routeGroup(
  { tag: 'Exports', isLong: true },
  EXPORT_FILE_NAMES.map((name) => {
    const { type, ofSample, summary } = EXPORT_FILES[name];
    return defineRoute({
      method: 'get',
      path: `/api/exports/${name}`,
      memory: 'large',
      summary,
      description: ofSample
        ? PERMISSION_TEXTS.sample
        : (FILE_SPECS[name]?.may ?? PERMISSION_TEXTS.interviews),
      query: (ofSample
        ? SampleExportQuery
        : (FILE_SPECS[name]?.query ?? InterviewsExportQuery)) as typeof IncentivesExportQuery,
      reply: { 200: type },
      problems: ofSample ? ['SAMPLE_BROKEN'] : [],
      handle: async ({ actor, query, now, deps }) => {
        if (ofSample) requireReadsAll(actor, 'Survey');
        const { location, from, to, paidBy, paidFrom, paidTo } = query;
        const { _id: round } = (await requestedRound(query.round)).round;
        const between = { round, ...dateFilter('createdAt', { from, to }, actor.zone) };
        const site = location ? new mongoose.Types.ObjectId(location) : null;
        if (name === 'cards.csv') requireReadsAll(actor, 'Card');
        const match =
          name === 'cards.csv'
            ? dateFilter('givenAt', { from, to }, actor.zone)
            : name === 'incentives.csv'
              ? (visibleFilter(actor, ['read'], IncentiveModel, {
                  ...incentiveFilterForSite(between, site),
                  // The partial index contains only paid incentives, and is used only for queries that imply that.
                  ...dateFilter(
                    'paidAt',
                    { from: paidFrom ?? (paidTo && new Date(1)), to: paidTo },
                    actor.zone,
                    {
                      from: 'paidFrom',
                      to: 'paidTo',
                    },
                  ),
                  ...(paidBy && { paidBy: new mongoose.Types.ObjectId(paidBy) }),
                }) as mongo.Document)
              : matchFor(actor, { ...between, ...(site && { location: site }) });
        const by = actor.user._id;
        const reader = incentiveReaderOf(actor);
        // Only if the caller may read all, because a part would look like all.
        const incentives =
          name === 'bundle.zip' && readsAll(actor, 'Incentive')
            ? (visibleFilter(
                actor,
                ['read'],
                IncentiveModel,
                incentiveFilterForSite(between, site),
              ) as mongo.Document)
            : undefined;
        const recordRead = FILES_WITHOUT_ANSWERS.includes(name)
          ? undefined
          : async () => await recordExportRead(actor, { name, match }, deps.log);
        const request = { name, query, match, incentives, zone: actor.zone, now, by, reader, recordRead };
        return streamedFile(name, (out) =>
          streamTo(out, (give, signal) =>
            places.inTurn(String(by), signal, async () => await writeExportFile(request, give, signal)),
          ),
        );
      },
    });
  }),
);

/** The filter in the driver's format: the requested interviews that aren't deleted and that this caller may read. */
function matchFor(actor: HasAbility, requestFilter: object): mongo.Document {
  const find = findVisible(actor, ['read'], SurveyModel, requestFilter);
  find.cast(SurveyModel as never);
  return find.getFilter() as mongo.Document;
}
