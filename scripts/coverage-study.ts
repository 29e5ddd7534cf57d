/** npm run coverage-study: measures how often intervals contain the true value, in simulated populations. */

import { define, examples, progress, run, setAction, wholeNumber, withJson } from './command.ts';
import { DESIGNS, type Design } from './coverage-study/designs.ts';
import { formatFindings, formatHouseholds } from './coverage-study/format-findings.ts';
import { HOUSEHOLD_DESIGNS, householdStudyOf } from './coverage-study/households.ts';
import { type StudySize, studyOf } from './coverage-study/study.ts';

interface Options extends StudySize {
  design?: number;
  households?: boolean;
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
  );
examples(withJson(program), 'coverage-study', 'coverage-study -- --design 3 --samples 100');

setAction<Options>(
  program,
  async ({ design, households, ...extent }) => {
    const chosen = <T>(designs: T[]) => designs.filter((_, at) => design === undefined || at + 1 === design);
    if (households) {
      const findings = each(chosen(HOUSEHOLD_DESIGNS), extent, householdStudyOf);
      return { text: formatHouseholds(findings, extent), json: findings };
    }
    const findings = each(chosen(DESIGNS), extent, studyOf);
    return { text: formatFindings(findings, extent), json: findings };
  },
  {
    raw: true,
    check: ({ design = 1, households }) =>
      households && design > HOUSEHOLD_DESIGNS.length
        ? [`Only designs 1 to ${HOUSEHOLD_DESIGNS.length} are available with this option.`]
        : [],
  },
);

function each<T>(
  designs: Design[],
  extent: StudySize,
  study: (design: Design, extent: StudySize, step: () => void) => T,
): T[] {
  const bar = progress('Samples');
  let done = 0;
  const total = designs.length * extent.samples;
  const findings: T[] = [];
  for (const one of designs) findings.push(study(one, extent, () => bar.step(++done, total)));
  bar.end();
  return findings;
}

await run(program);
