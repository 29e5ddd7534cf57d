/** What the board reads. */
import type { z } from 'zod';
import type { Summary as SummarySchema } from '../../../src/recruitment/schema.ts';

export type Summary = z.infer<typeof SummarySchema>;
export type ChainRow = Summary['chains'][number];
export type AlertRow = Summary['alerts'][number];
