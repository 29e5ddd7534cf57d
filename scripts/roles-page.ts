/**
 * The rules of abilities.ts as a page to read (docs/roles.md). The rules are built for a marked viewpoint, and each
 * condition is led back to its name; one that has no name here is an error, so the page can not say less than the
 * rules do.
 */
import { isDeepStrictEqual } from 'node:util';
import mongoose from 'mongoose';
import type { Route } from '../src/http/route.ts';
import type { AppAbility } from '../src/rights/ability.ts';
import { abilityFor } from '../src/rules/abilities.ts';
import { conditionsFor } from '../src/rules/conditions.ts';
import { ConditionName, type Grant, ROLE_NAMES, type Role } from '../src/users/schema.ts';

type Rule = AppAbility['rules'][number];

const VIEW = {
  user: { _id: new mongoose.Types.ObjectId('aaaaaaaaaaaaaaaaaaaaaaaa') },
  location: new mongoose.Types.ObjectId('bbbbbbbbbbbbbbbbbbbbbbbb'),
  now: new Date('2026-06-15T12:00:00Z'),
  timeZone: 'UTC',
};

const WORDS: Record<ConditionName, string> = {
  IS_SELF: "the record is the caller's own account",
  IS_CREATED_BY_SELF: 'the caller made the record',
  WAS_CREATED_TODAY: "the record was made today, by the calendar of the service's time zone",
  HAS_SAME_LOCATION:
    "the record is at the caller's current location (of a user: the assigned one); a caller without one matches nothing",
  HAS_VOLUNTEER_ROLE: "the user's role is VOLUNTEER",
  HAS_MANAGER_ROLE: "the user's role is MANAGER",
  HAS_ADMIN_ROLE: "the user's role is ADMIN",
};

const HAS_ROLE = "`HAS_ROLE(...)`: the user's role is one of these.";

const ACTIONS = ['manage', 'create', 'list', 'read', 'update', 'delete', 'reopen', 'review', 'import'];

const rulesOf = (role: Role, permissions: Grant[] = []): Rule[] =>
  abilityFor({ ...VIEW, user: { ...VIEW.user, role, permissions } }).rules;
const has = (rules: Rule[], rule: Rule) => rules.some((one) => isDeepStrictEqual(one, rule));

/** The whole page. `routes` is asked for what no rule guards. */
export function rolesDoc(routes: Route[]): string {
  const all = ROLE_NAMES.map((role) => ({ role, rules: rulesOf(role) }));
  const shared = all[0]?.rules.filter((rule) => all.every(({ rules }) => has(rules, rule))) ?? [];
  const own = all.map(({ role, rules }) => ({ role, rules: rules.filter((rule) => !has(shared, rule)) }));
  return [
    '# Who may do what',
    'Written by `npm run docs:roles` from `src/rules/abilities.ts`; do not edit it by hand. What no line allows is refused (403).',
    '## Every approved user',
    table(shared.filter((rule) => !rule.inverted)),
    ...own.flatMap(({ role, rules }) => [
      `## ${role}, besides`,
      table(rules.filter((rule) => !rule.inverted)),
      ...neverOf(rules.filter((rule) => rule.inverted)),
    ]),
    '## Nobody',
    'Not even who may do everything:',
    table(shared.filter((rule) => rule.inverted)),
    '## The conditions',
    list([...ConditionName.options.map((name) => `\`${name}\`: ${WORDS[name]}.`), HAS_ROLE]),
    'For an update each changed field must be allowed on the record as it is and as it would be; of a change of `location` only the state before counts. `list` is asked of users alone: who may read the own record is not shown a list. `reopen` is the way from REJECTED back to PENDING; `review` is looking at what others sent, and `import` is sending it for somebody who left.',
    '## Grants to one user',
    'A super-admin may give one user more than the role does (`permissions`). A grant names an action, a subject and conditions, which must all hold. On users it reaches less than it says:',
    table(grantedOnUsers(), true),
    '## What no rule guards',
    'Open without a token:',
    list(namesOf(routes, 'public')),
    'Open to whoever has a token, approved or not:',
    list(namesOf(routes, 'signed-in')),
    'All other routes want an approved user. Validating a referral code, reserving a block of codes and reading the study ask nothing more.',
  ]
    .join('\n\n')
    .concat('\n');
}

const neverOf = (rules: Rule[]) => (rules.length === 0 ? [] : ['Never, whatever is granted:', table(rules)]);

/** What a grant without conditions adds, action by action. */
function grantedOnUsers(): Rule[] {
  const before = rulesOf('VOLUNTEER');
  return (['create', 'list', 'read', 'update', 'delete'] as const).flatMap((action) =>
    rulesOf('VOLUNTEER', [{ action, subject: 'User', conditions: [] }]).filter((rule) => !has(before, rule)),
  );
}

function table(rules: Rule[], isGrant = false): string {
  const rows = rules.flatMap(rowsOf).sort((a, b) => a.subject.localeCompare(b.subject) || a.rank - b.rank);
  const lines = rows.map((row) => `| ${row.subject} | ${row.action} | ${row.fields} | ${row.where} |`);
  const last = isGrant ? "where, besides the grant's own conditions" : 'where';
  return [`| subject | action | fields | ${last} |`, '| --- | --- | --- | --- |', ...lines].join('\n');
}

interface Row {
  subject: string;
  action: string;
  rank: number;
  fields: string;
  where: string;
}

function rowsOf(rule: Rule): Row[] {
  const fields = rule.fields ? [rule.fields].flat().join(', ') : 'all';
  const actions = [rule.action].flat();
  return [rule.subject].flat().flatMap((subject) =>
    actions.map((action) => ({
      subject: String(subject),
      action: action === 'manage' ? 'everything' : action,
      rank: ACTIONS.indexOf(action),
      fields,
      where: whereOf(rule.conditions),
    })),
  );
}

/** The names of a rule's conditions. */
function whereOf(conditions: unknown): string {
  const names = namesIn(conditions);
  return names.length === 0 ? 'always' : names.map((name) => `\`${name}\``).join(' and ');
}

function namesIn(conditions: unknown): string[] {
  if (conditions === undefined) return [];
  return Object.entries(conditions as Record<string, unknown>).flatMap(([field, wanted]) =>
    field === '$and' ? (wanted as unknown[]).flatMap(namesIn) : [nameOf(field, wanted)],
  );
}

function nameOf(field: string, wanted: unknown): string {
  const known = conditionsFor(VIEW);
  const name = ConditionName.options.find((one) => isDeepStrictEqual({ ...known[one] }, { [field]: wanted }));
  if (name) return name;
  const roles = (wanted as { $in?: Role[] }).$in;
  if (field === 'role' && roles) return `HAS_ROLE(${roles.join(', ')})`;
  throw new Error(`A rule has a condition on \`${field}\` that has no name: name it in rules/conditions.ts`);
}

function namesOf(routes: Route[], access: Route['access']): string[] {
  return routes
    .filter((one) => one.access === access)
    .map((one) => `\`${one.method.toUpperCase()} ${one.path}\`: ${one.summary}`);
}

const list = (lines: string[]) => lines.map((line) => `- ${line}`).join('\n');
