import type { ClientSession } from 'mongoose';
import { asProblem } from '../../platform/http/problems/errors.ts';
import { PROBLEMS, problem } from '../../platform/http/problems/problem.ts';
import { type Actor, authorOf } from '../../platform/rights/actor.ts';
import { load } from '../../platform/rights/guard.ts';
import { deleteSeed } from './create.ts';
import { Seeds } from './model.ts';
import type { SeedRefusal } from './schema.ts';

/** Each by itself, as if it were the only one. */
export async function deleteSeeds(
  actor: Actor,
  ids: string[],
  unexpected: (error: unknown) => void,
): Promise<{ done: number; refused: SeedRefusal[] }> {
  if (!actor.ability.can('delete', 'Seed')) throw problem('FORBIDDEN');
  const refused: SeedRefusal[] = [];
  for (const id of ids) {
    try {
      const find = (session: ClientSession) => load(actor, 'delete', Seeds, id, session);
      await deleteSeed(find, authorOf(actor));
    } catch (error) {
      const refusal = asProblem(error);
      // The others would fail too. Sending all of them again does no harm.
      if (refusal.name === 'UNAVAILABLE') throw error;
      if (refusal.name === 'INTERNAL') unexpected(error);
      refused.push({ id, message: refusal.message, code: PROBLEMS[refusal.name].wire ? refusal.name : null });
    }
  }
  return { done: ids.length - refused.length, refused };
}
