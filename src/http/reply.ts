/**
 * The whitelist of replies. From the declared zod schema it makes, once, a function that copies the declared fields
 * and no others: what a record holds beyond them (hashes, deletedAt) can not leak. It copies; it does not validate,
 * since a parse of each reply would cost more than the database does.
 */
import { z } from 'zod';

export type Cut = (value: unknown) => unknown;

const same: Cut = (value) => value;

export function onlyDeclared(schema: z.ZodType): Cut {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = onlyDeclared(schema.unwrap() as z.ZodType);
    return inner === same ? same : (value) => (value === null || value === undefined ? value : inner(value));
  }
  if (schema instanceof z.ZodArray) {
    const inner = onlyDeclared(schema.element as z.ZodType);
    return inner === same ? same : (value) => (value as unknown[]).map(inner);
  }
  if (schema instanceof z.ZodObject) return cutObject(schema.shape as Record<string, z.ZodType>);
  return same;
}

function cutObject(shape: Record<string, z.ZodType>): Cut {
  const fields = Object.entries(shape).map(([key, schema]) => ({
    key,
    cut: onlyDeclared(schema),
    // A field that an older record lacks is null on the wire where the declaration allows null.
    absent: schema instanceof z.ZodNullable ? null : undefined,
  }));
  return (value) => {
    const source = value as Record<string, unknown>;
    const out: Record<string, unknown> = {};
    for (const { key, cut, absent } of fields) {
      const found = key === 'id' && source.id === undefined ? source._id : source[key];
      out[key] = found === undefined ? absent : cut(found);
    }
    return out;
  };
}
