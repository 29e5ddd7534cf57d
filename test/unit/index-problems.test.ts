/** What a unique index's refusal means to a caller. */
import mongoose from 'mongoose';
import { asProblem, setDuplicateKeyProblems } from '../../src/platform/http/problems/errors.ts';
import { PROBLEMS_BY_UNIQUE_INDEX } from '../../src/resources.ts';

afterEach(() => setDuplicateKeyProblems(PROBLEMS_BY_UNIQUE_INDEX));

const duplicateIn = (index: string) =>
  new mongoose.mongo.MongoServerError({
    message: `E11000 duplicate key error index: ${index} dup key`,
    code: 11_000,
  });

test('a duplicate is reported as the problem that the app and the commands declare for its index', () => {
  setDuplicateKeyProblems({ phone_live: 'PHONE_TAKEN', code_once: null });
  expect(asProblem(duplicateIn('phone_live')).name).toBe('PHONE_TAKEN');
  expect(asProblem(duplicateIn('code_once')).name).toBe('INTERNAL');
  setDuplicateKeyProblems({});
  expect(asProblem(duplicateIn('phone_live')).name).toBe('INTERNAL');
});

test('the problems of all resources are declared together', () => {
  expect(PROBLEMS_BY_UNIQUE_INDEX).toMatchObject({
    phone_live: 'PHONE_TAKEN',
    referral_code_once: 'REFERRAL_CODE_USED',
  });
});
