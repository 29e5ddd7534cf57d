/** What screen readers read is in the texts, so that it is in every language. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ATTRIBUTE =
  /\b(aria-(?:label|description|roledescription)|title|placeholder|alt|label)=(?:"([^"]*)"|\{'([^']*)'\})/g;

/** A sign or an example of a code may be seen in any language, but not read out. */
const hasWords = (name: string, text: string) => name.startsWith('aria-') || /[a-z]{2}/.test(text);

test('no label in the client is written where it is used', () => {
  const files = readdirSync('client/src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx'),
  );
  const labels = files.flatMap((file) =>
    [...readFileSync(join('client/src', file), 'utf8').matchAll(ATTRIBUTE)].flatMap(
      ([all, name = '', quoted, braced]) =>
        hasWords(name, quoted ?? braced ?? '') ? [`${file}: ${all}`] : [],
    ),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(labels).toEqual([]);
});
