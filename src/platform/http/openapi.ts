/** Generates the OpenAPI 3.1 document from the route declarations. */
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import type { MediaType } from './bodies/media-type.ts';
import { API_INTRODUCTION, OPENAPI_TOKEN_DESCRIPTION, PROBLEM_TITLES, sortApiTags } from './openapi-texts.ts';
import { FieldErrorCode, FieldErrors, ProblemParams } from './problems/field-errors.ts';
import { PROBLEMS, type ProblemName } from './problems/problem.ts';
import type { ApiRoute } from './route.ts';

/** The problems that follow from a route's access, query and body. */
function refusalsOf(one: ApiRoute): ProblemName[] {
  const names: ProblemName[] = [
    'METHOD_NOT_ALLOWED',
    'RATE_LIMITED',
    'INVALID_QUERY',
    'INTERNAL',
    'UNAVAILABLE',
    ...(one.path.includes('/:id') ? (['NOT_FOUND'] as const) : []),
    ...(one.problems ?? []),
  ];
  // 403 even on routes that every user may use: to a token for other routes, or without the second factor.
  if (one.access !== 'public') names.push('UNAUTHORIZED', 'FORBIDDEN');
  if (one.access === 'approved' || one.access === 'results') names.push('NOT_APPROVED');
  if (one.path.includes(':')) names.push('VALIDATION_ERROR');
  if (one.body) names.push('VALIDATION_ERROR', 'MALFORMED_JSON', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return [...new Set(names)];
}

/** The problem's name if replies contain it as `code`, otherwise a plain title. */
const titleOf = (name: ProblemName): string => (PROBLEMS[name].wire ? name : (PROBLEM_TITLES[name] ?? name));

function refusalSchema(names: ProblemName[]): z.ZodType {
  const codes = names.filter((name) => PROBLEMS[name].wire) as [ProblemName, ...ProblemName[]];
  const shape = { message: z.string(), reason: FieldErrorCode.optional(), params: ProblemParams.optional() };
  if (codes.length === 0) return z.object(shape);
  const code = codes.length === names.length ? z.enum(codes) : z.enum(codes).optional();
  const parts = names.includes('UNAVAILABLE') ? { parts: z.record(z.string(), z.boolean()).optional() } : {};
  return z.object({ ...shape, code, errors: FieldErrors.optional(), ...parts });
}

type Content = NonNullable<ZodOpenApiResponseObject['content']>;

/** For a JSON file, the schema describes its content. */
const fileContent = (types: readonly string[]): Content =>
  Object.fromEntries(
    types.map((type) => [
      type,
      { schema: type === 'application/json' ? {} : { type: 'string', format: 'binary' } },
    ]),
  );

const contentOf = (shape: z.ZodType | MediaType): Content =>
  typeof shape === 'string' ? fileContent([shape]) : { 'application/json': { schema: shape } };

const REQUEST_ID = {
  'X-Request-Id': z.string().meta({ description: "The request's id, which the service's log has too." }),
};
const PRINT_NOTES = {
  'X-Print-Notes': z.string().optional().meta({
    description:
      'What was left out or cut because there was no room or no font, one line each, percent-encoded.',
  }),
  'X-Print-Note-Codes': z.string().optional().meta({
    description:
      'The same as percent-encoded JSON, in the same order: a list of objects with `code` and `params`.',
  }),
};
const wait = { 'Retry-After': z.string().meta({ description: 'Seconds to wait before trying again.' }) };
const HEADERS: Partial<Record<number, z.ZodRawShape>> = {
  405: { Allow: z.string().meta({ description: 'The methods that the path accepts.' }) },
  429: wait,
  503: wait,
};

const ANSWERS: Record<string, string> = {
  200: 'Done.',
  201: 'Created; `Location` says where.',
  202: 'It will be done; `Location` says where to ask.',
  204: 'Done; no body.',
};

/** The reply to a send token has less data. */
const withSendReply = ({ sendToken }: ApiRoute, shape: z.ZodType | MediaType) =>
  sendToken?.reply && typeof shape !== 'string' ? z.union([shape, sendToken.reply]) : shape;

function responsesOf(one: ApiRoute): ZodOpenApiOperationObject['responses'] {
  const responses: ZodOpenApiOperationObject['responses'] = {};
  for (const [status, shape] of Object.entries(one.reply)) {
    responses[status as '200'] = {
      description: ANSWERS[status] ?? 'Done.',
      headers: z.object({
        ...REQUEST_ID,
        ...(status === '201' || status === '202' ? { Location: z.string() } : {}),
        ...(shape === 'application/pdf' ? PRINT_NOTES : {}),
      }),
      ...(shape ? { content: contentOf(withSendReply(one, shape)) } : {}),
    };
  }
  const byStatus = new Map<number, ProblemName[]>();
  for (const name of refusalsOf(one)) {
    const { status } = PROBLEMS[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  for (const [status, names] of byStatus) {
    const examples = names.map((name) => {
      const { message, wire } = PROBLEMS[name];
      return [titleOf(name), { value: { message, ...(wire ? { code: name } : {}) } }];
    });
    responses[`${status}` as '400'] = {
      description: names.map((name) => `${titleOf(name)}: ${PROBLEMS[name].message}`).join('\n\n'),
      headers: z.object({ ...REQUEST_ID, ...HEADERS[status] }),
      content: {
        'application/json': { schema: refusalSchema(names), examples: Object.fromEntries(examples) },
      },
    };
  }
  return responses;
}

const inPath = (name: string) =>
  name === 'code'
    ? { description: 'As printed on the coupon.' }
    : { description: 'The `id` of the record, as shown in its list.' };

function descriptionOf({ description, sendToken }: ApiRoute): { description?: string } {
  const texts = [description, sendToken && 'Also accepts a send token (`POST /api/auth/send-token`).'];
  const text = texts.filter(Boolean).join('\n\n');
  return text ? { description: text } : {};
}

function operationOf(one: ApiRoute): ZodOpenApiOperationObject {
  const names = [...one.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const path = z.object(
    Object.fromEntries(names.map((name) => [name, z.string().min(1).meta(inPath(name))])),
  );
  return {
    operationId: `${one.method}${one.path.replace(/^\/api|[^\w]+(\w)/g, (_, letter = '') => letter.toUpperCase())}`,
    tags: [one.tag],
    summary: one.summary,
    ...descriptionOf(one),
    ...(one.access === 'public' ? { security: [] } : {}),
    requestParams: {
      ...(names.length > 0 ? { path } : {}),
      ...(one.query ? { query: one.query } : {}),
      ...(one.ifMatch
        ? {
            header: z.object({
              'If-Match': z
                .string()
                .regex(/^("\d{1,9}"|\*)$/)
                .optional()
                .meta({ description: 'The version in quotes, or `*`.', example: '"1"' }),
            }),
          }
        : {}),
    },
    ...(one.body
      ? {
          requestBody: {
            required: true,
            content: one.fileTypes
              ? fileContent(one.fileTypes)
              : {
                  'application/json': { schema: one.body, ...(one.example ? { example: one.example } : {}) },
                },
          },
        }
      : {}),
    responses: responsesOf(one),
  };
}

interface About {
  version: string;
  /** The groups of URLs, in order. */
  tags: readonly { name: string; description: string }[];
}

export function openApiOf(routes: ApiRoute[], { version, tags }: About): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const one of routes) {
    const path = one.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [one.method]: operationOf(one) };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Field survey sampling service',
        version,
        description: API_INTRODUCTION,
      },
      servers: [{ url: '/' }],
      tags: sortApiTags(tags),
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: OPENAPI_TOKEN_DESCRIPTION,
          },
        },
      },
      security: [{ bearer: [] }],
      paths,
    },
    {
      override: ({ jsonSchema }) => {
        // zod's pattern for a date is a page long, and `format` or `type` says the same.
        if (jsonSchema.format || jsonSchema.type === 'integer') delete jsonSchema.pattern;
        // JavaScript's largest safe integer says nothing about the field and would be shown as its example.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      },
    },
  );
  for (const methods of Object.values(document.paths ?? {})) {
    for (const { parameters } of Object.values(methods) as { parameters?: { schema?: JsonSchema }[] }[])
      for (const { schema } of parameters ?? []) if (schema) listExamples(schema);
  }
  return document;
}

interface JsonSchema {
  example?: unknown;
  examples?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
}

/**
 * Swagger UI fills a parameter's `example` into the form, and the list would then be filtered by an id that does not exist.
 * It ignores `examples`.
 */
function listExamples(schema: JsonSchema): void {
  for (const one of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]) listExamples(one);
  if (schema.example === undefined) return;
  schema.examples = [schema.example];
  delete schema.example;
}
