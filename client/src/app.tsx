/** READ THIS FIRST: the table of all pages, each with its URL and the permission it needs. */
import type { AnyMongoAbility } from '@casl/ability';
import { DirectionProvider, Loader, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  type ComponentType,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';
import { BrowserRouter, matchRoutes, Navigate, Route, Routes, useLocation } from 'react-router';
import {
  boardSummaryRequestPath,
  interviewersRequestPath,
  paceRequestPath,
  RECRUITMENT_FILTERS,
  siteProgressRequestPath,
} from './dashboard/board/board-wire.ts';
import { FAST_OUTCOMES_PATH, type OutcomeChoices } from './dashboard/results/kit/outcome-paths.ts';
import { answersApiPath, surveyApiPath } from './dashboard/surveys/survey-paths.ts';
import { canSeal } from './device/can-seal.ts';
import { lockState } from './device/lock/lock.ts';
import { useDeviceLockState } from './device/lock/use-lock.ts';
import { appUpdateAvailability } from './device/new-version.ts';
import { noStoreReason } from './device/store/open-store.ts';
import { currentSession, type DeviceSession, sessionAwaitingPin } from './device/stored-session.ts';
import { ErrorBoundary } from './phone/shell/error-boundary.tsx';
import { NoStore } from './phone/shell/no-store.tsx';
import { AllowedScreensContext, type PreloadRequest, type ScreenRoute } from './phone/shell/open-screens.ts';
import { Shell } from './phone/shell/shell.tsx';
import { readParams } from './session/api.ts';
import { everPays } from './session/incentives.ts';
import { currentQueryClient, dashboardQuery, newQueryClient, useStudy } from './session/records.ts';
import { type AccessRight, abilityOf, asPermissionSubject } from './session/rights.ts';
import { useAbility, useSession, useWorkspace } from './session/session.tsx';
import { type FieldAppTexts, initialLanguage, loadPageTexts, type TextNamespace } from './texts/i18n.ts';
import type { IconName } from './ui/icon.tsx';
import { LazyPageContent, lazyPage } from './ui/lazy-page.tsx';
import { Notice } from './ui/notice.tsx';
import { Page } from './ui/page.tsx';
import { cssVariables, theme } from './ui/theme.ts';

/** Required for pages whose data everyone may read, but which are meant for people who run a site or the study. */
const MANAGES_PEOPLE: AccessRight = ['list', 'User'];

/** Also granted to people with a single grant; the service decides which interviews they see. */
const REVIEWS: AccessRight = ['review', 'Survey'];

type DashboardLabel = Exclude<keyof FieldAppTexts['nav']['to'], 'home' | 'work' | 'outbox' | 'me'>;

type ImportPage = Parameters<typeof lazyPage>[0];

const withTexts = (importPage: ImportPage, ...files: TextNamespace[]) =>
  lazyPage(async () => (await Promise.all([importPage(), loadPageTexts(files)]))[0]);

/** Dashboard pages load with the dashboard's texts, and those of their feature if it has a file. */
const dashboardPage = (importPage: ImportPage, ...files: TextNamespace[]) =>
  withTexts(importPage, 'dashboard', 'dashboard-faults', 'flags', ...files);

/** A dashboard page: its URL and its name in the navigation are the same word. */
const SETUP: DashboardLabel[] = ['seeds', 'coupons', 'sites', 'questionnaires', 'study', 'audit'];

const dashboardRoute = (
  label: DashboardLabel,
  right: AccessRight,
  icon: IconName,
  importPage: ImportPage,
  ...files: TextNamespace[]
): ScreenRoute => ({
  path: `/desk/${label}`,
  right,
  nav: { label, icon, section: SETUP.includes(label) ? 'setup' : 'run' },
  page: dashboardPage(importPage, ...files),
});

/** The results cover everyone, so they require an unrestricted permission. */
const resultsRoute = (path: string, importPage: ImportPage): ScreenRoute => ({
  path: `/desk/results${path}`,
  right: RECRUITMENT,
  allRecords: true,
  page: dashboardPage(importPage, 'results'),
});

const preloadBoard: ScreenRoute['preload'] = (search, ask) => {
  const filters = readParams(search, RECRUITMENT_FILTERS);
  const { location, round } = filters;
  const tables = [
    paceRequestPath({ location, round }),
    siteProgressRequestPath({ location, round }),
    interviewersRequestPath({ location, round }),
  ];
  ask(boardSummaryRequestPath(filters))
    .then(() => Promise.all(tables.map((path) => ask(path))))
    .catch(() => {});
};

const preloadEstimates: ScreenRoute['preload'] = (search, ask) => {
  Promise.all([ask<OutcomeChoices>(FAST_OUTCOMES_PATH), import('./dashboard/results/kit/first-estimates.ts')])
    .then(([{ data }, { firstEstimatesRequestPath: firstEstimatesPath }]) =>
      ask(firstEstimatesPath(search, data)),
    )
    .catch(() => {});
};

const preloadSurvey: ScreenRoute['preload'] = (_, ask, pathname) => {
  const id = pathname.slice('/desk/surveys/'.length);
  for (const path of [surveyApiPath(id), answersApiPath(id, initialLanguage())]) ask(path).catch(() => {});
};

const RECRUITMENT: AccessRight = ['read', 'Recruitment'];
const QUESTIONS: AccessRight = ['create', 'Questionnaire'];
const PAYS: AccessRight = ['pay', 'Incentive'];
const READS_SURVEYS: AccessRight = ['read', 'Survey'];
const MANAGES_ALL: AccessRight = ['manage', 'all'];

const signIn = lazyPage(() => import('./phone/account/sign-in.tsx'));
const signUp = withTexts(() => import('./phone/account/sign-up.tsx'), 'waiting');
const setup = lazyPage(() => import('./phone/account/setup.tsx'));
const waiting = withTexts(() => import('./phone/account/waiting.tsx'), 'waiting');
const me = withTexts(() => import('./phone/account/me.tsx'), 'passkeys');
const secondFactor = withTexts(() => import('./phone/account/second-factor.tsx'), 'passkeys');
const studyHome = dashboardPage(() => import('./dashboard/board/study-home.tsx'));
const home = lazyPage(() => import('./phone/home/home.tsx'));
const start = lazyPage(() => import('./phone/interview/start.tsx'));
const interview = withTexts(() => import('./phone/interview/interview.tsx'), 'paying', 'own-page');
const coupons = withTexts(() => import('./phone/coupons/coupons.tsx'), 'own-page');
const payPerson = withTexts(() => import('./phone/payments/pay-person.tsx'), 'paying');
const closeDay = dashboardPage(() => import('./dashboard/payments/close-day.tsx'), 'paying', 'payments');
const closedDays = dashboardPage(
  () => import('./dashboard/payments/payment-views.tsx'),
  'paying',
  'payments',
);
const receipt = withTexts(() => import('./phone/payments/receipt.tsx'), 'paying');
const ownDay = withTexts(() => import('./phone/payments/own-day.tsx'), 'paying');
const work = lazyPage(() => import('./phone/work/work.tsx'));
const workItem = withTexts(() => import('./phone/work/work-item.tsx'), 'flags', 'mend');
const outbox = withTexts(() => import('./phone/outbox/outbox-page.tsx'), 'faults', 'flags', 'mend');
const person = dashboardPage(() => import('./dashboard/people/person.tsx'));
const tree = dashboardPage(() => import('./dashboard/board/tree/tree.tsx'));
const rounds = dashboardPage(() => import('./dashboard/rounds/rounds.tsx'), 'faults');
const devices = dashboardPage(() => import('./dashboard/devices/devices.tsx'));
const forest = dashboardPage(() => import('./dashboard/board/tree/forest.tsx'));
const rescue = dashboardPage(() => import('./dashboard/surveys/rescue/rescue-import.tsx'));
const survey = dashboardPage(
  () => import('./dashboard/surveys/survey.tsx'),
  'mend',
  'paying',
  'payments',
  'quality',
);
const repeats = dashboardPage(() => import('./dashboard/surveys/repeats/repeats.tsx'), 'payments');
const code = dashboardPage(() => import('./dashboard/referral-codes/code-page.tsx'));
const newVersionOf = dashboardPage(
  () => import('./dashboard/questionnaires/questionnaire-new.tsx'),
  'faults',
  'builder',
);
const version = dashboardPage(
  () => import('./dashboard/questionnaires/questionnaire.tsx'),
  'faults',
  'builder',
);
const firstRun = dashboardPage(() => import('./dashboard/first-run/first-run.tsx'), 'first-run');

/** Replaces every page: the lock screen, and the page to choose a PIN. */
const lockScreen = withTexts(() => import('./phone/lock/lock-screen.tsx'), 'lock');

const SCREENS: ScreenRoute[] = [
  { path: '/sign-in', for: 'anyone', fullScreen: true, page: signIn },
  { path: '/sign-up', for: 'anyone', fullScreen: true, page: signUp },
  { path: '/setup', for: 'anyone', fullScreen: true, page: setup },
  { path: '/waiting', for: 'signed-in', fullScreen: true, page: waiting },
  { path: '/confirm', for: 'signed-in', fullScreen: true, page: secondFactor },
  {
    path: '/',
    right: RECRUITMENT,
    override: true,
    nav: { label: 'home', icon: 'home' },
    page: studyHome,
  },
  { path: '/', nav: { label: 'home', icon: 'home' }, page: home },
  { path: '/start', right: ['create', 'Survey'], fullScreen: true, needsStore: true, page: start },
  { path: '/interview/:id', fullScreen: true, needsStore: true, page: interview },
  { path: '/coupons/:id', fullScreen: true, needsStore: true, page: coupons },
  { path: '/pay', right: PAYS, fullScreen: true, page: payPerson },
  { path: '/pay/day', right: PAYS, fullScreen: true, page: ownDay },
  { path: '/pay/receipt', right: PAYS, fullScreen: true, page: receipt },
  { path: '/work', right: READS_SURVEYS, nav: { label: 'work', icon: 'list' }, page: work },
  { path: '/work/:id', right: READS_SURVEYS, fullScreen: true, page: workItem },
  { path: '/outbox', needsStore: true, nav: { label: 'outbox', icon: 'send' }, page: outbox },
  { path: '/me', nav: { label: 'me', icon: 'person' }, page: me },
  { path: '/desk', page: dashboardPage(() => import('./phone/shell/manage.tsx')) },
  dashboardRoute(
    'approvals',
    ['update', 'User', 'approvalStatus'],
    'inbox',
    () => import('./dashboard/people/approval/approvals.tsx'),
  ),
  dashboardRoute('people', MANAGES_PEOPLE, 'people', () => import('./dashboard/people/people.tsx')),
  { path: '/desk/people/:id', right: MANAGES_PEOPLE, page: person },
  {
    ...dashboardRoute('board', RECRUITMENT, 'chart', () => import('./dashboard/board/board.tsx')),
    preload: preloadBoard,
  },
  {
    ...resultsRoute('', () => import('./dashboard/results/results.tsx')),
    nav: { label: 'results', icon: 'estimate', section: 'run' },
    preload: preloadEstimates,
  },
  {
    ...dashboardRoute(
      'quality',
      RECRUITMENT,
      'check',
      () => import('./dashboard/quality/quality.tsx'),
      'quality',
    ),
    allRecords: true,
  },
  resultsRoute('/answers', () => import('./dashboard/results/answers.tsx')),
  resultsRoute('/compare', () => import('./dashboard/results/compare.tsx')),
  resultsRoute('/change', () => import('./dashboard/results/change/change.tsx')),
  resultsRoute('/counts', () => import('./dashboard/results/counts/counts.tsx')),
  resultsRoute('/counts/:id', () => import('./dashboard/results/counts/count.tsx')),
  resultsRoute('/report', () => import('./dashboard/results/report/report.tsx')),
  resultsRoute('/downloads', () => import('./dashboard/results/downloads.tsx')),
  { path: '/desk/devices', right: RECRUITMENT, page: devices },
  { path: '/desk/tree', right: RECRUITMENT, allRecords: true, page: forest },
  { path: '/desk/tree/:seed', right: RECRUITMENT, allRecords: true, page: tree },
  dashboardRoute('surveys', REVIEWS, 'list', () => import('./dashboard/surveys/surveys.tsx')),
  { path: '/desk/import', right: ['import', 'Survey'], page: rescue },
  { path: '/desk/surveys/:id', right: REVIEWS, page: survey, preload: preloadSurvey },
  { path: '/desk/repeats', right: REVIEWS, page: repeats },
  {
    ...dashboardRoute(
      'payments',
      MANAGES_PEOPLE,
      'cash',
      () => import('./dashboard/payments/payments.tsx'),
      ...(['paying', 'payments'] as const),
    ),
    onlyIfPaid: true,
  },
  { path: '/desk/payments/day', right: MANAGES_PEOPLE, page: closeDay },
  { path: '/desk/payments/:view', right: MANAGES_PEOPLE, page: closedDays },
  dashboardRoute('seeds', ['create', 'Seed'], 'seed', () => import('./dashboard/seeds/seeds.tsx')),
  dashboardRoute(
    'coupons',
    ['create', 'ReferralCode'],
    'ticket',
    () => import('./dashboard/referral-codes/referral-codes.tsx'),
  ),
  { path: '/desk/coupons/:code', right: MANAGES_PEOPLE, page: code },
  dashboardRoute('sites', MANAGES_PEOPLE, 'pin', () => import('./dashboard/sites/sites.tsx')),
  dashboardRoute(
    'questionnaires',
    QUESTIONS,
    'question',
    () => import('./dashboard/questionnaires/questionnaires.tsx'),
    ...(['xlsform', 'faults', 'builder'] as const),
  ),
  { path: '/desk/questionnaires/new', right: QUESTIONS, page: newVersionOf },
  { path: '/desk/questionnaires/:id', right: QUESTIONS, page: version },
  dashboardRoute('study', ['update', 'Study'], 'settings', () => import('./dashboard/study/study.tsx')),
  dashboardRoute('audit', ['read', 'AuditEvent'], 'clock', () => import('./dashboard/audit/audit.tsx')),
  {
    path: '/desk/tokens',
    right: MANAGES_ALL,
    page: dashboardPage(() => import('./dashboard/tokens/tokens.tsx')),
  },
  { path: '/desk/rounds', right: MANAGES_ALL, page: rounds },
  { path: '/desk/first-run', right: MANAGES_ALL, fullScreen: true, page: firstRun },
];

function screenAt(pathname: string): ScreenRoute | undefined {
  const now = currentSession.get();
  const ability = abilityOf(now?.rules);
  const all = SCREENS.filter((screen) => !screen.override || isOpen(screen, now, ability)).map((screen) => ({
    path: screen.path,
    handle: screen,
  }));
  return matchRoutes(all, pathname)?.[0]?.route.handle;
}

/** Loads the page at this path. */
export async function preloadPage(pathname: string): Promise<void> {
  await (lockState.get().is === 'locked' ? lockScreen : screenAt(pathname)?.page)?.load();
}

/**
 * When another window switches to a newer version, this version's files may disappear from the device, so the pages
 * that field work needs are loaded before.
 */
export function preloadFieldPages(): void {
  appUpdateAvailability.watch(() => {
    if (!appUpdateAvailability.get()) return;
    const now = currentSession.get();
    const open = SCREENS.filter((screen) => isOpen(screen, now, abilityOf(now?.rules)));
    for (const { page, path } of open) if (!path.startsWith('/desk')) void page.load().catch(() => undefined);
  });
}

/** Requests the data the page at this URL will need, while its code still loads. */
export function prefetchPageData({ pathname, search }: Location): void {
  const screen = screenAt(pathname);
  const now = currentSession.get();
  if (!screen?.preload || !now || now.expired || !isOpen(screen, now, abilityOf(now.rules))) return;
  const ask: PreloadRequest = (path) => currentQueryClient().fetchQuery(dashboardQuery(now.user.id, path));
  screen.preload(new URLSearchParams(search), ask, pathname);
}

function isOpen(screen: ScreenRoute, now: DeviceSession | null, ability: AnyMongoAbility): boolean {
  if (screen.for === 'anyone') return true;
  if (screen.for === 'signed-in') return now !== null;
  return (
    now?.user.approvalStatus === 'APPROVED' &&
    (screen.needsStore || !needsSecondFactor(now)) &&
    (!screen.right || hasRight(ability, screen.right, screen.allRecords))
  );
}

/** Data on the device stays available: an interview continues, and is sent without this session. */
const needsSecondFactor = ({ secondFactor }: DeviceSession): boolean =>
  secondFactor === 'VERIFY' || secondFactor === 'ENROLL' || secondFactor === 'SIGN_IN_AGAIN';

/** An empty record only passes rules without conditions, which are those for all records. */
function hasRight(ability: AnyMongoAbility, [action, subject, field]: AccessRight, whole = false): boolean {
  return ability.can(action, whole ? asPermissionSubject(subject, {}) : subject, field);
}

/** The pages this person may open; the navigation is built from the same list. */
function useOpenScreens(): ScreenRoute[] {
  const now = useSession();
  const ability = useAbility();
  const pays = everPays(useStudy());
  const open = SCREENS.filter((screen) => isOpen(screen, now, ability));
  return open
    .filter(({ path }, at) => open.findIndex((other) => other.path === path) === at)
    .map(({ nav, ...screen }) => (nav && (pays || !screen.onlyIfPaid) ? { ...screen, nav } : screen));
}

function UnknownPath() {
  const session = useSession();
  const here = useLocation();
  const { t } = useTranslation();
  if (screenAt(here.pathname)) {
    if (!session) return <Navigate to="/sign-in" replace state={{ next: here.pathname + here.search }} />;
    if (session.user.approvalStatus !== 'APPROVED') return <Navigate to="/waiting" replace />;
    if (needsSecondFactor(session)) {
      const next = here.pathname + here.search;
      return <Navigate to="/confirm" replace state={{ next, owner: session.user.id }} />;
    }
  }
  return (
    <Page title={t('nowhere.title')} back="/">
      <Notice tone="info" title={t('nowhere.text')} />
    </Page>
  );
}

function ScreenPage({ screen }: { screen: ScreenRoute }) {
  const lacking = useSyncExternalStore(noStoreReason.watch, noStoreReason.get);
  // An open page stays open: it may hold unsaved input.
  const [lacked] = useState(lacking !== null);
  return screen.needsStore && lacked && lacking ? (
    <NoStore why={lacking} />
  ) : (
    <LazyPageContent source={screen.page} />
  );
}

function Screens() {
  const { t } = useTranslation();
  const open = useOpenScreens();
  return (
    <AllowedScreensContext value={open}>
      <Shell screens={open} lookUp={<LookUp />}>
        <ErrorBoundary>
          <Suspense fallback={<Loader m="xl" role="status" aria-label={t('common.loading')} />}>
            <Routes>
              {open.map((screen) => (
                <Route
                  key={screen.path}
                  path={screen.path}
                  element={<ScreenPage key={screen.path} screen={screen} />}
                />
              ))}
              <Route path="*" element={<UnknownPath />} />
            </Routes>
          </Suspense>
        </ErrorBoundary>
      </Shell>
    </AllowedScreensContext>
  );
}

const LOOK_UP = dashboardPage(() => import('./dashboard/look-up/look-up.tsx'));

/** Shown on the dashboard, on Home, and, on wide screens, next to every page. May be missing offline. */
function LookUp() {
  const [action, subject] = MANAGES_PEOPLE;
  const may = useAbility().can(action, subject);
  const { pathname } = useLocation();
  const [Content, setContent] = useState<ComponentType | null>(null);
  const isWanted =
    may &&
    (pathname === '/' || pathname.startsWith('/desk') || window.matchMedia('(min-width: 62em)').matches);
  useEffect(() => {
    if (!isWanted) return;
    const show = () => setContent(() => LOOK_UP.content());
    LOOK_UP.load().then(show, () => undefined);
  }, [isWanted]);
  return isWanted && Content ? <Content /> : null;
}

/**
 * The study has required a lock since the last contact, and this person has no PIN yet. They are asked on Home, or
 * before the next page that isn't a task of its own, so that no interview or other input is interrupted.
 */
function useLacksPin(): boolean {
  const now = useSession();
  const { is } = useDeviceLockState();
  const { pathname } = useLocation();
  const lacking = useSyncExternalStore(noStoreReason.watch, noStoreReason.get);
  const isApproved = now?.user.approvalStatus === 'APPROVED';
  const needsPin = useStudy()?.deviceLock === 'PIN' && isApproved && is === 'off' && !lacking && canSeal();
  const since = useRef<string | null>(null);
  if (!needsPin) since.current = null;
  else since.current ??= pathname;
  const isTask = screenAt(pathname)?.fullScreen === true;
  return needsPin && !isTask && (pathname === '/' || pathname !== since.current);
}

/** While the window is locked, no page is rendered, whatever the URL. */
function LockedOr({ children }: { children: ReactNode }) {
  const { is } = useDeviceLockState();
  const pending = useSyncExternalStore(sessionAwaitingPin.watch, sessionAwaitingPin.get);
  const lacks = useLacksPin();
  if (is !== 'locked' && !pending && !lacks) return children;
  return (
    <ErrorBoundary>
      <Suspense fallback={null}>
        <LazyPageContent source={lockScreen} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** Another person's workspace is a new tree: nothing open, typed, or requested carries over. */
export function App() {
  const workspace = useWorkspace();
  return (
    <DirectionProvider initialDirection={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider key={workspace.key} client={workspace.getOrCreate(newQueryClient)}>
          <BrowserRouter>
            <LockedOr>
              <Screens />
            </LockedOr>
          </BrowserRouter>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}
