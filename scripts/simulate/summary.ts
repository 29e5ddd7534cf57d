/** What a simulation tells at its end. */
import type { Answer } from '../command.ts';
import { figures, percent } from '../figures.ts';
import { type Beside, besideTheTruth } from './estimates.ts';
import { type Played, whyFewer } from './study.ts';

export function summaryOf(
  { truth, outcome, requests, seconds }: Played,
  wanted: number,
  estimates: Beside[] | string,
): Answer {
  const { degree, traits } = truth;
  const rate = { requests, seconds, requestsPerSecond: requests / seconds };
  const flags = Object.entries(outcome.flags).map(([code, count]) => `${count} ${code}`);
  const fewer = whyFewer(outcome, wanted);
  const lines = [
    ...(fewer ? [fewer] : []),
    `Interviews: ${outcome.interviews}, of them ${outcome.heldOffline} held without network,`,
    `${outcome.walkIns} walk-ins, ${outcome.declined} declined.`,
    `Seeds: ${outcome.seeds}. Turned away: ${outcome.turnedAway}. Flags: ${flags.join(', ') || 'none'}.`,
    `Rate: ${requests} requests one after the other in ${seconds.toFixed(1)} s, ${rate.requestsPerSecond.toFixed(0)} a second.`,
    '',
    `The truth, which no interviewer saw: ${truth.people} people with ${truth.ties} ties.`,
    `A person knows ${degree.mean.toFixed(1)} on average, half of them at most ${degree.median}, none over ${degree.largest}.`,
    figures(
      ['', '% of all', 'know on average', 'homophily'],
      traits.map((one) => [
        `${one.question} = ${one.answer}`,
        percent(one.share),
        one.meanDegree.toFixed(1),
        one.homophily.toFixed(2),
      ]),
    ),
    '',
    ...inWords(estimates),
  ];
  return {
    text: lines.join('\n'),
    json: { outcome, fewer, rate, truth, estimates: typeof estimates === 'string' ? null : estimates },
  };
}

function inWords(estimates: Beside[] | string): string[] {
  if (typeof estimates === 'string') return [`What the study would say of it: ${estimates}`];
  const hasIntervals = estimates.some(({ low }) => low !== null);
  return [
    'What the study would say of it; SS knows the number of people:',
    besideTheTruth(estimates),
    ...(hasIntervals ? ['Interval: tree bootstrap of RDS-II, which holds the truth in most studies.'] : []),
  ];
}
