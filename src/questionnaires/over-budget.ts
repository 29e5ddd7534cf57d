/** By which a process ends itself that has used up its processor time: nobody else sends it, and it leaves no core file. */
export const OVER_BUDGET = 'SIGVTALRM';
