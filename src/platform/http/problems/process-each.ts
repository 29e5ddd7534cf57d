/** Batches whose items are processed independently: a refused item doesn't affect the others. */
import { asProblem } from './errors.ts';
import { PROBLEMS, type Problem } from './problem.ts';

/** Called for internal errors; the remaining items are still processed. */
export type ReportInternalError = (error: unknown) => void;

/**
 * The reason why an item was refused. Throws during an outage: the other items would fail too, and the whole batch can
 * be sent again.
 */
export function refusalOf(error: unknown, unexpected: ReportInternalError): Problem {
  const refusal = asProblem(error);
  if (refusal.name === 'UNAVAILABLE') throw error;
  if (refusal.name === 'INTERNAL') unexpected(error);
  return refusal;
}

/** As sent in a batch's reply. */
export const problemReplyFields = ({ name, message, why, params }: Problem) => ({
  code: PROBLEMS[name].wire ? name : null,
  message,
  ...(why && { reason: why.code }),
  ...(params && { params }),
});

type Refused = { id: string } & ReturnType<typeof problemReplyFields>;

/** Processes each item independently. */
export async function processEach<T extends { id: string }>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  unexpected: ReportInternalError,
): Promise<{ done: number; refused: Refused[] }> {
  const refusals: Refused[] = [];
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      const refusal = refusalOf(error, unexpected);
      const message = refusal.errors?.[0]?.message ?? refusal.message;
      refusals.push({ id: item.id, ...problemReplyFields(refusal), message });
    }
  }
  return { done: items.length - refusals.length, refused: refusals };
}
