/** A part of the mutation run whose test was renamed would find nothing, and say so as if nothing were tested. */
import { existsSync } from 'node:fs';
// @ts-expect-error: plain JavaScript
import { PARTS } from '../../stryker.config.mjs';

type Part = { mutate: string[]; tests: string[] };

/** `a/{b,c}.ts` stands for two files. */
function filesOf(pattern: string): string[] {
  const [, before, among, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return among === undefined ? [pattern] : among.split(',').map((name) => `${before}${name}${after}`);
}

test('each file that the mutation run changes, and each test that has to notice, is there', () => {
  const patterns = Object.values<Part>(PARTS).flatMap(({ mutate, tests }) => [...mutate, ...tests]);
  expect(patterns.flatMap(filesOf).filter((file) => !existsSync(file))).toEqual([]);
});
