/** The frame around every page: the study's name, connection, unsent interviews, navigation. */
import { Anchor, Box, Button } from '@mantine/core';
import {
  Fragment,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Link, matchPath, useLocation } from 'react-router';
import { lockNow, useDeviceLockState } from '../../device/lock/use-lock.ts';
import {
  appUpdateAvailability,
  installServiceWorker,
  reloadNewestVersion,
} from '../../device/new-version.ts';
import { clockOffsetMs } from '../../device/service-time.ts';
import { noStoreReason } from '../../device/store/open-store.ts';
import { useHasSignal } from '../../device/use-signal.ts';
import { useStudyName } from '../../session/records.ts';
import { useSession } from '../../session/session.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { shieldFromTaps } from '../../ui/tap-shield.ts';
import { ExpiredSessionText } from '../outbox/expired-text.tsx';
import { useOutboxCounts } from '../outbox/outbox-counts.ts';
import { isInterviewPath, NoStoreNotice } from './no-store.tsx';
import type { ScreenRoute } from './open-screens.ts';
import { usePendingUserCount, WaitingPeopleBadge } from './waiting-people.tsx';

interface ShellProps {
  screens: ScreenRoute[];
  /** The search field, if there is one. */
  lookUp: ReactNode;
  children: ReactNode;
}

export function Shell({ screens, lookUp, children }: ShellProps) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  useShield(pathname);
  const bare = screens.find((screen) => matchPath(screen.path, pathname))?.fullScreen ?? false;
  const session = useSession();
  const inNav = screens.filter((screen) => screen.nav);
  const showNav = !bare && inNav.length > 0 && session !== null;
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it stays within the page, but changing the URL's hash would lose the list's state */}
      <a className="skip" href="#content" onClick={skipToContent}>
        {t('shell.skip')}
      </a>
      <Head>{showNav ? lookUp : null}</Head>
      {showNav ? <Navigation screens={inNav} /> : null}
      <main className="main" id="content" data-bare={!showNav || undefined}>
        <Banners interviewing={isInterviewPath(pathname)} />
        {children}
      </main>
    </>
  );
}

/** Focuses the heading. Navigating to a hash would lose the list's page. */
function skipToContent(event: MouseEvent): void {
  const heading = document.querySelector<HTMLElement>('#content h1');
  if (!heading) return;
  event.preventDefault();
  heading.focus();
}

/** A new screen appeared under the finger. */
function useShield(pathname: string): void {
  const last = useRef(pathname);
  useLayoutEffect(() => {
    if (last.current !== pathname) shieldFromTaps();
    last.current = pathname;
  }, [pathname]);
}

