/** All changes of what is stored since the first version, by their days. None is ever changed or taken out again. */
import type { Migration } from '../migrate.ts';
import { heldAt } from './2026-11-22-held-at.ts';
import { secondCopies } from './2026-11-22-second-copies.ts';
import { whereItHappened } from './2026-11-22-where-it-happened.ts';

export const MIGRATIONS: readonly Migration[] = [heldAt, secondCopies, whereItHappened];
