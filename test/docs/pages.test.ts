import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pages, prose, ROOT, read } from './pages.ts';

const all = pages();

describe('documentation pages', () => {
  it.each(all)('$name has no broken links', ({ name, text }) => {
    const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path, anchor] = link.split('#') as [string, string?];
        const at = path === '' ? join(ROOT, name) : resolve(ROOT, dirname(name), path);
        return !existsSync(at) || (anchor !== undefined && !anchorsOf(at).includes(anchor));
      });
    expect(broken).toEqual([]);
  });

  it.each(all)('$name mentions only existing files', ({ text }) => {
    const paths = [
      ...prose(text).matchAll(/`((?:src|docs|scripts|test|client|bench|questionnaires|deploy)\/[\w./-]*)`/g),
    ];
    expect(paths.map((match) => match[1] ?? '').filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it.each(all)('$name mentions only existing commands', ({ text }) => {
    const { scripts } = JSON.parse(read('package.json'));
    const commands = [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map((match) => match[1] ?? '');
    const missing = commands.filter((command) => {
      const [, file] = /^node scripts\/run\.mjs (\S+)/.exec(scripts[command] ?? '') ?? [];
      return !(command in scripts) || (file && !existsSync(join(ROOT, `scripts/${file}.ts`)));
    });
    expect(missing).toEqual([]);
  });
});

describe('the tree in docs/architecture.md', () => {
  const tree = pathsOfTree();

  it('contains only existing paths', () => {
    expect(tree.length).toBeGreaterThan(20);
    expect(tree.filter((path) => !isThere(join(ROOT, path)))).toEqual([]);
  });

  it.each(['src', 'scripts', 'client/src', 'test'])('has every folder of %s', (folder) => {
    const folders = readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      // Git does not track empty folders.
      .filter((entry) => readdirSync(join(ROOT, folder, entry.name)).length > 0)
      .map((entry) => `${folder}/${entry.name}/`);
    expect(folders.filter((path) => !tree.includes(path))).toEqual([]);
  });
});

/** Git does not track an empty folder, and a fresh clone lacks it. */
function isThere(path: string): boolean {
  return existsSync(path) && (!path.endsWith('/') || readdirSync(path).length > 0);
}

/** The anchors of a page's headings. */
function anchorsOf(file: string): string[] {
  const headings = prose(read(file.slice(ROOT.length + 1))).matchAll(/^#+ (.+)$/gm);
  return [...headings].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

/** Each line of the tree starts with a name; its indentation is its depth. */
function pathsOfTree(): string[] {
  const block = /^```tree\n([\s\S]*?)^```$/m.exec(read('docs/architecture.md'))?.[1] ?? '';
  const parents: string[] = [];
  return block.split('\n').flatMap((line) => {
    const match = /^( *)(\S+)/.exec(line);
    if (!match) return [];
    const depth = (match[1] ?? '').length / 2;
    parents.length = depth;
    const path = parents.join('') + match[2];
    parents.push(match[2] ?? '');
    return [path];
  });
}