function Head({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const name = useStudyName() ?? t('shell.name');
  const online = useHasSignal();
  const session = useSession();
  const { waiting } = useOutboxCounts();
  const { is } = useDeviceLockState();
  return (
    <header className="head">
      <Link className="head-name" to="/">
        <img src="/icon.svg" alt="" width={30} height={30} style={{ borderRadius: 6 }} />
        <span>{name}</span>
      </Link>
      {children}
      {is === 'open' ? (
        <button type="button" className="head-chip" aria-label={t('lock.now')} onClick={() => void lockNow()}>
          <span>
            <Icon name="lock" size={20} />
          </span>
        </button>
      ) : null}
      {session && waiting > 0 ? (
        <Link className="head-chip" to="/outbox" aria-label={t('shell.toSendLong', { count: waiting })}>
          <span>
            <Icon name="send" size={16} />
            <span className="head-count" aria-hidden="true">
              {waiting}
            </span>
            <span className="head-words">{t('shell.toSend', { count: waiting })}</span>
          </span>
        </Link>
      ) : null}
      <div className="head-chip" role="status">
        {online ? null : (
          <span>
            <Icon name="noSignal" size={16} />
            {t('shell.noSignal')}
          </span>
        )}
      </div>
    </header>
  );
}

function Navigation({ screens }: { screens: ScreenRoute[] }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { attention } = useOutboxCounts();
  return (
    <nav className="nav" aria-label={t('nav.label')}>
      {screens.map(({ path, nav }) =>
        nav && !nav.section ? (
          <Link key={path} to={path} aria-current={pathname === path ? 'page' : undefined}>
            <Icon name={nav.icon} />
            {t(`nav.to.${nav.label}`)}
            {nav.label === 'outbox' && attention > 0 ? (
              <span className="nav-count">
                <span aria-hidden="true">{attention}</span>
                <span className="hidden-text">{t('nav.attention', { count: attention })}</span>
              </span>
            ) : null}
          </Link>
        ) : null,
      )}
      <DashboardNavigation screens={screens.filter(({ nav }) => nav?.section)} />
    </nav>
  );
}

/** On a wide screen, a section of its own; on a phone, one entry that opens a list. */
function DashboardNavigation({ screens }: { screens: ScreenRoute[] }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const waiting = usePendingUserCount();
  const [first, second] = screens;
  if (!first) return null;
  const within = (path: string) => pathname === path || pathname.startsWith(`${path}/`);
  const only = second ? null : first;
  return (
    <>
      <Link
        className="nav-narrow"
        to={only?.path ?? '/desk'}
        aria-current={within('/desk') ? 'page' : undefined}
      >
        <Icon name={only?.nav?.icon ?? 'manage'} />
        {only?.nav ? t(`nav.to.${only.nav.label}`) : t('nav.dashboard')}
        <WaitingPeopleBadge count={waiting} />
      </Link>
      {screens.map(({ path, nav }, at) =>
        nav ? (
          <Fragment key={path}>
            {nav.section === screens[at - 1]?.nav?.section ? null : (
              <p className="nav-heading">{t(`nav.${nav.section === 'setup' ? 'setup' : 'dashboard'}`)}</p>
            )}
            <Link className="nav-wide" to={path} aria-current={within(path) ? 'page' : undefined}>
              <Icon name={nav.icon} size={20} />
              {t(`nav.to.${nav.label}`)}
              {nav.label === 'approvals' ? <WaitingPeopleBadge count={waiting} /> : null}
            </Link>
          </Fragment>
        ) : null,
      )}
    </>
  );
}

function Banners({ interviewing }: { interviewing: boolean }) {
  const { t } = useTranslation();
  const session = useSession();
  const { pathname } = useLocation();
  useEffect(installServiceWorker, []);
  const isNewer = useSyncExternalStore(appUpdateAvailability.watch, appUpdateAvailability.get);
  const lacking = useSyncExternalStore(noStoreReason.watch, noStoreReason.get);
  const off = useSyncExternalStore(clockOffsetMs.watch, clockOffsetMs.get);
  const signedOut = session?.expired && pathname !== '/sign-in';
  if (!signedOut && (interviewing || (!lacking && !isNewer && off === 0))) return null;
  return (
    <Box maw={620} mx="auto" px="md" pt="sm" className="no-print banners">
      {lacking && !interviewing ? <NoStoreNotice why={lacking} /> : null}
      {interviewing || !session ? null : <ClockWarning />}
      {signedOut ? (
        <Notice tone="warn" title={t('expired.title')} live>
          <ExpiredSessionText />{' '}
          <Anchor
            component={Link}
            to="/sign-in"
            state={{ next: pathname, owner: session.user.id }}
            fw={650}
            inherit
            c="inherit"
          >
            {t('expired.action')}
          </Anchor>
        </Notice>
      ) : null}
      {isNewer && !interviewing ? (
        <Notice tone="info" title={t('update.title')} live>
          {t('update.text')}
          <Box mt="sm" style={{ display: 'flex', gap: 10, flexWrap: 'wrap' }}>
            <Button onClick={() => void reloadNewestVersion()}>{t('update.now')}</Button>
            <Button variant="default" onClick={() => appUpdateAvailability.set(false)}>
              {t('update.later')}
            </Button>
          </Box>
        </Notice>
      ) : null}
    </Box>
  );
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function unitOf(off: number): ['minutes' | 'hours' | 'days', number] {
  if (off >= 2 * DAY_MS) return ['days', off / DAY_MS];
  return off >= 2 * HOUR_MS ? ['hours', off / HOUR_MS] : ['minutes', off / 60_000];
}

/** Warns if the phone's clock differs a lot from the service's, before more interviews get impossible times. */
function ClockWarning() {
  const { t } = useTranslation();
  const off = useSyncExternalStore(clockOffsetMs.watch, clockOffsetMs.get);
  if (off === 0) return null;
  const [unit, count] = unitOf(Math.abs(off));
  const by = t(`clock.${unit}`, { count: Math.round(count) });
  return (
    <Notice tone="warn" icon="clock" live title={t(off > 0 ? 'clock.ahead' : 'clock.behind', { by })}>
      {t('clock.what')}
    </Notice>
  );
}
