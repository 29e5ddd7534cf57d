/** What the results pages show before anybody has chosen something. Browser-safe. */

interface Offered {
  name: string;
  question: string;
  decidesEligibility: boolean;
  coversEveryone: boolean;
  levels: readonly unknown[] | null;
}

/** So many questions are asked for at once. */
export const QUESTIONS_AT_ONCE = 6;

/** Null where nothing can be estimated. */
export function firstOutcome(outcomes: readonly Offered[]): string | null {
  const categories = outcomes.filter(({ levels }) => levels !== null);
  const telling =
    categories.find((one) => one.coversEveryone) ?? categories.find((one) => !one.decidesEligibility);
  return (telling ?? outcomes[0])?.name ?? null;
}

/** What an outcome is compared by: the site, which is known of every interview. */
export function firstGroups(outcomes: readonly Offered[], outcome: string | null): string | null {
  if (outcome !== 'location') return 'location';
  const first = firstOutcome(outcomes);
  return first === 'location' ? null : first;
}

/** Those last that decide who takes part, which all answered alike. */
export function questionsInOrder(outcomes: readonly Offered[]): string[] {
  const inOrder = [...outcomes].sort((a, b) => Number(a.decidesEligibility) - Number(b.decidesEligibility));
  return [...new Set(inOrder.map(({ question }) => question))];
}
