/** What changed since the previous round, for a publication. */
import { Problem } from '../../platform/http/problems/problem.ts';
import { outcomeChangeBetweenRounds } from '../../statistics/change/change.ts';
import { changeBetweenCounts } from '../../statistics/change/count-change.ts';
import { PopulationCountModel, type PopulationCountRecord } from '../../statistics/counts/model.ts';
import type { ResultsReader } from '../../statistics/sample/right.ts';
import { allRounds, type RequestedRound } from '../../study/rounds/requested.ts';
import { englishText, type PublishedRoundChange } from './facts.ts';

export interface PreviousRoundChanges {
  ofOutcome(name: string): Promise<PublishedRoundChange | null>;
  ofCount(count: PopulationCountRecord): Promise<PublishedRoundChange | null>;
}

/** Null for the first round. */
export async function changesFromPreviousRound(
  { ref }: RequestedRound,
  reader: ResultsReader,
  now: Date,
): Promise<PreviousRoundChanges | null> {
  const rounds = await allRounds();
  const before = rounds[rounds.findIndex(({ ref: other }) => other.id === ref.id) - 1];
  if (!before) return null;
  const from = before.round.name;
  return {
    ofOutcome: async (name) =>
      await nullIfIncomparable(async () => {
        const query = { outcome: name, from: before.ref.id, to: ref.id };
        const { levels, comparability } = await outcomeChangeBetweenRounds(reader, query, now);
        const sentences = levels.flatMap(({ value, title, sentence }) =>
          sentence ? [{ name: englishText(title, value ?? ''), value, text: sentence }] : [],
        );
        return publishedChange(from, sentences, comparability);
      }),
    ofCount: async (count) => {
      const { outcome, value } = count;
      const filter = {
        outcome,
        value,
        round: before.round._id,
        deletedAt: null,
        location: null,
        from: null,
        to: null,
      };
      const earlier = await PopulationCountModel.findOne(filter)
        .sort({ createdAt: -1 })
        .lean<PopulationCountRecord>();
      if (!earlier) return null;
      return await nullIfIncomparable(async () => {
        const change = await changeBetweenCounts(earlier, count, reader, now);
        const { sentence, persons, households, comparability } = change;
        const sentences = [sentence, persons?.sentence, households?.sentence].flatMap((text) =>
          text ? [{ name: '', value: null, text }] : [],
        );
        return publishedChange(from, sentences, comparability);
      });
    },
  };
}

const publishedChange = (
  from: string,
  sentences: PublishedRoundChange['sentences'],
  comparability: readonly { message: string }[],
): PublishedRoundChange | null =>
  sentences.length > 0 ? { from, sentences, differed: comparability.map(({ message }) => message) } : null;

/** Null for a question that the previous round didn't ask, or asked differently. */
async function nullIfIncomparable(read: () => Promise<PublishedRoundChange | null>) {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem && error.name === 'INVALID_QUERY') return null;
    throw error;
  }
}
