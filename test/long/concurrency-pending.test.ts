/** A recruiter arrives while codes of its subtree are redeemed: no interview is left without a chain. */

import {
  castOfFile,
  draft,
  flagsOf,
  read,
  reserve,
  seedCode,
  submit,
  times,
  unknownCode,
} from '../api/kit.ts';
import type { Body } from '../make.ts';

/** Each test has many rounds. */
const PATIENCE_MS = 120_000;

const cast = castOfFile();

const post = async (fields: Record<string, unknown>): Promise<Body> => {
  const { status, body } = await cast.volunteer.post('/api/surveys', draft(cast, fields));
  expect([status, body]).toEqual([201, expect.anything()]);
  return body;
};
const one = async () => String((await reserve(cast.volunteer, 1))[0]);

async function expectChain(
  survey: Body,
  seed: string,
  recruiter: string | null,
  wave: number,
): Promise<void> {
  const stored = await read(cast, survey.id);
  expect(stored).toMatchObject({ seed, recruiter, wave });
  expect(flagsOf(stored)).toEqual([]);
}

test(
  'a recruiter’s survey arrives while its own code is redeemed',
  async () => {
    for (const _ of times(12, Number)) {
      const code = await one();
      const [recruiter, child] = await Promise.all([
        post({ referralCode: await seedCode(cast), issuedCodes: [code] }),
        post({ referralCode: code }),
      ]);
      await expectChain(child, recruiter.seed, recruiter.id, 1);
    }
  },
  PATIENCE_MS,
);

test(
  'a recruiter’s survey arrives while codes one and two levels below are redeemed',
  async () => {
    for (const _ of times(12, Number)) {
      const code = await one();
      const child = await submit(cast, { referralCode: code });
      const inner = await submit(cast, { referralCode: child.issuedCodes[0] });
      const [recruiter, second, deep] = await Promise.all([
        post({ issuedCodes: [code] }),
        post({ referralCode: child.issuedCodes[1] }),
        post({ referralCode: inner.issuedCodes[0] }),
      ]);
      await expectChain(child, recruiter.seed, recruiter.id, 1);
      await expectChain(inner, recruiter.seed, child.id, 2);
      await expectChain(second, recruiter.seed, child.id, 2);
      await expectChain(deep, recruiter.seed, inner.id, 3);
    }
  },
  PATIENCE_MS,
);

test(
  'two pending levels arrive at the same time as a redemption at the bottom',
  async () => {
    for (const _ of times(10, Number)) {
      const [top, middle] = [await one(), await one()];
      const leaf = await submit(cast, { referralCode: middle });
      const [upper, lower, below] = await Promise.all([
        post({ referralCode: await seedCode(cast), issuedCodes: [top] }),
        post({ referralCode: top, issuedCodes: [middle] }),
        post({ referralCode: leaf.issuedCodes[0] }),
      ]);
      await expectChain(lower, upper.seed, upper.id, 1);
      await expectChain(leaf, upper.seed, lower.id, 2);
      await expectChain(below, upper.seed, leaf.id, 3);
    }
  },
  PATIENCE_MS,
);

test(
  'a flagged survey gets its code while a code below it is redeemed',
  async () => {
    for (const _ of times(10, Number)) {
      const flagged = await submit(cast, { referralCode: unknownCode(), onCodeProblem: 'FLAG' });
      const referralCode = await seedCode(cast);
      const [patched, child] = await Promise.all([
        cast.manager.patch(`/api/surveys/${flagged.id}`, { referralCode }).then((answer) => answer),
        post({ referralCode: flagged.issuedCodes[0] }),
      ]);
      expect(patched.status).toBe(200);
      await expectChain(child, patched.body.seed, flagged.id, 1);
    }
  },
  PATIENCE_MS,
);

test(
  'two simultaneous surveys that would recruit each other form no cycle',
  async () => {
    for (const _ of times(10, Number)) {
      const [a, b] = [await one(), await one()];
      const answers = await Promise.all(
        [
          { referralCode: a, issuedCodes: [b] },
          { referralCode: b, issuedCodes: [a] },
        ].map((fields) => cast.volunteer.post('/api/surveys', draft(cast, fields)).then((answer) => answer)),
      );
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
    }
  },
  PATIENCE_MS,
);
