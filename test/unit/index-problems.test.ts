/** What a unique index's refusal means to a caller. */
import mongoose from 'mongoose';
import { asProblem, setIndexProblems } from '../../src/platform/http/problems/errors.ts';
import { INDEX_PROBLEMS } from '../../src/resources.ts';

afterEach(() => setIndexProblems(INDEX_PROBLEMS));

const duplicateIn = (index: string) =>
  new mongoose.mongo.MongoServerError({
    message: `E11000 duplicate key error index: ${index} dup key`,
    code: 11_000,
  });

test('a duplicate is reported as the problem that the app and the commands declare for its index', () => {
  setIndexProblems({ phone_live: 'PHONE_TAKEN', code_once: null });
  expect(asProblem(duplicateIn('phone_live')).name).toBe('PHONE_TAKEN');
  expect(asProblem(duplicateIn('code_once')).name).toBe('INTERNAL');
  setIndexProblems({});
  expect(asProblem(duplicateIn('phone_live')).name).toBe('INTERNAL');
});

test('the problems of all resources are declared together', () => {
  expect(INDEX_PROBLEMS).toMatchObject({
    phone_live: 'PHONE_TAKEN',
    referral_code_once: 'REFERRAL_CODE_USED',
  });
});
