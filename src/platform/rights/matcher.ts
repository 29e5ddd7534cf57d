/**
 * Makes a rule's conditions mean the same in memory and in the database. CASL's own matcher and MongoDB disagree on
 * null, missing fields and dates; this one compares like MongoDB, so that `ability.can` on a record and the list query
 * built from the same rule always agree. The client uses it too, for the rules that it receives. Browser-safe.
 */
import { buildMongoQueryMatcher, type ConditionsMatcher, type MongoQuery } from '@casl/ability';
import { $and, $nor, $or, and, eq, nor, or } from '@ucast/mongo2js';
import { isPlainObject } from '../lib/objects/plain-object.ts';

type Comparable = [kind: string, value: unknown];

const isObjectId = (value: unknown): value is { toHexString(): string } =>
  typeof (value as { toHexString?: unknown } | null)?.toHexString === 'function';

const isNullish = (value: unknown): boolean => value === undefined || value === null;

const comparable = (value: unknown): Comparable => {
  if (value instanceof Date) return ['date', value.getTime()];
  if (isObjectId(value)) return ['id', value.toHexString()];
  return [typeof value, value];
};

/** Values of different types (null is a type) are neither equal nor ordered. */
const compare = (a: unknown, b: unknown) => {
  const [kindA, x] = comparable(a ?? null);
  const [kindB, y] = comparable(b ?? null) as [string, never];
  if (kindA !== kindB) return Number.NaN as 0;
  if (x === y) return 0;
  return (x as number) > y ? 1 : -1;
};

/** As in MongoDB, null equals a missing field, and an array with null among its elements. */
const equalsNull = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isNullish) : isNullish(value);
const equal: typeof eq = (node, object, context) =>
  node.value === null
    ? equalsNull(context.get(object as never, node.field as string))
    : eq(node, object, context);
const unequal: typeof eq = (node, object, context) => !equal(node, object, context);
/** For rules received as JSON, where ids and dates are texts. */
export const matchConditions: ConditionsMatcher<MongoQuery> = buildMongoQueryMatcher(
  { $and, $or, $nor },
  { and, or, nor, eq: equal, ne: unequal },
  { compare },
);

/** Operators tested to give the same result in memory and in the database; $exists, $regex and others aren't. */
const KNOWN_OPERATORS = /^\$(and|or|nor|eq|ne|gte?|lte?|in|nin|all|size|elemMatch)$/;

function rejectUntestedOperators(condition: unknown): void {
  if (Array.isArray(condition)) {
    condition.forEach(rejectUntestedOperators);
    return;
  }
  if (typeof condition === 'string' && /^[0-9a-f]{24}$/.test(condition)) {
    throw new Error('ability rule: use an ObjectId, not its hex digits');
  }
  // Values, such as ids and dates.
  if (!isPlainObject(condition)) return;
  for (const [key, value] of Object.entries(condition)) {
    if (key.startsWith('$') && !KNOWN_OPERATORS.test(key))
      throw new Error(`ability rule: operator ${key} is not allowed`);
    rejectUntestedOperators(value);
  }
}

export const caslConditionsMatcher: ConditionsMatcher<MongoQuery> = (conditions) => {
  rejectUntestedOperators(conditions);
  return matchConditions(conditions);
};
