/** Parses conditions such as `{consent} = 'yes'`, to describe them in words. */

export type ConditionOperator =
  | 'empty'
  | 'notempty'
  | 'equal'
  | 'notequal'
  | 'greater'
  | 'greaterorequal'
  | 'less'
  | 'lessorequal'
  | 'contains'
  | 'notcontains'
  | 'anyof'
  | 'noneof'
  | 'allof';

export interface Clause {
  question: string;
  operator: ConditionOperator;
  values: string[];
}

export interface Condition {
  join: 'and' | 'or';
  clauses: Clause[];
}

const OPERATORS: Record<string, ConditionOperator> = {
  empty: 'empty',
  notempty: 'notempty',
  '=': 'equal',
  '==': 'equal',
  equal: 'equal',
  '<>': 'notequal',
  '!=': 'notequal',
  notequal: 'notequal',
  '>': 'greater',
  '>=': 'greaterorequal',
  '<': 'less',
  '<=': 'lessorequal',
  contains: 'contains',
  contain: 'contains',
  notcontains: 'notcontains',
  anyof: 'anyof',
  noneof: 'noneof',
  allof: 'allof',
};

const VALUE = String.raw`'[^']*'|"[^"]*"|-?\d+(?:\.\d+)?|true|false`;
const CLAUSE = new RegExp(
  String.raw`^\{([\w.-]+)\}\s*(?:(empty|notempty)|(<>|!=|>=|<=|==|=|>|<|[a-z]+)\s*(${VALUE}|\[(?:\s*(?:${VALUE})\s*,?)*\]))$`,
);

/** Null for anything beyond a list of simple clauses: brackets, sums, and functions aren't described in words. */
export function readCondition(text: string): Condition | null {
  const parts = splitCondition(text);
  const clauses = parts?.texts.map(readClause) ?? [null];
  return parts && clauses.every((clause) => clause !== null) ? { join: parts.join, clauses } : null;
}

/** Splits at `and` or `or`; null if it has both. */
export function splitCondition(text: string): { join: Condition['join']; texts: string[] } | null {
  const apart = (word: string) => splitOutside(text.trim(), new RegExp(String.raw`\s+${word}\s+`, 'i'));
  const [ands, ors] = [apart('and'), apart('or')];
  if (ands.length > 1 && ors.length > 1) return null;
  return ors.length > 1 ? { join: 'or', texts: ors } : { join: 'and', texts: ands };
}

/** Ignores matches inside quotation marks. */
function splitOutside(text: string, by: RegExp): string[] {
  const quotes: string[] = [];
  const bare = text.replace(/'[^']*'|"[^"]*"/g, (quoted) => `\u0000${quotes.push(quoted) - 1}\u0000`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL never occurs in texts, so it marks the quoted parts
  const placeholder = /\u0000(\d+)\u0000/g;
  return bare.split(by).map((part) => part.replace(placeholder, (_, at) => quotes[Number(at)] ?? ''));
}

export function readClause(text: string): Clause | null {
  const [, question, bare, sign, value = ''] = CLAUSE.exec(text.trim()) ?? [];
  const operator = OPERATORS[bare ?? sign ?? ''];
  if (!question || !operator) return null;
  const values = value.match(new RegExp(VALUE, 'g')) ?? [];
  return { question, operator, values: values.map((one) => one.replace(/^['"]|['"]$/g, '')) };
}
