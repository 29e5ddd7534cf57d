/** READ THIS FIRST: the one table of screens, each with its URL and the right that it needs. */
import { Loader, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { BrowserRouter, Navigate, Route, Routes, useLocation, useParams } from 'react-router';
import type { IconName } from './parts/icon.tsx';
import { Stumble } from './parts/stumble.tsx';
import { Notice } from './parts/notice.tsx';
import { Page } from './parts/page.tsx';
import { Shell } from './parts/shell.tsx';
import { queries } from './records.ts';
import { type Right, useAbility, useSession } from './session.tsx';
import { cssVariables, theme } from './theme.ts';

export interface Screen {
  path: string;
  page: ComponentType;
  /** Who may come: anyone, whoever is signed in, or (else) approved people. */
  for?: 'anyone' | 'signed-in';
  right?: Right;
  /** A place in the navigation. */
  nav?: { label: 'home' | 'work' | 'outbox' | 'me'; icon: IconName };
  /** A task that fills the screen: no navigation beside it. */
  bare?: boolean;
}

const SCREENS: Screen[] = [
  { path: '/sign-in', for: 'anyone', bare: true, page: lazy(() => import('./pages/sign-in.tsx')) },
  { path: '/sign-up', for: 'anyone', bare: true, page: lazy(() => import('./pages/sign-up.tsx')) },
  { path: '/setup', for: 'anyone', bare: true, page: lazy(() => import('./pages/setup.tsx')) },
  { path: '/waiting', for: 'signed-in', bare: true, page: lazy(() => import('./pages/waiting.tsx')) },
  { path: '/', nav: { label: 'home', icon: 'home' }, page: lazy(() => import('./pages/home.tsx')) },
  { path: '/start', right: ['create', 'Survey'], bare: true, page: lazy(() => import('./pages/start.tsx')) },
  { path: '/c/:code', right: ['create', 'Survey'], page: CouponLink },
  { path: '/interview/:id', bare: true, page: lazy(() => import('./pages/interview.tsx')) },
  { path: '/coupons/:seq', bare: true, page: lazy(() => import('./pages/coupons.tsx')) },
  { path: '/work', nav: { label: 'work', icon: 'list' }, right: ['read', 'Survey'], page: lazy(() => import('./pages/work.tsx')) },
  { path: '/work/:id', bare: true, right: ['read', 'Survey'], page: lazy(() => import('./pages/work-item.tsx')) },
  { path: '/outbox', nav: { label: 'outbox', icon: 'send' }, page: lazy(() => import('./pages/outbox.tsx')) },
  { path: '/me', nav: { label: 'me', icon: 'person' }, page: lazy(() => import('./pages/me.tsx')) },
];

/** The QR code of a coupon is a link to here. */
function CouponLink() {
  const { code = '' } = useParams();
  return <Navigate to={`/start?code=${encodeURIComponent(code)}`} replace />;
}

/** The screens that this person may open; the navigation is made of the same list. */
function useOpenScreens(): Screen[] {
  const session = useSession();
  const ability = useAbility();
  const approved = session?.user.approvalStatus === 'APPROVED';
  return SCREENS.filter((screen) => {
    if (screen.for === 'anyone') return true;
    if (screen.for === 'signed-in') return session !== null;
    return approved && (!screen.right || ability.can(...screen.right));
  });
}

function Elsewhere() {
  const session = useSession();
  const here = useLocation();
  const { t } = useTranslation();
  if (!session) return <Navigate to="/sign-in" replace state={{ next: here.pathname + here.search }} />;
  if (session.user.approvalStatus !== 'APPROVED') return <Navigate to="/waiting" replace />;
  return (
    <Page title={t('nowhere.title')} back="/">
      <Notice tone="info" title={t('nowhere.text')} />
    </Page>
  );
}

function Screens() {
  const open = useOpenScreens();
  return (
    <Shell screens={open}>
      <Stumble>
        <Suspense fallback={<Loader m="xl" aria-label="…" />}>
          <Routes>
            {open.map(({ path, page: Content }) => (
              <Route key={path} path={path} element={<Content />} />
            ))}
            <Route path="*" element={<Elsewhere />} />
          </Routes>
        </Suspense>
      </Stumble>
    </Shell>
  );
}

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <BrowserRouter>
          <Screens />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  );
}
