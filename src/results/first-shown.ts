/** What the pages of results show before anybody has chosen something. Browser-safe. */

interface Offered {
  name: string;
  question: string;
  decidesPart: boolean;
  levels: readonly unknown[] | null;
}

/** Who it was that gave them the coupon: asked where the questionnaire has it. */
export const RELATION = 'recruiterRelation';

/** So many questions are asked for at once. */
export const QUESTIONS_AT_ONCE = 6;

/** A question whose answers differ tells more than one that lets people take part. */
export function firstOutcome(outcomes: readonly Offered[]): string | null {
  return (outcomes.find(tells) ?? outcomes[0])?.name ?? null;
}

/** What it is compared by: as above, of those with groups. */
export function firstGroups(outcomes: readonly Offered[], outcome: string | null): string | null {
  const others = outcomes.filter(({ name, levels }) => name !== outcome && levels !== null);
  return (others.find(tells) ?? others[0])?.name ?? null;
}

const tells = ({ name, decidesPart, levels }: Offered) =>
  !decidesPart && levels !== null && name !== RELATION;

/** Those last that decide who takes part, which all answered alike. */
export function questionsInOrder(outcomes: readonly Offered[]): string[] {
  const inOrder = [...outcomes].sort((a, b) => Number(a.decidesPart) - Number(b.decidesPart));
  return [...new Set(inOrder.map(({ question }) => question))];
}
