/**
 * The allowlist of replies. Compiles a zod schema to a function that copies only the declared fields, so that other fields
 * of a record (hashes, deletedAt) can't leak. It does not validate, which would take longer than the database.
 */
import { z } from 'zod';

export type ReplySerializer = (value: unknown) => unknown;

const identity: ReplySerializer = (value) => value;

export function declaredFieldsSerializer(schema: z.ZodType): ReplySerializer {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = declaredFieldsSerializer(schema.unwrap() as z.ZodType);
    return inner === identity
      ? identity
      : (value) => (value === null || value === undefined ? value : inner(value));
  }
  if (schema instanceof z.ZodDefault) return declaredFieldsSerializer(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) {
    const inner = declaredFieldsSerializer(schema.element as z.ZodType);
    return inner === identity ? identity : (value) => (value as unknown[]).map(inner);
  }
  if (schema instanceof z.ZodObject) return objectFields(schema.shape as Record<string, z.ZodType>);
  return identity;
}

function objectFields(shape: Record<string, z.ZodType>): ReplySerializer {
  const fields = Object.entries(shape).map(([key, schema]) => ({
    key,
    cut: declaredFieldsSerializer(schema),
    // A missing field becomes its default, or null if the schema allows null.
    absent:
      schema instanceof z.ZodDefault
        ? schema.def.defaultValue
        : schema instanceof z.ZodNullable
          ? null
          : undefined,
  }));
  return (value) => {
    const source = value as Record<string, unknown>;
    const out: Record<string, unknown> = {};
    for (const { key, cut: serialize, absent } of fields) {
      const stored = key === 'id' && source.id === undefined ? source._id : source[key];
      out[key] = stored === undefined ? absent : serialize(stored);
    }
    return out;
  };
}
