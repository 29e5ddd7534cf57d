/** How many people in a round were also interviewed in the previous round, going by their identity answers. */
import type { Types } from 'mongoose';
import { IN_THE_SAMPLE, NOT_DELETED } from '../../../interviews/surveys/counted-interviews.ts';
import { SurveyModel } from '../../../interviews/surveys/model.ts';
import { IdentityHashModel } from '../../../interviews/surveys/repeats/identities.ts';
import { allRounds } from '../../../study/rounds/requested.ts';

export interface ReturningPeopleCounts {
  /** The name of the previous round. */
  before: string;
  /** People in this round with complete identity answers, and how many of them are also in the previous round. */
  known: number;
  again: number;
}

/** Null for the first round. */
export async function countReturningPeople(round: string): Promise<ReturningPeopleCounts | null> {
  const rounds = await allRounds();
  const at = rounds.findIndex(({ ref }) => ref.id === round);
  const [earlier, own] = [rounds[at - 1], rounds[at]];
  if (!earlier || !own) return null;
  const [before, now] = await Promise.all([hashesOf(earlier.round._id), hashesOf(own.round._id)]);
  let again = 0;
  for (const hash of now) if (before.has(hash)) again++;
  return { before: earlier.round.name, known: now.size, again };
}

/** Hashes of the complete identity answers of everyone in the sample; people who are in it twice count once. */
async function hashesOf(round: Types.ObjectId): Promise<Set<string>> {
  const rows = SurveyModel.collection.aggregate<{ hash: string }>([
    { $match: { round, ...IN_THE_SAMPLE, ...NOT_DELETED } },
    { $project: { _id: 1 } },
    {
      $lookup: {
        from: IdentityHashModel.collection.name,
        localField: '_id',
        foreignField: 'survey',
        // With only one hash, the identity answers are incomplete.
        pipeline: [
          { $match: { 'hashes.1': { $exists: true } } },
          { $project: { hash: { $first: '$hashes' } } },
        ],
        as: 'identity',
      },
    },
    { $unwind: '$identity' },
    { $project: { _id: 0, hash: '$identity.hash' } },
  ]);
  const hashes = new Set<string>();
  for await (const { hash } of rows) hashes.add(hash);
  return hashes;
}
