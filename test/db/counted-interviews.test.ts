/** Which interviews count: the database conditions and the predicates agree. */
import mongoose from 'mongoose';
import {
  COUNTED_FILTER,
  IN_THE_SAMPLE,
  isCompletedParticipation,
  isRefusalOrIneligible,
  isUndeletedInSample,
  NOT_DELETED,
} from '../../src/interviews/surveys/counted-interviews.ts';
import { worldOfFile } from '../people.ts';

worldOfFile();

const ALL = ['IN_PROGRESS', 'COMPLETED'].flatMap((status) =>
  [{}, { takesPart: false }].flatMap((part) =>
    [null, new Date(1)].flatMap((deletedAt) =>
      [undefined, 'PENDING', 'REJECTED'].map((state, at) => ({
        status,
        ...part,
        deletedAt,
        ...(state ? { review: { state } } : {}),
        at,
      })),
    ),
  ),
);

test('the database filters and predicates of counted interviews agree', async () => {
  const interviews = mongoose.connection.collection('counting_test');
  await interviews.insertMany(ALL.map((one, index) => ({ ...one, index })));
  const matchingIndexes = async (filter: object) =>
    (await interviews.find(filter, { sort: { index: 1 } }).toArray()).map(({ index }) => index);
  const those = (holds: (one: (typeof ALL)[number]) => boolean) =>
    ALL.flatMap((one, index) => (holds(one) ? [index] : []));
  expect(await matchingIndexes(COUNTED_FILTER)).toEqual(those(isCompletedParticipation));
  expect(await matchingIndexes({ ...IN_THE_SAMPLE, ...NOT_DELETED })).toEqual(
    those((one) => isUndeletedInSample(one as never)),
  );
  expect(those(isCompletedParticipation)).toHaveLength(6);
  expect(those((one) => isUndeletedInSample(one as never))).toHaveLength(2);
});

test('no interview both counts and is a refusal', () => {
  for (const one of ALL) expect(isCompletedParticipation(one) && isRefusalOrIneligible(one)).toBe(false);
});
