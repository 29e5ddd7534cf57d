const { readdirSync } = require('node:fs');
const PHONE_FEATURES = require('./client/phone-features.json');

/** What combines resources; none of them knows another. */
const COMBINING = ['auth', 'print', 'payments', 'recruitment', 'analysis', 'health'];
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
  ['incentives'],
  ['surveys'],
  ['rules'],
  // All interviews in columns, of which figures are made.
  ['study-table'],
  COMBINING,
  // What may be wrong with interviews.
  ['quality'],
  // From the sample to its estimates, and out of the house.
  ['sample'],
  ['analysis-runs'],
  ['results'],
  ['counts'],
  // Questionnaires that come into use.
  ['activation'],
  ['export'],
  // The roof.
  ['resources.ts'],
  ['backup'],
  ['metrics.ts'],
  ['app.ts', 'stop.ts', 'table-worker.ts'],
  ['main.ts'],
];
// A new folder stands there too, until another one needs it.
const listed = STAIRS.flat();
for (const one of readdirSync(`${__dirname}/src`, { withFileTypes: true }))
  if (one.isDirectory() && !listed.includes(one.name)) COMBINING.push(one.name);

const isFolder = (name) => !name.endsWith('.ts');
const pathOf = (names) =>
  `^src/(${names.map((name) => (isFolder(name) ? `${name}/` : `${name.replace('.', '\\.')}$`)).join('|')})`;

/**
 * The features of the client that others may use, each with its doors: the files that other features may import. All
 * else in its folder is its own. A feature uses only those that stand above it, so that no two need each other; one that
 * is not listed has no doors, and uses any of these.
 */
const FEATURES = {
  coupons: [
    'claim-slip',
    'code-input',
    'code-scanner',
    'code-text',
    'coupon-source',
    'few-codes',
    'note-field',
    'scanner',
    'verdict-notice',
  ],
  outbox: ['other-users', 'outbox-counts', 'rescue-button'],
  paying: ['cash-box', 'claim-card', 'day-totals', 'hand-over', 'method-field', 'pay-site', 'receipt-link'],
  shell: ['no-store', 'waiting-people'],
  home: ['home', 'readiness'],
  interview: ['answer-list', 'current-question', 'form-words', 'progress', 'survey-model', 'warnings'],
  account: ['phone-plan'],
  work: ['edit-survey', 'flags', 'interview-date'],
  people: ['ask-super-admin', 'person-name', 'person-names'],
  payments: ['moved-money', 'rejected-money', 'survey-payments'],
  history: ['change-words', 'changes', 'event-kind', 'group-events', 'record-name', 'sentence'],
  questionnaires: ['questionnaire-outline'],
  study: ['missing-words', 'study-languages', 'setting-labels', 'time-zone'],
  sites: ['site-dialog'],
  'referral-codes': ['code-link', 'code-traces', 'make-form', 'print-dialog'],
  quality: ['findings-of', 'survey-findings'],
  surveys: ['restore-button', 'surveys-reach', 'use-repeats'],
  tree: ['tree-colour'],
  board: ['alert-notices', 'board-wire'],
};
const names = Object.keys(FEATURES);
const folderOf = (feature) => `^client/src/features/${feature}/`;
const doors = names.map((name) => `${folderOf(name)}(${FEATURES[name].join('|')})\\.tsx?$`);

/** The files at the top of the client that put everything together. */
const ROOF = '^client/src/(app|main)\\.tsx$';

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
      comment: 'A new file of src/ itself gets its place among the STAIRS in .dependency-cruiser.cjs.',
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
      name: 'shapes-beside-the-service',
      comment: 'A large questionnaire takes the form library long: ask validator.ts for its shapes.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/questionnaires/validator-process\\.ts$' },
      to: { path: '^src/questionnaires/answer-shapes\\.ts$' },
    },
    {
      name: 'no-circle',
      comment: 'Types count too. Move what both need into a file of its own.',
      severity: 'error',
      from: { path: '^(src|scripts|client/src)/' },
      to: { circular: true },
    },
    ...names.slice(0, -1).map((name, at) => ({
      name: 'features-in-order',
      comment: 'A feature uses only those that stand above it in FEATURES.',
      severity: 'error',
      from: { path: folderOf(name) },
      to: { path: names.slice(at + 1).map(folderOf) },
    })),
    {
      name: 'features-by-their-doors',
      comment:
        'A feature imports of another only its doors: import one of them, or add the file to FEATURES above.',
      severity: 'error',
      from: { path: '^client/src/features/([^/]+)/' },
      to: { path: '^client/src/features/', pathNot: ['^client/src/features/$1/', ...doors] },
    },
    {
      name: 'features-on-top',
      comment: 'What features are made of knows none of them: only the roof puts them together.',
      severity: 'error',
      from: { path: '^client/src/', pathNot: [ROOF, '^client/src/features/'] },
      to: { path: '^client/src/features/' },
    },
    {
      name: 'nobody-stands-on-the-roof',
      severity: 'error',
      from: { path: '^client/src/', pathNot: ROOF },
      to: { path: ROOF },
    },
    {
      name: 'phone-without-the-dashboard',
      comment:
        "What a volunteer's page needs must lie on the phone; the dashboard's files do not (vite.config.ts).",
      severity: 'error',
      from: {
        path: `^client/src/features/(${PHONE_FEATURES.join('|')})/`,
        pathNot: '/(setup|manage|desk-navigation)\\.tsx$',
      },
      to: { path: '^client/src/desk/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'kit-without-a-subject',
      comment: 'ui/ is what any app could use: nothing of what is asked, kept or allowed here.',
      severity: 'error',
      from: { path: '^client/src/ui/' },
      to: { path: '^client/src/(desk|device)/|^client/src/(records|rights|session|wire)\\.tsx?$' },
    },
    {
      name: 'device-draws-nothing',
      comment: 'What the device keeps is tested without a screen.',
      severity: 'error',
      from: { path: '^client/src/device/' },
      to: { path: '^client/src/(desk|ui)/|node_modules/(@mantine|react-dom|react-router)/' },
    },
    {
      name: 'client-runs-in-a-browser',
      severity: 'error',
      from: { path: '^client/src' },
      to: { path: '(/model\\.ts$|node_modules/(mongoose|express|mongodb)/)', reachable: true },
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
