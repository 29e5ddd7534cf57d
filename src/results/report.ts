/**
 * The figures that a report of respondent-driven sampling tells (STROBE-RDS: White and others, J Clin Epidemiol 2015).
 * Items bear the numbers of STROBE. What the service can not know has a reason in place of a value.
 */
import mongoose from 'mongoose';
import type { z } from 'zod';
import { keepingLastAnswers } from '../recruitment/kept.ts';
import { loadSample } from '../sample/load.ts';
import { withSample } from '../sample/queue.ts';
import { type Reader, smallestCellFor } from '../sample/right.ts';
import { study } from '../study/model.ts';
import { type ReportCounts, reportCounts } from './report-counts.ts';
import { type SampleFigures, sampleFigures, shownLevels } from './report-sample.ts';
import type { ReportQuery, Report as ReportShape } from './schema.ts';

type Report = z.input<typeof ReportShape>;
type Item = Report['items'][number];

interface Found {
  asOf: Date;
  counts: ReportCounts;
  sample: SampleFigures;
}

const kept = keepingLastAnswers<Found>('report');

export async function reportFor(
  reader: Reader,
  { maxAge }: z.infer<typeof ReportQuery>,
  now: Date,
): Promise<Report> {
  const settings = await study();
  const key = [mongoose.connection.name, reader.zone, settings.outcomes];
  const found = await kept(key, () => withSample(reader, () => find(reader.zone, now)), maxAge);
  const smallest = smallestCellFor(reader, settings.smallestCell);
  const items = [
    ...ofMethods(found, settings.couponsPerSurvey),
    ...ofAnalysis(found),
    ...ofParticipants(found, smallest),
    ...ofLevels(found, smallest),
  ];
  return { asOf: found.asOf.toISOString(), items };
}

async function find(zone: string, now: Date): Promise<Found> {
  let counts: ReportCounts | undefined;
  const sample = await loadSample({
    window: {},
    zone,
    now,
    outcomes: 'ALL',
    also: async (session) => {
      counts = await reportCounts(session, zone);
    },
  });
  if (!counts) throw new Error('the report was not counted');
  return { asOf: sample.asOf, counts, sample: await sampleFigures(sample, zone) };
}

const known = (item: string, name: string, value: unknown, text: string): Item => ({
  item,
  name,
  value,
  text,
  reason: null,
});
const missing = (item: string, name: string, text: string, reason: string): Item => ({
  item,
  name,
  value: null,
  text,
  reason,
});

/** "1 wave", "2 waves". */
const many = (n: number, one: string, more: string) => `${n} ${n === 1 ? one : more}`;

function ofMethods({ counts, sample }: Found, couponsPerSurvey: number): Item[] {
  const planned = counts.seeds.reduce((sum, one) => sum + one.planned, 0);
  const walkIns = counts.seeds.reduce((sum, one) => sum + one.walkIns, 0);
  const { firstDay, lastDay, days } = sample;
  return [
    missing(
      '5',
      'Formative research',
      'What was found out before the study and how it shaped it.',
      'It is not kept here.',
    ),
    firstDay === null
      ? missing(
          '5',
          'Days of recruitment',
          'From the first to the last interview.',
          'There is no interview yet.',
        )
      : known(
          '5',
          'Days of recruitment',
          { firstDay, lastDay, days },
          `Interviews were held from ${firstDay} to ${lastDay}, on ${many(days, 'day', 'days')}.`,
        ),
    missing(
      '6',
      'Eligibility',
      'Who was eligible, for seeds and for recruits.',
      'The questionnaire asks it; write it out in words.',
    ),
    known(
      '6',
      'Seeds, by day',
      counts.seeds,
      `${many(planned, 'seed was', 'seeds were')} planned by staff and ${many(walkIns, 'person', 'people')} came without a coupon; each with the day on which it was added.`,
    ),
    known(
      '6',
      'Coupons for each person',
      couponsPerSurvey,
      `Each participant is given ${many(couponsPerSurvey, 'coupon', 'coupons')}.`,
    ),
    known(
      '6',
      'Changes of coupons',
      counts.changes,
      counts.changes.length === 0
        ? 'The number of coupons and their dates were never changed.'
        : 'The number of coupons or their dates were changed on these days.',
    ),
    sample.sizeQuestion === null
      ? missing('6', 'Network size, as asked', 'The words of the question.', 'No questionnaire is active.')
      : known(
          '6',
          'Network size, as asked',
          sample.sizeQuestion,
          `"${sample.sizeQuestion.en ?? Object.values(sample.sizeQuestion)[0] ?? ''}"`,
        ),
    known(
      '7',
      'Recruiter and recruit',
      'coupon codes',
      'Each coupon bears a code of its own, redeemed once; who handed it out is the recruiter.',
    ),
    sample.relation === null
      ? missing(
          '7',
          'Tie to the recruiter',
          'What the recruiter is to the person.',
          'The questionnaire does not ask it (recruiterRelation).',
        )
      : known(
          '7',
          'Tie to the recruiter',
          sample.relation,
          'What participants said that their recruiter is to them.',
        ),
    known(
      '8',
      'Repeats found',
      counts.codeUsedTwice,
      `${many(counts.codeUsedTwice, 'interview carries', 'interviews carry')} the mark that another one has the code; marks that were put away are not counted, and are in the history.`,
    ),
  ];
}

