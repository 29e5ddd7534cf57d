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
  const telling = outcomes.find((one) => !one.decidesPart && one.levels !== null && one.name !== RELATION);
  return (telling ?? outcomes[0])?.name ?? null;
}

/** Those last that decide who takes part, which all answered alike. */
export function questionsInOrder(outcomes: readonly Offered[]): string[] {
  const inOrder = [...outcomes].sort((a, b) => Number(a.decidesPart) - Number(b.decidesPart));
  return [...new Set(inOrder.map(({ question }) => question))];
}
