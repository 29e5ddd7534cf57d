import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import supertest from 'supertest';
import { consoleOtp } from '../../src/access/auth/otp/otp-console.ts';
import { createApp } from '../../src/app.ts';
import { PROBLEMS } from '../../src/platform/http/problems/problem.ts';
import { parsePhone } from '../../src/platform/lib/text/phone.ts';
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { apiRoutes } from '../../src/routes.ts';
import { checkAnswers } from '../check-answers.ts';
import { testConfig } from '../people.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is read as the tests please
type Json = any;

let document: Json;

beforeAll(async () => {
  const config = testConfig();
  const log = pino({ level: config.logLevel });
  // The document needs no database.
  const app = createApp({ config, log, otp: consoleOtp(() => {}), now: () => new Date() });
  document = (await supertest(app).get('/documentation/openapi.json').expect(200)).body;
});

const filled = expect.stringMatching(/\S/);
const named = apiRoutes.map((one) => ({ title: `${one.method.toUpperCase()} ${one.path}`, one }));
const operation = (method: string, path: string): Json =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method];
const operations = (): { title: string; path: string; it: Json }[] =>
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, it]) => ({ title: `${method} ${path}`, path, it })),
  );

describe('the OpenAPI document', () => {
  it.each(named)('documents $title with a summary and a tag', ({ one }) => {
    const documentation = operation(one.method, one.path);
    expect(documentation?.summary).toMatch(/\S/);
    expect(documentation?.tags).toEqual([expect.stringMatching(/\S/)]);
  });

  it.each(named.filter(({ one }) => one.body && !one.fileTypes))(
    'has a valid example request for $title',
    ({ one }) => {
      const example = operation(one.method, one.path).requestBody.content['application/json'].example;
      expect(example).toBeDefined();
      expect(one.body.safeParse(example)).toMatchObject({ success: true });
    },
  );

  it('names each query parameter in the dashboard’s words', () => {
    const { filterNames } = JSON.parse(readFileSync('locales/en/dashboard.json', 'utf8'));
    const parameters = operations().flatMap(({ it }): Json[] => it.parameters ?? []);
    const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    expect(Object.keys(filterNames).sort()).toEqual([...new Set(names)].sort());
  });

  it('describes a JSON file as JSON, and any other as binary', () => {
    const { content: json } = operation('get', '/api/exports/interviews.json').responses[200];
    expect(json['application/json'].schema).toEqual({});
    const { content: csv } = operation('get', '/api/exports/interviews.csv').responses[200];
    expect(csv['text/csv'].schema).toEqual({ type: 'string', format: 'binary' });
  });

  it('names the largest bodies, as routes declare them', () => {
    const max = (path: string) =>
      apiRoutes.find((one) => one.path === path && one.method === 'post')?.maxBytes;
    const [sealed, imported] = ['/api/surveys', '/api/surveys/import'].map(
      (path) => (max(path) ?? 0) / 2 ** 20,
    );
    expect(document.info.description).toContain(
      `at most 1 MiB, with sealed answers ${sealed}, an import ${imported}.`,
    );
  });

  it('describes limits: empty changes, blank texts, invalid cursors and unquoted versions', () => {
    const { schemas } = document.components;
    const bodyOf = (method: string, path: string): Json => {
      const { schema } = operation(method, path).requestBody.content['application/json'];
      return schema.$ref ? schemas[schema.$ref.split('/').pop()] : schema;
    };
    for (const { one } of named.filter(({ one }) => one.method === 'patch')) {
      const { minProperties = 0, required = [] } = bodyOf('patch', one.path);
      expect([one.path, minProperties + required.length]).not.toEqual([one.path, 0]);
    }
    const blank = new RegExp(bodyOf('patch', '/api/referral-codes/:code').properties.reason.pattern);
    expect([blank.test('  '), blank.test(' a ')]).toEqual([false, true]);
    for (const { it: list } of operations())
      for (const { name, schema } of list.parameters ?? []) {
        if (name === 'cursor') expect(new RegExp(schema.pattern).test('{}')).toBe(false);
        if (name === 'If-Match') expect(new RegExp(schema.pattern).test('0')).toBe(false);
      }
  });

  it.each(named.filter(({ one }) => one.access !== 'public'))(
    'says that $title may return 401',
    ({ one }) => {
      const documentation = operation(one.method, one.path);
      expect(documentation.responses['401']).toBeDefined();
      expect(documentation.security ?? document.security).toEqual([{ bearer: [] }]);
    },
  );

  it.each(named.filter(({ one }) => one.access !== 'public'))(
    'says that $title may return 403: to a token for other routes, or without the second factor',
    ({ one }) => {
      const { examples } = operation(one.method, one.path).responses['403'].content['application/json'];
      expect(Object.keys(examples)).toContain('Not allowed');
    },
  );

  it.each(named.filter(({ one }) => one.access === 'public'))(
    'says that $title needs no token',
    ({ one }) => {
      expect(operation(one.method, one.path).security).toEqual([]);
    },
  );

  it('has no operation that is not a route', () => {
    expect(operations()).toHaveLength(apiRoutes.length);
  });

  it('is OpenAPI 3.1 with a title, a version and its security scheme', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: expect.stringMatching(/\S/), version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
  });

  it('gives each operation a unique id', () => {
    const ids = operations().map(({ it }) => it.operationId);
    expect(ids.filter((id, index) => !id || ids.indexOf(id) !== index)).toEqual([]);
  });

  it('declares exactly the parameters of each path', () => {
    for (const { title, path, it: documentation } of operations()) {
      const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const parameters: Json[] = documentation.parameters ?? [];
      const declared = parameters.filter((one) => one.in === 'path');
      expect([title, declared.map((one) => one.name)]).toEqual([title, pathNames]);
      for (const one of declared) expect([title, one.required]).toEqual([title, true]);
      const keys = parameters.map((one) => `${one.in} ${one.name}`);
      expect([title, new Set(keys).size]).toEqual([title, keys.length]);
    }
  });

  it('describes every reply, including a successful one', () => {
    for (const { title, it: documentation } of operations()) {
      const answers = Object.entries<Json>(documentation.responses);
      expect([title, answers.filter(([, one]) => !/\S/.test(one.description ?? ''))]).toEqual([title, []]);
      expect([title, answers.some(([status]) => status.startsWith('2'))]).toEqual([title, true]);
    }
  });

  it('has no broken references', () => {
    const missing = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)]
      .map((match) => match[1] ?? '')
      .filter((ref) => follow(ref) === undefined);
    expect(missing).toEqual([]);
  });

  it('has no unused components', () => {
    const text = JSON.stringify(document);
    const names = Object.keys(document.components.schemas ?? {});
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });

  it('has the specification’s groups first, in its order', () => {
    const names = document.tags.map((one: Json) => one.name);
    expect(names.slice(0, 6)).toEqual(['Setup', 'Auth', 'Users', 'Surveys', 'Seeds', 'Locations']);
  });

  it('describes exactly the tags in use', () => {
    const used = new Set(operations().map(({ it: documentation }) => documentation.tags[0]));
    expect(new Set(document.tags.map((one: Json) => one.name))).toEqual(used);
    for (const one of document.tags) expect([one.name, one.description]).toEqual([one.name, filled]);
  });

  it('says how to sign in at the security scheme', () => {
    expect(document.components.securitySchemes.bearer.description).toMatch(/verify-otp-login/);
  });

  it('gives no parameter an example that Swagger UI would send unasked', () => {
    const typed: unknown[] = [];
    for (const { title, it: documentation } of operations())
      for (const one of documentation.parameters ?? [])
        walk(one, (node) => 'example' in node && typed.push([title, one.name]));
    expect(typed).toEqual([]);
  });

  it('names error examples by their code, or in words if there is none', () => {
    for (const { title, it: documentation } of operations()) {
      for (const answer of Object.values<Json>(documentation.responses)) {
        for (const [name, { value }] of Object.entries<Json>(
          answer.content?.['application/json']?.examples ?? {},
        )) {
          const right = value.code === undefined ? !(name in PROBLEMS) : value.code === name;
          expect([title, name, right]).toEqual([title, name, true]);
        }
      }
    }
  });

  it.each([
    ['post', '/api/surveys'],
    ['patch', '/api/surveys/:id'],
  ])('has an example interview valid for the default questionnaire: %s %s', (method, path) => {
    const { example } = operation(method, path).requestBody.content['application/json'];
    const questionnaire = { id: 'shipped', definition: DEFAULT_QUESTIONNAIRE.definition };
    expect(checkAnswers(questionnaire, example.responses)).toEqual([]);
    // A fixed clientId would make the second interview a replay of the first.
    expect(example.clientId).toBeUndefined();
  });

  it('has a different, valid phone number for each example person', () => {
    const phones = ['/api/setup', '/api/auth/verify-otp-signup', '/api/users'].map(
      (path) => operation('post', path).requestBody.content['application/json'].example.phone,
    );
    expect(new Set(phones).size).toBe(phones.length);
    expect(phones.map((phone) => parsePhone(phone, 'US'))).toEqual(phones);
  });

  it('does not list JavaScript’s number limits as field limits', () => {
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it('requires only fields that it has', () => {
    const odd: unknown[] = [];
    walk(document, (node) => {
      if (!Array.isArray(node.required) || typeof node.properties !== 'object') return;
      odd.push(...node.required.filter((name: string) => !(name in node.properties)));
    });
    expect(odd).toEqual([]);
  });
});

function follow(ref: string): Json {
  const parts = ref.replace(/^#\//, '').split('/');
  return parts.reduce((at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

function walk(node: Json, look: (node: Json) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) look(node);
  for (const child of Object.values(node)) walk(child, look);
}
