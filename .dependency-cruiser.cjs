/** The stairs of src/, from the ground up: each may use those before it, and nothing that comes after it. */
const STAIRS = [
  // The ground: it knows no resource.
  ['lib'],
  ['config.ts', 'log.ts'],
  ['http'],
  ['db'],
  ['rights'],
  // Resources.
  ['audit'],
  ['locations'],
  ['users'],
  ['study'],
  ['questionnaires'],
  ['referral-codes'],
  ['seeds'],
  ['surveys'],
  // What combines them.
  ['rules'],
  ['auth', 'print', 'recruitment', 'export', 'analysis', 'health'],
  // The roof.
  ['models.ts', 'prepare.ts'],
  ['backup'],
  ['app.ts', 'stop.ts'],
  ['main.ts'],
];
const isFolder = (name) => !name.endsWith('.ts');
const pathOf = (names) =>
  `^src/(${names.map((name) => (isFolder(name) ? `${name}/` : `${name.replace('.', '\\.')}$`)).join('|')})`;

module.exports = {
  forbidden: [
    ...STAIRS.slice(0, -1).map((step, at) => ({
      name: `no-way-up-from-${step[0].replace('.ts', '')}`,
      comment: 'The order stands in .dependency-cruiser.cjs and is drawn in docs/architecture.md.',
      severity: 'error',
      from: { path: pathOf(step) },
      to: { path: pathOf(STAIRS.slice(at + 1).flat()) },
    })),
    {
      name: 'on-the-stairs',
      comment: 'A new folder of src/ gets its place among the STAIRS in .dependency-cruiser.cjs.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/', pathNot: pathOf(STAIRS.flat()) },
    },
    ...STAIRS.filter((step) => step.length > 1 && step.every(isFolder)).map((step) => ({
      name: 'neighbours-apart',
      comment: 'Folders on one step do not know each other.',
      severity: 'error',
      from: { path: pathOf(step) },
      to: { path: pathOf(step), pathNot: '^src/$1' },
    })),
    {
      name: 'no-circle',
      severity: 'error',
      from: { path: '^(src|scripts)/' },
      to: { circular: true },
    },
    {
      name: 'src-alone',
      severity: 'error',
      from: { path: '^src' },
      to: { path: '^(scripts|test|client|bench)' },
    },
    {
      name: 'schemas-run-in-a-browser',
      comment:
        'A schema.ts (and the code check) is imported by the client too: nothing of Node or mongoose in it.',
      severity: 'error',
      from: { path: '^src/.*/(schema|code)\\.ts$' },
      to: { path: '(model\\.ts$|node_modules/(mongoose|express|mongodb)/)', reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
