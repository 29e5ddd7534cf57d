/** What the results pages show until the user chooses something. Browser-safe. */

interface Offered {
  name: string;
  question: string;
  decidesEligibility: boolean;
  coversEveryone: boolean;
  levels: readonly unknown[] | null;
}

/** How many questions a page requests at a time. */
export const QUESTIONS_PER_REQUEST = 6;

/** Null if nothing can be estimated. */
export function defaultOutcome(outcomes: readonly Offered[]): string | null {
  const categories = outcomes.filter(({ levels }) => levels !== null);
  const telling =
    categories.find((one) => one.coversEveryone) ?? categories.find((one) => !one.decidesEligibility);
  return (telling ?? outcomes[0])?.name ?? null;
}

/** What to compare an outcome by at first: the site, which is known for every interview. */
export function defaultGroupingVariable(outcomes: readonly Offered[], outcome: string | null): string | null {
  if (outcome !== 'location') return 'location';
  const first = defaultOutcome(outcomes);
  return first === 'location' ? null : first;
}

/** Puts eligibility questions last, since everyone in the sample gave the same answers to them. */
export function questionsEligibilityLast(outcomes: readonly Offered[]): string[] {
  const inOrder = [...outcomes].sort((a, b) => Number(a.decidesEligibility) - Number(b.decidesEligibility));
  return [...new Set(inOrder.map(({ question }) => question))];
}
