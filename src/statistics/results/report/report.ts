/**
 * The figures of a report on respondent-driven sampling (STROBE-RDS: White and others, J Clin Epidemiol 2015), using
 * STROBE's item numbers. Items that the service can't know have a reason instead of a value.
 */
import type { z } from 'zod';
import { loadRoundContext } from '../../sample/load.ts';
import { type ResultsReader, readerId, smallestCellFor } from '../../sample/right.ts';
import { type SampleContext, sampleOf } from '../../sample/sample.ts';
import { hiddenLevels } from '../../sample/small-cells.ts';
import { queryStudyTable } from '../../study-table/ask.ts';
import { createStudyTableQuery } from '../../study-table/table-query.ts';
import type { StrobeReport as ReportShape } from '../schema.ts';
import { loadReportFactsOfRound, type ReportCounts, reportCountsOf } from './report-counts.ts';
import { countReturningPeople, type ReturningPeopleCounts } from './report-returning.ts';
import { type SampleFigures, sampleFigures, shownLevels } from './report-sample.ts';

type Report = z.input<typeof ReportShape>;
type Item = Report['items'][number];

interface ReportSources {
  counts: ReportCounts;
  sample: SampleFigures;
}

export async function strobeReportOfRound(
  reader: ResultsReader,
  round: string | undefined,
  now: Date,
): Promise<Report> {
  const { requested, settings, closedSettings, context } = await loadRoundContext(round);
  const { zone } = reader;
  const [figures, events, returning] = await Promise.all([
    queryStudyTable(reportFromStudyTable, { zone, ...context }, readerId(reader)),
    loadReportFactsOfRound(zone, requested.round),
    countReturningPeople(context.round.id),
  ]);
  const sources = { sample: figures.sample, counts: { ...figures.counts, ...events } };
  const smallest = smallestCellFor(reader, settings.smallestCell);
  const items = [
    ...methodItems(sources, closedSettings?.couponsPerSurvey ?? settings.couponsPerSurvey),
    returningItem(returning, figures.sample.n, smallest),
    ...analysisItems(sources),
    ...participantItems(sources, smallest),
    ...levelItems(sources, smallest),
  ];
  return { asOf: now.toISOString(), items };
}

export const reportFromStudyTable = createStudyTableQuery(
  'report',
  (table, { zone, ...context }: SampleContext & { zone: string }) => ({
    counts: reportCountsOf(table),
    sample: sampleFigures(sampleOf(table, { window: {}, zone, outcomes: 'ESTIMABLE', ...context }), zone),
  }),
);

