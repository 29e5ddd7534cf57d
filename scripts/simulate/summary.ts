/** The summary that a simulation prints at the end. */
import type { CommandResult } from '../command.ts';
import { formatPercent, formatTable } from '../format-table.ts';
import { type Comparison, compareWithTruth } from './estimates.ts';
import { formatQuality, type QualityReport } from './quality.ts';
import { type SimulationResult, whyFewer } from './study.ts';

export function formatSummary(
  { truth, outcome, requests, seconds }: SimulationResult,
  target: number,
  estimates: Comparison[] | string,
  quality: QualityReport | null = null,
): CommandResult {
  const { degree, traits } = truth;
  const rate = { requests, seconds, requestsPerSecond: requests / seconds };
  const flags = Object.entries(outcome.flags).map(([code, count]) => `${count} ${code}`);
  const fewer = whyFewer(outcome, target);
  const lines = [
    ...(fewer ? [fewer] : []),
    `Interviews: ${outcome.interviews}, ${outcome.heldOffline} of them offline,`,
    `${outcome.walkIns} walk-ins, ${outcome.declined} declined.`,
    `Seeds: ${outcome.seeds}. Turned away: ${outcome.turnedAway}. Flags: ${flags.join(', ') || 'none'}.`,
    `Rate: ${requests} requests, one after the other, in ${seconds.toFixed(1)} s: ${rate.requestsPerSecond.toFixed(0)} per second.`,
    '',
    `The simulated population: ${truth.people} people with ${truth.ties} ties.`,
    `A person knows ${degree.mean.toFixed(1)} people on average, ${degree.median} in the median, ${degree.largest} at most.`,
    formatTable(
      ['', '% of all', 'know on average', 'homophily'],
      traits.map((one) => [
        `${one.question} = ${one.answer}`,
        formatPercent(one.share),
        one.meanDegree.toFixed(1),
        one.homophily.toFixed(2),
      ]),
    ),
    '',
    ...inWords(estimates),
    ...(quality ? ['', formatQuality(quality)] : []),
  ];
  return {
    text: lines.join('\n'),
    json: {
      ...{ outcome, fewer, rate, truth, quality },
      estimates: typeof estimates === 'string' ? null : estimates,
    },
  };
}

function inWords(estimates: Comparison[] | string): string[] {
  if (typeof estimates === 'string') return [`The study's estimates: ${estimates}`];
  const hasIntervals = estimates.some(({ low }) => low !== null);
  return [
    "The study's estimates (SS uses the true population size):",
    compareWithTruth(estimates),
    ...(hasIntervals
      ? ['Interval: tree bootstrap of RDS-II, which contains the true value in most studies.']
      : []),
  ];
}