function ofAnalysis({ sample }: Found): Item[] {
  return [
    known(
      '12',
      'Weights and estimators',
      ['RDS_II', 'RDS_I', 'SS', 'MEAN'],
      'RDS-II (Volz and Heckathorn 2008) is shown first; beside it RDS-I (Salganik and Heckathorn 2004), successive sampling (Gile 2011) where the population size is known, and the unweighted share. Intervals are of the tree bootstrap (Baraff and others 2016).',
    ),
    known('12', 'Seeds in the analysis', true, 'Seeds are in all estimates.'),
    known(
      '12',
      'Network sizes replaced',
      { missing: sample.sizeMissing, zero: sample.sizeZero },
      sample.sizeMissing + sample.sizeZero === 0
        ? 'None was missing or 0.'
        : `${many(sample.sizeMissing, 'missing network size', 'missing network sizes')} and ${sample.sizeZero} of 0 count as the largest one.`,
    ),
    missing(
      '12',
      'Conditions of the estimators',
      'Whether they hold, and how that was judged.',
      'It is for a person to judge: see convergence, bottleneck and warnings of each outcome.',
    ),
  ];
}

function ofParticipants({ counts, sample }: Found, smallest: number): Item[] {
  const { interviews, coupons } = counts;
  const rate = coupons.issued > 0 ? coupons.returned / coupons.issued : null;
  return [
    known(
      '13',
      'Numbers at each stage',
      { ...interviews, enrolled: sample.n },
      `${many(interviews.approached, 'interview was', 'interviews were')} begun; ${many(interviews.notTakingPart, 'person does', 'people do')} not take part, ${many(interviews.unfinished, 'interview is', 'interviews are')} not finished, ${many(sample.n, 'person is', 'people are')} in the sample. How many were asked before an interview was begun is not kept.`,
    ),
    missing(
      '13',
      'Eligible',
      'How many of those who were approached were eligible.',
      'The questionnaire has one rule of who takes part, for eligibility and consent together.',
    ),
    missing(
      '13',
      'Declined',
      'How many of those who were eligible declined.',
      'The questionnaire has one rule of who takes part, for eligibility and consent together.',
    ),
    missing(
      '13',
      'Reasons for declining',
      'Why people did not take part.',
      'Who declined is not asked more.',
    ),
    known(
      '13',
      'Coupons',
      { ...coupons, returnRate: rate },
      rate === null
        ? 'No coupon was handed out yet.'
        : `${many(coupons.issued, 'coupon was', 'coupons were')} handed out and ${coupons.returned} came back (${Math.round(rate * 100)} %).`,
    ),
    known(
      '13',
      'Waves',
      sample.waves,
      `The longest chain has ${many(Math.max(0, sample.waves.length - 1), 'wave', 'waves')} beyond its seed.`,
    ),
    known('13', 'Chains', sample.chains, 'People and waves of each chain, the largest first (at most 50).'),
    sample.sizes === null || sample.sizes.known < smallest
      ? missing(
          '13',
          'Distribution of network sizes',
          'Quartiles.',
          sample.sizes === null ? 'No network size is known.' : 'There are too few people.',
        )
      : known(
          '13',
          'Distribution of network sizes',
          quartilesOf(sample.sizes),
          `Half of the participants know between ${sample.sizes.lowerQuartile} and ${sample.sizes.upperQuartile} people; the median is ${sample.sizes.median}.`,
        ),
    missing(
      '13',
      'Challenges of recruitment',
      'Coupons sold, people who came twice, and what was done.',
      'It is not kept here; the comments on interviews may tell.',
    ),
  ];
}

const quartilesOf = ({ known: _, ...quartiles }: NonNullable<SampleFigures['sizes']>) => quartiles;

function ofLevels({ sample }: Found, smallest: number): Item[] {
  if (sample.n === 0 || sample.n < smallest) {
    const reason = sample.n === 0 ? 'There is no interview yet.' : 'There are too few people.';
    return [missing('14', 'The sample, unweighted and weighted', 'Shares of each level.', reason)];
  }
  return sample.outcomes.map(({ name, title, levels }) => {
    const text = `${title}: known answers, unweighted, and by RDS-II.`;
    return known('14', name, shownLevels(levels, smallest), text);
  });
}
