/** Tables of a sample, without a database. */
import { readFileSync } from 'node:fs';
import type { SampleTable } from '../../src/exports/sample/sample-table.ts';
import type { OutcomeAnswers } from '../../src/statistics/estimators/outcome.ts';
import { recruitmentTree } from '../../src/statistics/estimators/sample/sample.ts';
import { parseSampleFile } from '../../src/statistics/estimators/sample/sample-file.ts';

const EDGE = { id: 'id', recruiter: 'recruiter_id', size: 'network_size', time: 'recruited_at_min' };

/** 240 people, with missing and zero sizes and missing answers, in the service's order of time. */
export function edge240(): SampleTable {
  const { sample, outcome } = parseSampleFile(readFileSync('test/analysis/data/edge240.csv', 'utf8'), EDGE);
  const place = new Int32Array(sample.ids.length);
  for (const [at, row] of sample.order.entries()) place[row] = at;
  const rows = [...sample.order];
  const recruiters = Int32Array.from(rows, (row) => {
    const recruiter = sample.recruiters[row]!;
    return recruiter < 0 ? -1 : place[recruiter]!;
  });
  const ordered = (name: string, kind?: 'number'): OutcomeAnswers => {
    const original = outcome(name, kind)!;
    if (original.kind === 'NUMBER')
      return { ...original, values: Float64Array.from(rows, (row) => original.values[row]!) };
    return { ...original, codes: Int32Array.from(rows, (row) => original.codes[row]!) };
  };
  return tableOf(
    rows.map((row) => sample.ids[row]!),
    recruiters,
    Float64Array.from(rows, (row) => sample.reportedSizes[row]!),
    [
      { name: 'status', outcome: ordered('status') },
      { name: 'region', outcome: ordered('region') },
      { name: 'score', outcome: ordered('score', 'number') },
    ],
  );
}

export function tableOf(
  ids: string[],
  recruiters: Int32Array,
  reportedSizes: Float64Array,
  outcomes: SampleTable['outcomes'],
): SampleTable {
  const times = Float64Array.from(ids, (_, row) => Date.UTC(2026, 0, 22) + row * 1_700);
  const coupons = new Int32Array(ids.length).fill(3);
  return { ids, recruiters, reportedSizes, times, coupons, tree: recruitmentTree(recruiters), outcomes };
}
