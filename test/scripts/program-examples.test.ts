/** The programs in docs/operate.md that read with a token, as they are printed there. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { insertSurvey, smallQuestionnaire } from '../make.ts';
import { worldOfFile } from '../people.ts';

const run = promisify(execFile);
const DOCS = readFileSync('docs/operate.md', 'utf8').split('## Reading data with a program')[1] ?? '';
const example = (language: string): string =>
  new RegExp(`\n\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(DOCS)?.[1] ?? '';

const world = worldOfFile();
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  const site = await world.place();
  await smallQuestionnaire(world);
  const author = await world.person({ location: site });
  for (let at = 0; at < 3; at += 1) await insertSurvey(world, { createdBy: author.id, location: site });
  const root = await world.person({ role: 'SUPER_ADMIN' });
  const expiresOn = world.clock.now().toISOString().slice(0, 10);
  const body = { name: 'example', scopes: ['EXPORTS', 'RESULTS'], expiresOn };
  const response = await root.post('/api/tokens', body).expect(201);
  env = { ...process.env, SURVEY_URL: world.url, SURVEY_TOKEN: response.body.token };
});

async function output(program: string, flag: string, language: string): Promise<string> {
  const code = example(language);
  expect(code).toContain('/api/exports/');
  return (await run(program, [flag, code], { env, timeout: 60_000 })).stdout;
}
const READ = /^3 interviews\n\S+ from 3 people\n/;

/** Neither language is needed for anything else: without it, its example is not run. */
const hasPython = spawnSync('python3', ['--version']).status === 0;
const hasR = spawnSync('Rscript', ['-e', 'library(jsonlite)']).status === 0;

(hasPython ? test : test.skip)('the example in Python reads a file and an estimate', async () => {
  expect(await output('python3', '-c', 'python')).toMatch(READ);
});

(hasR ? test : test.skip)('the example in R reads a file and an estimate', async () => {
  expect(await output('Rscript', '-e', 'r')).toMatch(READ);
});