const available = (item: string, name: string, value: unknown, text: string): Item => ({
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
const counted = (n: number, one: string, more: string) => `${n} ${n === 1 ? one : more}`;

function methodItems({ counts, sample }: ReportSources, couponsPerSurvey: number): Item[] {
  const planned = counts.seeds.reduce((sum, one) => sum + one.planned, 0);
  const walkIns = counts.seeds.reduce((sum, one) => sum + one.walkIns, 0);
  const { firstDay, lastDay, days } = sample;
  return [
    missing(
      '5',
      'Formative research',
      'What you learned before the study and how it shaped the design.',
      'The service doesn’t record this.',
    ),
    firstDay === null
      ? missing(
          '5',
          'Days of recruitment',
          'From the first to the last interview.',
          'There are no interviews yet.',
        )
      : available(
          '5',
          'Days of recruitment',
          { firstDay, lastDay, days },
          `Interviews took place from ${firstDay} to ${lastDay}, on ${counted(days, 'day', 'days')}.`,
        ),
    missing(
      '6',
      'Eligibility',
      'Who was eligible, for seeds and for recruits.',
      'The questionnaire asks this. Describe it in words.',
    ),
    available(
      '6',
      'Seeds, by day',
      counts.seeds,
      `${counted(planned, 'seed was', 'seeds were')} planned by staff, and there ${walkIns === 1 ? 'was' : 'were'} ${counted(walkIns, 'walk-in', 'walk-ins')}. Each is listed with the day it was added.`,
    ),
    available(
      '6',
      'Coupons per person',
      couponsPerSurvey,
      `Each participant gets ${counted(couponsPerSurvey, 'coupon', 'coupons')}.`,
    ),
    available(
      '6',
      'Changes to coupons',
      counts.changes,
      counts.changes.length === 0
        ? 'The number of coupons and their dates never changed.'
        : 'The number of coupons or their dates changed on these days.',
    ),
    sample.sizeQuestion === null
      ? missing('6', 'Network size, as asked', 'The wording of the question.', 'No questionnaire is active.')
      : available(
          '6',
          'Network size, as asked',
          sample.sizeQuestion,
          `"${sample.sizeQuestion.en ?? Object.values(sample.sizeQuestion)[0] ?? ''}"`,
        ),
    available(
      '7',
      'Recruiter and recruit',
      'coupon codes',
      'Each coupon has its own code, which can be used once. The person who handed it out is the recruiter.',
    ),
    sample.relation === null
      ? missing(
          '7',
          'Tie to the recruiter',
          'How the recruiter and the recruit know each other.',
          'The questionnaire doesn’t ask this (recruiterRelation).',
        )
      : available(
          '7',
          'Tie to the recruiter',
          sample.relation,
          'How participants said they know their recruiter.',
        ),
    available(
      '8',
      'Repeats found',
      counts.codeUsedTwice,
      `${counted(counts.codeUsedTwice, 'interview is', 'interviews are')} flagged because another interview has the same code. Dismissed flags aren’t counted; the history lists them.`,
    ),
    counts.hasIdentityQuestions
      ? available(
          '8',
          'Possible repeats',
          counts.sameIdentity,
          `${counted(counts.sameIdentity, 'interview is', 'interviews are')} flagged because the answers to the identity questions are, or nearly are, those of an earlier interview. Dismissed flags aren’t counted; the history lists them.`,
        )
      : missing(
          '8',
          'Possible repeats',
          'How many people may have been interviewed twice with different coupons.',
          'The questionnaire has no identity questions, by which people could be recognized.',
        ),
  ];
}

const RETURNING = ['8', 'Interviewed in the round before'] as const;

/** Suppressed like any other cell, together with its complement. */
function returningItem(returning: ReturningPeopleCounts | null, n: number, smallest: number): Item {
  const what = 'How many people were interviewed in the round before too.';
  if (returning === null) return missing(...RETURNING, what, 'This is the first round.');
  const { before, known: answerCount, again } = returning;
  if (answerCount === 0)
    return missing(
      ...RETURNING,
      what,
      'Nobody answered identity questions, by which people could be recognized.',
    );
  if (hiddenLevels([again, answerCount - again], smallest).includes(true))
    return missing(...RETURNING, what, 'There are too few people.');
  return available(
    ...RETURNING,
    { known: answerCount, again, share: again / answerCount },
    `Of ${counted(answerCount, 'person', 'people')} with answers to all identity questions (${n} in the sample), ${again} gave the same ones in ${before}.`,
  );
}

function analysisItems({ sample }: ReportSources): Item[] {
  return [
    available(
      '12',
      'Weights and estimators',
      ['RDS_II', 'RDS_I', 'SS', 'MEAN'],
      'RDS-II (Volz and Heckathorn 2008) is shown first, along with RDS-I (Salganik and Heckathorn 2004), successive sampling (Gile 2011) where the population size is known, and the unweighted share. Confidence intervals use CHAIN, a variant of the bootstrap of Salganik (2006) that keeps the observed chains, and the tree bootstrap (Baraff and others 2016).',
    ),
    available('12', 'Seeds in the analysis', true, 'All estimates include seeds.'),
    available(
      '12',
      'Network sizes replaced',
      { missing: sample.sizeMissing, zero: sample.sizeZero },
      sample.sizeMissing + sample.sizeZero === 0
        ? 'No network sizes were missing or 0.'
        : `${counted(sample.sizeMissing, 'missing network size', 'missing network sizes')} and ${sample.sizeZero} of 0 are replaced by the largest one.`,
    ),
    missing(
      '12',
      'Assumptions of the estimators',
      'Whether they hold, and how you assessed this.',
      'A person must judge this. See the convergence plot, bottleneck plot and warnings of each outcome.',
    ),
  ];
}

function participantItems({ counts, sample }: ReportSources, smallest: number): Item[] {
  const { interviews, coupons } = counts;
  const rate = coupons.issued > 0 ? coupons.returned / coupons.issued : null;
  return [
    available(
      '13',
      'Numbers at each stage',
      { ...interviews, enrolled: sample.n },
      `${counted(interviews.approached, 'interview was', 'interviews were')} started. ${counted(interviews.notTakingPart, 'person is', 'people are')} not eligible, ${counted(interviews.unfinished, 'interview is', 'interviews are')} not finished, ${counted(interviews.rejected, 'finished interview was', 'finished interviews were')} rejected in review, and ${counted(sample.n, 'person is', 'people are')} in the sample. The service doesn’t record how many people were approached before an interview started.`,
    ),
    missing(
      '13',
      'Eligible',
      'How many of the people approached were eligible.',
      'The questionnaire has a single rule for eligibility and consent together.',
    ),
    missing(
      '13',
      'Declined',
      'How many of the eligible people declined.',
      'The questionnaire has a single rule for eligibility and consent together.',
    ),
    missing('13', 'Reasons for declining', 'Why people declined.', 'People who decline aren’t asked why.'),
    available(
      '13',
      'Coupons',
      { ...coupons, returnRate: rate },
      rate === null
        ? 'No coupons have been handed out yet.'
        : `${counted(coupons.issued, 'coupon was', 'coupons were')} handed out, and ${coupons.returned} ${coupons.returned === 1 ? 'was' : 'were'} returned (${Math.round(rate * 100)}%).`,
    ),
    available(
      '13',
      'Waves',
      sample.waves,
      `The longest chain has ${counted(Math.max(0, sample.waves.length - 1), 'wave', 'waves')} beyond its seed.`,
    ),
    available(
      '13',
      'Chains',
      sample.chains,
      'People and waves of each chain, the largest first (at most 50).',
    ),
    sample.sizes === null || sample.sizes.known < smallest
      ? missing(
          '13',
          'Distribution of network sizes',
          'Quartiles.',
          sample.sizes === null ? 'No network sizes are known.' : 'There are too few people.',
        )
      : available(
          '13',
          'Distribution of network sizes',
          quartilesOf(sample.sizes),
          `Half of the participants know between ${sample.sizes.lowerQuartile} and ${sample.sizes.upperQuartile} people; the median is ${sample.sizes.median}.`,
        ),
    missing(
      '13',
      'Recruitment challenges',
      'For example, coupons that were sold or people who came twice, and what you did about it.',
      'The service doesn’t record this. Comments on interviews may help.',
    ),
  ];
}

const notAskedText = (people: number) =>
  people === 0
    ? ''
    : ` ${counted(people, 'person was', 'people were')} interviewed with a questionnaire version that doesn’t ask this.`;

const quartilesOf = ({ known: _, ...quartiles }: NonNullable<SampleFigures['sizes']>) => quartiles;

function levelItems({ sample }: ReportSources, smallest: number): Item[] {
  if (sample.n === 0 || sample.n < smallest) {
    const reason = sample.n === 0 ? 'There are no interviews yet.' : 'There are too few people.';
    return [missing('14', 'The sample, unweighted and weighted', 'Shares of each level.', reason)];
  }
  const textOf = (title: string) => `${title}: known answers, unweighted, and by RDS-II.`;
  return [
    ...sample.outcomes.map(({ name, title, levels, notAsked }) =>
      available('14', name, shownLevels(levels, smallest), textOf(title) + notAskedText(notAsked)),
    ),
    ...sample.refused.map(({ name, reason }) => missing('14', name, textOf(name), reason)),
  ];
}
