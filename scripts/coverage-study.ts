/** npm run coverage-study: measures how often intervals contain the true value, in simulated populations. */

import { define, examples, progress, run, setAction, wholeNumber, withJson } from './command.ts';
import { changeStudyOf } from './coverage-study/changes.ts';
import { DESIGNS, type Design } from './coverage-study/designs.ts';
import { formatChanges, formatFindings, formatHouseholds } from './coverage-study/format-findings.ts';
import { householdStudyOf } from './coverage-study/households.ts';
import { networkDesign, networkFrom } from './coverage-study/network.ts';
import { type StudySize, studyOf } from './coverage-study/study.ts';

interface Options extends StudySize {
  design?: number;
  households?: boolean;
  changes?: boolean;
  network?: string;
}

const program = define(
  'coverage-study',
  "Draw many RDS samples from simulated populations and print each estimator's error, how often each interval contains the true value, and how often each warning appears. Needs no database.",
)
  .option('--samples <number>', 'samples per design', wholeNumber(2, 100_000), 200)
  .option('--replicates <number>', 'bootstrap replicates', wholeNumber(2, 20_000), 1000)
  .option('--random-seed <number>', 'the same seed gives the same numbers', wholeNumber(0, 999_999_999), 1)
  .option('--design <number>', 'only this design', wholeNumber(1, DESIGNS.length))
  .option(
    '--households',
    'print the totals and cells of counts instead, in populations with known households',
  )
  .option('--changes', 'print the change between two samples instead, by 0, 5 and 10 points')
  .option(
    '--network <file>',
    'only the network in this file of the R package RDS (fauxmadrona.RData); needs Rscript',
  );
examples(withJson(program), 'coverage-study', 'coverage-study -- --design 3 --samples 100');

setAction<Options>(
  program,
  async ({ design, households, changes, network, ...extent }) => {
    const chosen = <T>(designs: T[]) => designs.filter((_, at) => design === undefined || at + 1 === design);
    if (households) {
      const findings = each(chosen(DESIGNS), extent, householdStudyOf);
      return { text: formatHouseholds(findings, extent), json: findings };
    }
    const people = network === undefined ? null : networkFrom(network);
    const designs = people ? [networkDesign(people)] : chosen(DESIGNS);
    if (changes) {
      const findings = each(designs, extent, (...of) => changeStudyOf(...of, people));
      return { text: formatChanges(findings, extent), json: findings };
    }
    const findings = each(designs, extent, (...of) => studyOf(...of, people));
    return { text: formatFindings(findings, extent), json: findings };
  },
  {
    raw: true,
    inputs: ({ network }) => (network === undefined ? [] : [network]),
  },
);

function each<T>(
  designs: Design[],
  extent: StudySize,
  study: (design: Design, extent: StudySize, step: () => void) => T,
): T[] {
  const bar = progress('Samples');
  let sampleCount = 0;
  const total = designs.length * extent.samples;
  const findings: T[] = [];
  for (const one of designs) findings.push(study(one, extent, () => bar.step(++sampleCount, total)));
  bar.end();
  return findings;
}

await run(program);
