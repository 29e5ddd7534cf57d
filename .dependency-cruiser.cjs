/**
 * The rooms of src/, from the ground up: each may use those before it, and nothing that comes after it. Within a room the
 * same holds for its folders; those on one line do not know each other.
 */
const ROOMS = [
  // It knows no subject.
  [
    'platform',
    [['lib'], ['config.ts', 'log.ts', 'stop.ts'], ['http'], ['db'], ['rights'], ['audit'], ['health']],
  ],
  ['study', [['locations'], ['tokens', 'devices'], ['users'], ['settings'], ['rounds']]],
  ['questionnaires', []],
  ['coupons', [['referral-codes'], ['seeds'], ['print']]],
  [
    'interviews',
    [
      ['contacts'],
      ['messages', 'cards'],
      ['incentives'],
      ['surveys'],
      ['payments', 'cash-days', 'retention', 'status', 'texting'],
    ],
  ],
  ['access', [['rules'], ['auth']]],
  // From all interviews in columns to the sample, its estimates, and population sizes.
  [
    'statistics',
    [
      ['estimators', 'study-table'],
      ['sample'],
      ['runs'],
      ['results'],
      ['counts'],
      ['change'],
      ['activation'],
    ],
  ],
  ['board', [['recruitment', 'quality']]],
  ['exports', []],
];
/** What puts the rooms together. */
const ROOF = [['resources.ts'], ['routes.ts', 'operations'], ['app.ts', 'table-worker.ts'], ['main.ts']];

const isFolder = (name) => !name.endsWith('.ts');
const pathOf = (names) =>
  `^src/(${names.map((name) => (isFolder(name) ? `${name}/` : `${name.replace('.', '\\.')}$`)).join('|')})`;
const within = (room, floors) => floors.map((floor) => floor.map((name) => `${room}/${name}`));

const STAIRS = [
  ...ROOMS.flatMap(([room, floors]) => (floors.length > 0 ? within(room, floors) : [[room]])),
  ...ROOF,
];

/**
 * The features of the client that others may use, each with its doors: the files that other features may import. All
 * else in its folder is its own. A feature uses only those that stand above it, so that no two need each other; one that
 * is not listed has no doors, and uses any of these.
 */
const FEATURES = {
  'phone/coupons': [
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
  'phone/outbox': ['expired-text', 'use-sends', 'other-users', 'outbox-counts', 'rescue-button'],
  'phone/payments': [
    'cash-box',
    'claim-card',
    'day-totals',
    'hand-over',
    'method-field',
    'card-choice',
    'gift-card',
    'pay-site',
    'paying',
    'receipt-link',
  ],
  'phone/lock': ['change-lock'],
  'phone/shell': ['no-store', 'waiting-people'],
  'phone/home': ['home', 'readiness'],
  'phone/interview': ['form/(answer-list|current-question|form-words|progress|survey-model|warnings)'],
  'phone/account': ['phone-plan'],
  'phone/work': ['edit-survey', 'flags', 'interview-date'],
  'dashboard/people': ['ask-super-admin', 'person-name', 'person-names', 'still-out'],
  'dashboard/payments': ['moved-money', 'rejected-money', 'survey-payments'],
  'dashboard/history': ['change-words', 'changes', 'event-kind', 'group-events', 'record-name', 'sentence'],
  'dashboard/questionnaires': ['questionnaire-outline'],
  'dashboard/study': ['missing-words', 'study-languages', 'setting-labels', 'time-zone'],
  'dashboard/sites': ['site-dialog'],
  'dashboard/referral-codes': ['code-link', 'code-traces', 'make-form', 'print-dialog'],
  'dashboard/quality': ['findings-of', 'survey-findings'],
  'dashboard/surveys': ['restore-button', 'surveys-reach', 'repeats/use-repeats'],
  'dashboard/board': ['alert-notices', 'board-wire'],
};
const names = Object.keys(FEATURES);
const folderOf = (feature) => `^client/src/${feature}/`;
const doors = names.map((name) => `${folderOf(name)}(${FEATURES[name].join('|')})\\.(tsx?|css)$`);
/** A folder of phone/ or dashboard/, but for the dashboard's kit. */
const FEATURE = '^client/src/((?:phone|dashboard)/(?!kit/)[^/]+)/';

/** What features of the client are made of, from the ground up; a phone has all of it. */
const GROUND = ['wire.ts', 'device', 'texts', 'session', 'offline', 'ui'].map(
  (name) => `^client/src/${isFolder(name) ? `${name}/` : name}`,
);

/** The files at the top of the client that put everything together. */
const ROOF_OF_CLIENT = '^client/src/(app|main)\\.tsx$';

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
      comment:
        'A new file of src/ itself, and a new folder of a room, gets its place in .dependency-cruiser.cjs.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/', pathNot: pathOf(STAIRS.flat()) },
    },
    ...STAIRS.filter((step) => step.length > 1 && step.every(isFolder)).map((step) => ({
      name: 'neighbours-apart',
      comment: 'Folders on one line do not know each other.',
      severity: 'error',
      from: { path: pathOf(step) },
      to: { path: pathOf(step), pathNot: '^src/$1' },
    })),
    {
      name: 'shapes-beside-the-service',
      comment: 'A large questionnaire takes the form library long: ask validator.ts for its shapes.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/questionnaires/validator/validator-process\\.ts$' },
      to: { path: '^src/questionnaires/codebook/answer-shapes\\.ts$' },
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
      from: { path: FEATURE },
      to: { path: FEATURE, pathNot: ['^client/src/$1/', ...doors] },
    },
    ...GROUND.slice(0, -1).map((path, at) => ({
      name: 'ground-in-order',
      comment: 'What stands earlier in GROUND uses nothing that stands later.',
      severity: 'error',
      from: { path },
      to: { path: GROUND.slice(at + 1) },
    })),
    {
      name: 'features-on-top',
      comment: 'What features are made of knows none of them: only the roof puts them together.',
      severity: 'error',
      from: { path: '^client/src/', pathNot: [ROOF_OF_CLIENT, FEATURE] },
      to: { path: FEATURE },
    },
    {
      name: 'nobody-stands-on-the-roof',
      severity: 'error',
      from: { path: '^client/src/', pathNot: ROOF_OF_CLIENT },
      to: { path: ROOF_OF_CLIENT },
    },
    {
      name: 'phone-without-the-dashboard',
      comment:
        "What a volunteer's page needs must lie on the phone; the dashboard's files do not (vite.config.ts).",
      severity: 'error',
      from: {
        path: '^client/src/(phone|offline|device|session|texts|ui)/',
        pathNot: '/(setup|manage|dashboard-navigation)\\.tsx$',
      },
      to: { path: '^client/src/dashboard/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'kit-without-a-subject',
      comment: 'ui/ is what any app could use: nothing of what is asked, kept or allowed here.',
      severity: 'error',
      from: { path: '^client/src/ui/' },
      to: {
        path: '^client/src/(phone|dashboard|offline|device)/|^client/src/session/(records|rights|session)\\.tsx?$|^client/src/wire\\.ts$',
      },
    },
    {
      name: 'device-draws-nothing',
      comment: 'What the device keeps is tested without a screen.',
      severity: 'error',
      from: { path: '^client/src/(device|offline)/' },
      to: { path: '^client/src/(phone|dashboard|ui)/|node_modules/(@mantine|react-dom|react-router)/' },
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
