/** The files of the study. A few are made at a time, and not for one who leaves them unread. */
import mongoose, { type mongo } from 'mongoose';
import { createdWithin } from '../http/between.ts';
import { problem } from '../http/problem.ts';
import { toReader } from '../http/reader.ts';
import { type Route, route, streamed } from '../http/route.ts';
import { WorkQueue } from '../http/work-queue.ts';
import { type Able, readsAll, visible } from '../rights/guard.ts';
import { Surveys } from '../surveys/model.ts';
import { EXPORT_FILES, EXPORT_NAMES, InterviewsQuery, SampleQuery } from './schema.ts';
import { writeFile } from './write.ts';

const places = new WorkQueue({
  capacity: 2,
  each: 1,
  mostWaiting: 20,
  mostWaitingEach: 2,
  enough: 'MAKING_ALREADY',
});

const MAY = {
  interviews: 'Of the interviews that the caller may read. Each download is told in the audit.',
  sample:
    "For those who may read every interview, since part of a tree is none. The sample is checked first: where it breaks a rule (interviews that recruited each other in a circle, a network size below 0), nothing is given, and `errors` names the interviews. A start before the recruiter's becomes the recruiter's. It holds no coupon codes. Each download is told in the audit.",
};

export const exportRoutes: Route[] = EXPORT_NAMES.map((name) => {
  const { type, ofSample, summary } = EXPORT_FILES[name];
  return route({
    method: 'get',
    path: `/api/exports/${name}`,
    access: 'approved',
    isLong: true,
    memory: 8,
    tag: 'Exports',
    summary,
    description: ofSample ? MAY.sample : MAY.interviews,
    query: (ofSample ? SampleQuery : InterviewsQuery) as typeof InterviewsQuery,
    reply: { 200: type },
    problems: ofSample
      ? ['FORBIDDEN', 'SAMPLE_BROKEN', 'RATE_LIMITED', 'UNAVAILABLE']
      : ['FORBIDDEN', 'RATE_LIMITED', 'UNAVAILABLE'],
    handle: async ({ actor, query, now }) => {
      if (ofSample && !readsAll(actor, 'Survey')) throw problem('FORBIDDEN');
      const { location, from, to } = query;
      const asked = {
        ...createdWithin({ from, to }, actor.zone),
        ...(location ? { location: new mongoose.Types.ObjectId(location) } : {}),
      };
      const by = actor.user._id;
      const wish = { name, query, match: matchFor(actor, asked), zone: actor.zone, now, by };
      return streamed(name, (out) =>
        toReader(out, (give, gone) =>
          places.inTurn(String(by), gone, async () => await writeFile(wish, give, gone)),
        ),
      );
    },
  });
});

/** As the database's driver takes it: those that were asked for, not deleted, that this caller may read. */
function matchFor(actor: Able, asked: object): mongo.Document {
  const find = Surveys.find(visible(actor, ['read'], Surveys, asked));
  find.cast(Surveys as never);
  return find.getFilter() as mongo.Document;
}
