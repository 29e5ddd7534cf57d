/** Spanish of the dashboard's surveys, questionnaires, recruitment board and audit. */
import type { deskBEn } from './desk-b.en.ts';

export const deskBEs: typeof deskBEn = {};
