/**
 * The allowlist of replies for stored records: writes the declared fields straight from the bytes that the database
 * sends, as the same JSON that `declaredFieldsSerializer` would give. Used for lists, where building objects and then texts would
 * take most of the time.
 */
import { z } from 'zod';
import { BSON_TYPE, NeedsMongoDriver } from '../../lib/bson/elements.ts';
import {
  type JsonBuffer,
  type WriteValue,
  writeBsonArrayAsJson,
  writeBsonValueAsJson,
} from '../../lib/bson/json-bytes.ts';
import { RecordFieldReader } from '../../lib/bson/record-fields.ts';
import { declaredFieldsSerializer, type ReplySerializer } from './declared-fields.ts';

export interface RecordReplySerializer {
  /** For a record that was read as an object. */
  serialize: ReplySerializer;
  /** Throws NeedsMongoDriver if the record must be read as an object. */
  write(out: JsonBuffer, record: Buffer): void;
}

export function serializerForSchema(schema: z.ZodType): RecordReplySerializer {
  const write = writerOf(schema);
  return {
    serialize: declaredFieldsSerializer(schema),
    write: (out, record) => write(out, record, BSON_TYPE.object, 0),
  };
}

function writerOf(schema: z.ZodType): WriteValue {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = writerOf(schema.unwrap() as z.ZodType);
    return (out, bytes, type, at) =>
      type === BSON_TYPE.null ? out.ascii('null') : inner(out, bytes, type, at);
  }
  if (schema instanceof z.ZodDefault) return writerOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) {
    const inner = writerOf(schema.element as z.ZodType);
    return (out, bytes, type, at) => {
      if (type !== BSON_TYPE.array) throw new NeedsMongoDriver();
      writeBsonArrayAsJson(out, bytes, at, inner);
    };
  }
  if (schema instanceof z.ZodObject) return objectWriter(schema.shape as Record<string, z.ZodType>);
  return writeBsonValueAsJson;
}

interface Field {
  /** The field's name in JSON. */
  label: Buffer;
  write: WriteValue;
  /** The JSON to send for a record without the field; null to omit it. */
  absent: Buffer | null;
}

function objectWriter(shape: Record<string, z.ZodType>): WriteValue {
  const names = Object.keys(shape);
  const fields = names.map((name): Field => {
    const schema = shape[name] as z.ZodType;
    const absent =
      schema instanceof z.ZodDefault
        ? JSON.stringify(schema.def.defaultValue)
        : schema instanceof z.ZodNullable
          ? 'null'
          : undefined;
    return {
      label: Buffer.from(`${JSON.stringify(name)}:`),
      write: writerOf(schema),
      absent: absent === undefined ? null : Buffer.from(absent),
    };
  });
  // `_id` is read last, for a record without an `id`.
  const stored = new RecordFieldReader([...names, '_id'].filter((name, at, all) => all.indexOf(name) === at));
  const { places, types } = stored;
  const [id, storedId] = [names.indexOf('id'), names.includes('_id') ? -1 : names.length];
  return (out, bytes, ofValue, from) => {
    if (ofValue !== BSON_TYPE.object) throw new NeedsMongoDriver();
    stored.find(bytes, from);
    if (id >= 0 && places[id] === 0 && storedId >= 0) {
      places[id] = places[storedId]!;
      types[id] = types[storedId]!;
    }
    out.ascii('{');
    let isFirst = true;
    for (let number = 0; number < fields.length; number++) {
      const { label, write, absent } = fields[number]!;
      const place = places[number]!;
      if (place === 0 && absent === null) continue;
      if (!isFirst) out.comma();
      isFirst = false;
      out.copy(label);
      if (place > 0) write(out, bytes, types[number]!, place);
      else if (absent) out.copy(absent);
    }
    out.ascii('}');
  };
}
