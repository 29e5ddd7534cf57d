/**
 * A row for each person who interviewed: how many, how long, how many refusals, flags and skipped questions. Two passes:
 * all interviews by person, site, outcome and whole minutes (a median of each would need a later database); those of the
 * last four weeks by person and question.
 */
import type { Types } from 'mongoose';
import { dayName, dayOf } from '../lib/day.ts';
import { definitionOf } from '../questionnaires/model.ts';
import { asSubject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import { COUNTS, counts, refuses } from '../surveys/counting.ts';
import { Surveys } from '../surveys/model.ts';
import { Users } from '../users/model.ts';
import { askedOfAll } from './asked-of-all.ts';
import { type AskedAt, weekOf } from './held.ts';
import { keepingLastAnswers } from './kept.ts';
import { LIMITS } from './limits.ts';
import type { RankedQuery } from './pace-schema.ts';
import { rankedPage } from './ranked-page.ts';
import { BY_HELD, SCAN } from './window.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
/** Questions that are skipped are counted in the interviews of so many days, and in so many of them at most. */
const LATELY = { days: 28, surveys: 20_000 };
/** An interview that was put aside overnight says nothing of how long it took. */
const MOST_MINUTES = 24 * 60;

type Row = Omit<Interviewer, 'minutes'> & { medianMinutes: number | null; skippedShare: number | null };

interface Interviewer {
  id: string;
  interviews: number;
  today: number;
  last7: number;
  refusals: number;
  flags: number;
  asked: number;
  skipped: number;
  minutes: Map<number, number>;
}

const kept = keepingLastAnswers<Row[]>('interviewers');

export async function interviewersOf(actor: Actor, asked: AskedAt, query: RankedQuery, site: Site) {
  const rows = await interviewerRows(asked, site, query.maxAge);
  const { data, ...page } = rankedPage(rows, query, 'interviewers', ({ interviews }) => interviews);
  const names = await namesFor(actor, data);
  return { data: data.map((row) => ({ ...row, name: names.get(row.id) ?? null })), ...page };
}

type Site = Types.ObjectId | null;

export async function interviewerRows(asked: AskedAt, site: Site, maxAge?: number): Promise<Row[]> {
  const today = dayName(asked.now, asked.zone);
  // They say "today": of another day they would be wrong.
  const key = [asked.store, asked.zone, today, site && String(site)];
  return await kept(key, () => countInterviewers(asked, today, site), maxAge);
}

/** Of a page's people, those whom the caller may read; deleted ones too, since their interviews stay. */
async function namesFor({ ability }: Actor, rows: { id: string }[]): Promise<Map<string, string>> {
  const found = await Users.find({ _id: { $in: rows.map(({ id }) => id) } }).lean();
  return new Map(
    found
      .filter((user) => ability.can('read', asSubject('User', user)))
      .map(({ _id, firstName, lastName }) => [String(_id), `${firstName} ${lastName}`.trim()]),
  );
}

async function countInterviewers({ now, zone }: AskedAt, today: string, site: Site): Promise<Row[]> {
  const match = { deletedAt: null, ...(site ? { location: site } : {}) };
  const [all, lately, flags, skipped] = await Promise.all([
    countAll(match),
    countLately(match, { week: weekOf(today, zone), day: dayOf(now, zone).start }),
    countFlags(match),
    countSkipped(match, new Date(now.getTime() - LATELY.days * DAY)),
  ]);
  const people = new Map<string, Interviewer>();
  const of = (id: Types.ObjectId): Interviewer => {
    const known = people.get(String(id)) ?? { ...NOBODY, id: String(id), minutes: new Map() };
    people.set(known.id, known);
    return known;
  };
  for (const { _id, surveys } of all) addOutcome(of(_id.by), _id, surveys);
  for (const { _id, last7, today: n } of lately) Object.assign(of(_id), { last7, today: n });
  for (const { _id, flags: n } of flags) of(_id).flags = n;
  for (const { _id, asked, skipped: n } of skipped) {
    const one = of(_id);
    one.asked += asked;
    one.skipped += n;
  }
  return [...people.values()].map(({ minutes, ...row }) => ({
    ...row,
    medianMinutes: medianOf(minutes),
    skippedShare: row.asked === 0 ? null : row.skipped / row.asked,
  }));
}

const NOBODY = { interviews: 0, today: 0, last7: 0, refusals: 0, flags: 0, asked: 0, skipped: 0 };

interface OutcomeCount {
  _id: { by: Types.ObjectId; status: string; takesPart?: boolean; minutes: number | null };
  surveys: number;
}

/** Whole minutes, where the clock was right. */
const MINUTES = {
  $cond: [
    { $and: [{ $gte: ['$completedAt', '$startedAt'] }, { $eq: ['$startedAt', '$heldAt'] }] },
    {
      $min: [{ $floor: { $divide: [{ $subtract: ['$completedAt', '$startedAt'] }, MINUTE] } }, MOST_MINUTES],
    },
    null,
  ],
};

async function countAll(match: { location?: Types.ObjectId }): Promise<OutcomeCount[]> {
  const key = { by: '$createdBy', status: '$status', takesPart: '$takesPart', minutes: MINUTES };
  return await Surveys.collection
    .aggregate<OutcomeCount>(
      [{ $match: match }, { $group: { _id: key, surveys: { $sum: 1 } } }],
      match.location ? LIMITS : SCAN,
    )
    .toArray();
}

function addOutcome(person: Interviewer, outcome: OutcomeCount['_id'], n: number) {
  const { minutes } = outcome;
  if (refuses(outcome)) person.refusals += n;
  if (!counts(outcome)) return;
  person.interviews += n;
  if (minutes !== null && minutes < MOST_MINUTES)
    person.minutes.set(minutes, (person.minutes.get(minutes) ?? 0) + n);
}

async function countLately(match: object, { week, day }: { week: Date; day: Date }) {
  return await Surveys.collection
    .aggregate<{ _id: Types.ObjectId; last7: number; today: number }>(
      [
        { $match: { ...match, ...COUNTS, heldAt: { $gte: week } } },
        {
          $group: {
            _id: '$createdBy',
            last7: { $sum: 1 },
            today: { $sum: { $cond: [{ $gte: ['$heldAt', day] }, 1, 0] } },
          },
        },
      ],
      BY_HELD,
    )
    .toArray();
}

async function countFlags(match: object) {
  return await Surveys.collection
    .aggregate<{ _id: Types.ObjectId; flags: number }>(
      [
        { $match: { ...match, 'flags.code': { $gt: '' } } },
        { $group: { _id: '$createdBy', flags: { $sum: 1 } } },
      ],
      LIMITS,
    )
    .toArray();
}

interface SkippedCount {
  _id: Types.ObjectId;
  asked: number;
  skipped: number;
}

/** By questionnaire, since each has questions of its own. */
async function countSkipped(match: object, since: Date): Promise<SkippedCount[]> {
  const recent = { ...match, ...COUNTS, heldAt: { $gte: since } };
  const latest = [{ $match: recent }, { $sort: { heldAt: -1 } }, { $limit: LATELY.surveys }];
  const used = await Surveys.collection
    .aggregate<{ _id: Types.ObjectId }>([...latest, { $group: { _id: '$questionnaire' } }], BY_HELD)
    .toArray();
  const counts = await Promise.all(
    used.map(async ({ _id: questionnaire }) => {
      const version = await definitionOf(questionnaire);
      // Whose answers are not kept can not be seen to be skipped.
      const clues = version?.identityQuestions ?? [];
      const names = askedOfAll(version?.definition).filter((name) => !clues.includes(name));
      if (names.length === 0) return [];
      const empty = names.map((name) => ({ $cond: [{ $lte: [answerTo(name), null] }, 1, 0] }));
      const sums = { asked: { $sum: names.length }, skipped: { $sum: { $add: empty } } };
      return await Surveys.collection
        .aggregate<SkippedCount>(
          [...latest, { $match: { questionnaire } }, { $group: { _id: '$createdBy', ...sums } }],
          BY_HELD,
        )
        .toArray();
    }),
  );
  return counts.flat();
}

/** By `$getField`, since a name may hold characters that mean something in a path. */
const answerTo = (name: string) => ({ $getField: { field: { $literal: name }, input: '$responses' } });

function medianOf(minutes: ReadonlyMap<number, number>): number | null {
  const sorted = [...minutes].sort(([a], [b]) => a - b);
  const all = sorted.reduce((sum, [, n]) => sum + n, 0);
  if (all === 0) return null;
  const at = (rank: number) => {
    let seen = 0;
    for (const [value, n] of sorted) {
      seen += n;
      if (seen > rank) return value;
    }
    return 0;
  };
  return (at(Math.floor((all - 1) / 2)) + at(Math.floor(all / 2))) / 2;
}
