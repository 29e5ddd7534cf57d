/** Batches whose items are done one by one: what is refused of one says nothing of the others. */
import { asProblem } from './errors.ts';
import { PROBLEMS, type Problem } from './problem.ts';

/** Called for internal errors; the other items are done anyway. */
export type OnInternalError = (error: unknown) => void;

/** Why an item was refused, or throws in an outage: the others would fail too, and the whole batch can be sent again. */
export function refusalOf(error: unknown, unexpected: OnInternalError): Problem {
  const refusal = asProblem(error);
  if (refusal.name === 'UNAVAILABLE') throw error;
  if (refusal.name === 'INTERNAL') unexpected(error);
  return refusal;
}

/** As it is sent in a batch's reply. */
export const refusalFields = ({ name, message, why, params }: Problem) => ({
  code: PROBLEMS[name].wire ? name : null,
  message,
  ...(why && { reason: why.code }),
  ...(params && { params }),
});

type Refused = { id: string } & ReturnType<typeof refusalFields>;

/** Each by itself, as if it were the only one. */
export async function eachAlone<T extends { id: string }>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  unexpected: OnInternalError,
): Promise<{ done: number; refused: Refused[] }> {
  const refusals: Refused[] = [];
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      const refusal = refusalOf(error, unexpected);
      const message = refusal.errors?.[0]?.message ?? refusal.message;
      refusals.push({ id: item.id, ...refusalFields(refusal), message });
    }
  }
  return { done: items.length - refusals.length, refused: refusals };
}
