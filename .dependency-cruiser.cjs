module.exports = {
  forbidden: [
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
