/** The OpenAPI 3.1 document, made from the same declarations that route and validate. */
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { PROBLEMS, type ProblemName } from './problem.ts';
import type { MediaType, Route } from './route.ts';

/** What each kind of access, a query and a body can be refused with, whatever the route. */
function refusalsOf(one: Route): ProblemName[] {
  const names: ProblemName[] = [
    'RATE_LIMITED',
    'INVALID_QUERY',
    'INTERNAL',
    'UNAVAILABLE',
    ...(one.problems ?? []),
  ];
  if (one.access !== 'public') names.push('UNAUTHORIZED');
  if (one.access === 'approved') names.push('NOT_APPROVED');
  if (one.path.includes(':')) names.push('VALIDATION_ERROR');
  if (one.body) names.push('VALIDATION_ERROR', 'MALFORMED_JSON', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return [...new Set(names)];
}

const FieldErrors = z.array(z.object({ path: z.string(), message: z.string() }));

function refusalSchema(names: ProblemName[]): z.ZodType {
  const codes = names.filter((name) => PROBLEMS[name].wire) as [ProblemName, ...ProblemName[]];
  if (codes.length === 0) return z.object({ message: z.string() });
  const code = codes.length === names.length ? z.enum(codes) : z.enum(codes).optional();
  return z.object({ message: z.string(), code, errors: FieldErrors.optional() });
}

const contentOf = (shape: z.ZodType | MediaType): NonNullable<ZodOpenApiResponseObject['content']> =>
  typeof shape === 'string'
    ? { [shape]: { schema: { type: 'string', format: 'binary' } } }
    : { 'application/json': { schema: shape } };

function responsesOf(one: Route): ZodOpenApiOperationObject['responses'] {
  const responses: ZodOpenApiOperationObject['responses'] = {};
  for (const [status, shape] of Object.entries(one.reply)) {
    responses[status as '200'] = {
      description:
        { 200: 'Done.', 201: 'Created; `Location` says where.', 204: 'Done; no body.' }[status] ?? 'Done.',
      ...(status === '201' ? { headers: z.object({ Location: z.string() }) } : {}),
      ...(shape ? { content: contentOf(shape) } : {}),
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
      return [name, { value: { message, ...(wire ? { code: name } : {}) } }];
    });
    responses[`${status}` as '400'] = {
      description: names.map((name) => `${name}: ${PROBLEMS[name].message}`).join('\n\n'),
      ...(status === 429 || status === 503 ? { headers: z.object({ 'Retry-After': z.string() }) } : {}),
      content: {
        'application/json': { schema: refusalSchema(names), examples: Object.fromEntries(examples) },
      },
    };
  }
  return responses;
}

function operationOf(one: Route): ZodOpenApiOperationObject {
  const names = [...one.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const path = z.object(Object.fromEntries(names.map((name) => [name, z.string().min(1)])));
  const header = one.path === '/api/surveys/:id' && one.method === 'patch';
  return {
    operationId: `${one.method}${one.path.replace(/^\/api|[^\w]+(\w)/g, (_, letter = '') => letter.toUpperCase())}`,
    tags: [one.tag],
    summary: one.summary,
    ...(one.description ? { description: one.description } : {}),
    ...(one.access === 'public' ? { security: [] } : {}),
    requestParams: {
      ...(names.length > 0 ? { path } : {}),
      ...(one.query ? { query: one.query } : {}),
      ...(header
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
            content: {
              'application/json': { schema: one.body, ...(one.example ? { example: one.example } : {}) },
            },
          },
        }
      : {}),
    responses: responsesOf(one),
  };
}

export function openApiOf(routes: Route[], version: string): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const one of routes) {
    const path = one.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [one.method]: operationOf(one) };
  }
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Field survey sampling service',
        version,
        description:
          'Respondent-driven sampling: sign up by phone, be approved, plant seeds, interview, hand out referral codes.\n\nRefusals come in this order: 404 unknown path and 405, 401, 403 not approved, 429, 400 shape, 404 record, 403 ability, 409 state. Every answer carries `X-Request-Id`.',
      },
      servers: [{ url: '/' }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
      paths,
    },
    {
      // zod's pattern of a date is a page long; the format says the same.
      override: ({ jsonSchema }) => {
        if (jsonSchema.format) delete jsonSchema.pattern;
      },
    },
  );
}
