/** Why an interview was refused, as far as it determines what the person can do. */
import type { OutboxRowRefusal } from '../../device/store/store.ts';

type Reason = 'answers' | 'site' | 'forbidden' | 'conflict' | 'tooLarge' | 'other';

export function refusalReason({ status, code, reason, errors }: OutboxRowRefusal): Reason {
  if (errors.some(({ path }) => path === 'location')) return 'site';
  if (errors.some(({ path }) => path.startsWith('responses'))) return 'answers';
  if (status === 403) return 'forbidden';
  // If the service didn't store this version, it only exists here.
  if (code === 'EDIT_CONFLICT' && reason !== 'COPY_NOT_KEPT') return 'conflict';
  return status === 413 ? 'tooLarge' : 'other';
}
