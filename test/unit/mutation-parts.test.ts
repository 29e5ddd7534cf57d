/** Test files in the parts of the mutation run exist, so that renaming one is noticed. */
import { existsSync } from 'node:fs';
// @ts-expect-error: plain JavaScript
import { PARTS } from '../../stryker.config.mjs';

type Part = { mutate: string[]; tests: string[] };

/** `a/{b,c}.ts` stands for two files. */
function filesOf(pattern: string): string[] {
  const [, before, among, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return among === undefined ? [pattern] : among.split(',').map((name) => `${before}${name}${after}`);
}

test('every file in the parts of the mutation run exists', () => {
  const patterns = Object.values<Part>(PARTS).flatMap(({ mutate, tests }) => [...mutate, ...tests]);
  expect(patterns.flatMap(filesOf).filter((file) => !existsSync(file))).toEqual([]);
});
