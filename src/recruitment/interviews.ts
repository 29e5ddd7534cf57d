/** Interviews by the day on which they were held and site, by outcome and by wave: one pass over them. */
import type { Types } from 'mongoose';
import { REFUSES } from '../surveys/counting.ts';
import { type SurveyRecord, Surveys } from '../surveys/model.ts';
import { daysBetween } from './days.ts';
import { keepingAnswers } from './kept.ts';
import { LIMITS, MOST_ALERTS } from './limits.ts';
import { reading, type Window, windowOf } from './window.ts';

const FLAGGED = { 'flags.code': { $gt: '' } };
const OUTCOME = { status: '$status', takesPart: '$takesPart' };

interface InterviewCounts {
  days: { _id: { day: number; location: Types.ObjectId }; surveys: number }[];
  waves: { _id: number | null; surveys: number }[];
  states: { _id: string; surveys: number }[];
  held: { _id: HeldKey; surveys: number; lastAt: Date }[];
}

interface HeldKey {
  day: number;
  location: Types.ObjectId;
  status: string;
  takesPart?: boolean;
}

/** The board and the table of sites are told from the same pass, as long as nothing was written in between. */
const kept = keepingAnswers<Awaited<ReturnType<typeof countInterviews>>>(0);

export async function countAllInterviews({ store, zone }: { store: string; zone: string }) {
  return await kept([store, zone], () => countInterviews(windowOf({}, zone), zone));
}

export async function countInterviews(window: Window, zone: string) {
  const { match } = window;
  // An earlier version beside this one stores interviews that lack it; they are mended within a minute.
  const dated = { heldAt: { $gt: new Date(0) }, ...match };
  const [first, last, flagged, notTakingPart] = await Promise.all([
    edge(dated, 1),
    edge(dated, -1),
    Surveys.collection.countDocuments({ ...FLAGGED, ...match }, LIMITS),
    Surveys.collection.countDocuments({ ...REFUSES, ...match }, LIMITS),
  ]);
  if (!first || !last)
    return {
      byDay: [],
      waves: [],
      held: [],
      surveys: 0,
      completed: 0,
      inProgress: 0,
      notTakingPart,
      flagged,
    };
  const days = daysBetween(first.heldAt, last.heldAt, zone);
  const key = { day: days.numberOf('$heldAt'), location: '$location', wave: '$wave', ...OUTCOME };
  const sum = { surveys: { $sum: '$surveys' } };
  const sameDay = { day: '$_id.day', location: '$_id.location' };
  const outcome = { status: '$_id.status', takesPart: '$_id.takesPart' };
  // One pass over the interviews; what follows is over a few thousand groups.
  const [counted] = await Surveys.collection
    .aggregate<InterviewCounts>(
      [
        { $match: dated },
        { $group: { _id: key, surveys: { $sum: 1 }, lastAt: { $max: '$heldAt' } } },
        {
          $facet: {
            days: [{ $group: { _id: sameDay, ...sum } }, { $sort: { '_id.day': 1, '_id.location': 1 } }],
            waves: [{ $group: { _id: { $ifNull: ['$_id.wave', null] }, ...sum } }],
            held: [{ $group: { _id: { ...sameDay, ...outcome }, ...sum, lastAt: { $max: '$lastAt' } } }],
            states: [{ $group: { _id: '$_id.status', ...sum } }],
          },
        },
      ],
      reading(window),
    )
    .toArray();
  const { days: byDay = [], waves = [], states = [], held = [] } = counted ?? {};
  const of = (status: string) => states.find((one) => one._id === status)?.surveys ?? 0;
  return {
    byDay: byDay.map(({ _id, surveys }) => ({ day: days.names[_id.day], location: _id.location, surveys })),
    waves: waves
      .map(({ _id: wave, surveys }) => ({ wave, surveys }))
      .sort((a, b) => (a.wave ?? Number.POSITIVE_INFINITY) - (b.wave ?? Number.POSITIVE_INFINITY)),
    held: held.map(({ _id: { day, ...key }, ...row }) => ({ ...row, ...key, day: days.names[day] ?? '' })),
    surveys: states.reduce((all, one) => all + one.surveys, 0),
    completed: of('COMPLETED'),
    inProgress: of('IN_PROGRESS'),
    notTakingPart,
    flagged,
  };
}

async function edge(match: object, way: 1 | -1): Promise<{ heldAt: Date } | null> {
  return await Surveys.collection.findOne<{ heldAt: Date }>(match, {
    projection: { heldAt: 1 },
    sort: { heldAt: way },
    ...LIMITS,
  });
}

/** Interviews stored with a code that another one had redeemed; the latest that nobody has resolved. */
export async function presentedTwice(site?: Types.ObjectId) {
  const twice = { 'flags.code': 'REFERRAL_CODE_USED', deletedAt: null, ...(site ? { location: site } : {}) };
  const [found, total] = await Promise.all([
    Surveys.collection
      .find<Pick<SurveyRecord, '_id' | 'flags' | 'location' | 'createdAt'>>(twice, {
        projection: { flags: 1, location: 1, createdAt: 1 },
        sort: { createdAt: -1, _id: -1 },
        limit: MOST_ALERTS,
        ...LIMITS,
      })
      .toArray(),
    Surveys.collection.countDocuments(twice, LIMITS),
  ]);
  return { found, total };
}
