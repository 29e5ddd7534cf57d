/** Rules as text, with parentheses where an operator needs them. What binds and sums up is alike in both languages. */

export interface Said {
  text: string;
  binds: number;
}

/** How close an operator binds; what binds looser than its surroundings gets parentheses. */
export const BINDS: Record<string, number> = { or: 1, and: 2, '+': 4, '-': 4, '*': 5, div: 5, mod: 5 };
export const COMPARED = 3;
export const TIGHT = 9;

export const tell = (text: string): Said => ({ text, binds: TIGHT });
export const wrapped = (said: Said, least: number) => (said.binds < least ? `(${said.text})` : said.text);

/** What goes over all turns of a repeat, by its name in XLSForm. */
export const OVER_TURNS: Record<string, string> = {
  sum: 'sumInArray',
  min: 'minInArray',
  max: 'maxInArray',
  count: 'countInArray',
};
