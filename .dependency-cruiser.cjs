/**
 * The layers of src/, lowest first: each may import from those before it, never from those after it. The same goes for
 * the folders within a layer; folders on one line may not import each other.
 */
const LAYERS = [
  // It knows nothing about surveys.
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
  // From the table of all interviews to the sample, its estimates, and population sizes.
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
/** The files that connect the layers. */
const TOP = [['resources.ts'], ['routes.ts', 'operations'], ['app.ts', 'table-worker.ts'], ['main.ts']];

const isFolder = (name) => !name.endsWith('.ts');
const pathOf = (names) =>
  `^src/(${names.map((name) => (isFolder(name) ? `${name}/` : `${name.replace('.', '\\.')}$`)).join('|')})`;
const stepsOf = ([layer, steps]) =>
  steps.length > 0 ? steps.map((step) => step.map((name) => `${layer}/${name}`)) : [[layer]];

/** Lowest first. */
const STEPS = [...LAYERS.flatMap(stepsOf), ...TOP];

/**
 * The client's features that others may import from, each with its public files; the rest of its folder is private. A
 * feature may import only from features listed before it, so there are no cycles. A feature that is not listed has no
 * public files and may import from any of these.
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
  'phone/outbox': ['expired-text', 'use-has-send-token', 'other-users', 'outbox-counts', 'rescue-button'],
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
  'phone/interview': ['form/(answer-list|current-question|form-texts|progress|survey-model|warnings)'],
  'phone/account': ['phone-plan'],
  'phone/work': ['edit-survey', 'flags', 'interview-date'],
  'dashboard/people': ['ask-super-admin', 'person-name', 'person-names', 'unsent-text'],
  'dashboard/payments': ['incentive-consequences', 'rejection-incentives', 'survey-payments'],
  'dashboard/history': ['field-change', 'changes', 'event-kind', 'group-events', 'record-name', 'sentence'],
  'dashboard/questionnaires': ['questionnaire-outline'],
  'dashboard/study': ['missing-translations', 'study-languages', 'setting-labels', 'time-zone'],
  'dashboard/sites': ['site-dialog'],
  'dashboard/referral-codes': ['code-link', 'code-traces', 'make-form', 'print-dialog'],
  'dashboard/quality': ['fetch-findings', 'survey-findings'],
  'dashboard/surveys': ['restore-button', 'readable-surveys', 'repeats/use-repeats'],
  'dashboard/board': ['alert-notices', 'board-wire'],
};
const names = Object.keys(FEATURES);
const folderOf = (feature) => `^client/src/${feature}/`;
const publicFiles = names.map((name) => `${folderOf(name)}(${FEATURES[name].join('|')})\\.(tsx?|css)$`);
/** A folder of phone/ or dashboard/, except the dashboard's kit. */
const FEATURE = '^client/src/((?:phone|dashboard)/(?!kit/)[^/]+)/';

/** The layers below the client's features, lowest first. Phones have all of them. */
const CLIENT_LAYERS = ['wire.ts', 'device', 'texts', 'session', 'offline', 'ui'].map(
  (name) => `^client/src/${isFolder(name) ? `${name}/` : name}`,
);

/** The client's files that connect everything. */
const CLIENT_TOP = '^client/src/(app|main)\\.tsx$';

module.exports = {
  forbidden: [
    ...STEPS.slice(0, -1).map((step, at) => ({
      name: `no-imports-from-above-${step[0].replace('.ts', '')}`,
      comment: 'LAYERS in .dependency-cruiser.cjs defines the order, and docs/architecture.md shows it.',
      severity: 'error',
      from: { path: pathOf(step) },
      to: { path: pathOf(STEPS.slice(at + 1).flat()) },
    })),
    {
      name: 'every-folder-has-a-layer',
      comment:
        'Add new folders, and new files directly in src/, to LAYERS or TOP in .dependency-cruiser.cjs.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/', pathNot: pathOf(STEPS.flat()) },
    },
    ...STEPS.filter((step) => step.length > 1 && step.every(isFolder)).map((step) => ({
      name: 'same-line-independent',
      comment: 'Folders on one line of LAYERS may not import each other.',
      severity: 'error',
      from: { path: pathOf(step) },
      to: { path: pathOf(step), pathNot: '^src/$1' },
    })),
    {
      name: 'answer-shapes-in-the-validator-process',
      comment:
        'The form library is slow with large questionnaires: get their answer shapes from validator.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/questionnaires/validator/validator-process\\.ts$' },
      to: { path: '^src/questionnaires/codebook/answer-shapes\\.ts$' },
    },
    {
      name: 'no-cycles',
      comment: 'Types count too. Move what both files need into a third.',
      severity: 'error',
      from: { path: '^(src|scripts|client/src)/' },
      to: { circular: true },
    },
    ...names.slice(0, -1).map((name, at) => ({
      name: 'features-in-order',
      comment: 'A feature may import only from features listed before it in FEATURES.',
      severity: 'error',
      from: { path: folderOf(name) },
      to: { path: names.slice(at + 1).map(folderOf) },
    })),
    {
      name: 'features-by-public-files',
      comment: "Import one of the other feature's public files, or add the file to FEATURES above.",
      severity: 'error',
      from: { path: FEATURE },
      to: { path: FEATURE, pathNot: ['^client/src/$1/', ...publicFiles] },
    },
    ...CLIENT_LAYERS.slice(0, -1).map((path, at) => ({
      name: 'client-layers-in-order',
      comment: 'Folders listed earlier in CLIENT_LAYERS may not import from later ones.',
      severity: 'error',
      from: { path },
      to: { path: CLIENT_LAYERS.slice(at + 1) },
    })),
    {
      name: 'features-on-top',
      comment: 'The layers below the features may not import from features; only CLIENT_TOP connects them.',
      severity: 'error',
      from: { path: '^client/src/', pathNot: [CLIENT_TOP, FEATURE] },
      to: { path: FEATURE },
    },
    {
      name: 'client-top-imported-by-nothing',
      severity: 'error',
      from: { path: '^client/src/', pathNot: CLIENT_TOP },
      to: { path: CLIENT_TOP },
    },
    {
      name: 'phone-without-the-dashboard',
      comment:
        "A volunteer's page may need only files that phones store; the dashboard's are not stored (vite.config.ts).",
      severity: 'error',
      from: {
        path: '^client/src/(phone|offline|device|session|texts|ui)/',
        pathNot: '/(setup|manage|dashboard-navigation)\\.tsx$',
      },
      to: { path: '^client/src/dashboard/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'ui-is-general',
      comment: 'Any app could use ui/: it knows nothing about questionnaires, storage or permissions.',
      severity: 'error',
      from: { path: '^client/src/ui/' },
      to: {
        path: '^client/src/(phone|dashboard|offline|device)/|^client/src/session/(records|rights|session)\\.tsx?$|^client/src/wire\\.ts$',
      },
    },
    {
      name: 'device-has-no-interface',
      comment: 'Storage on the device is tested without a screen.',
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
        'The client imports every schema.ts (and code.ts) too, so they may not import Node modules or mongoose.',
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
