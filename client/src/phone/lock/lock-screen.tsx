/**
 * Replaces every page while this window is locked, or until a PIN is chosen. Shows how many interviews are waiting to
 * be sent, and nothing else of anyone's work. Names only appear if several people have a lock here, after a tap, and
 * until the screen is turned off.
 */
import './lock.css';
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { pinTriesLeft } from '../../device/lock/count-tries.ts';
import { enterWithoutLock, finishDestroyingLock } from '../../device/lock/device-lock.ts';
import { type DeviceLockRow, loadLockRows, lockState } from '../../device/lock/lock.ts';
import { deviceDb, type OutboxState } from '../../device/store/store.ts';
import { useLiveStoreQuery } from '../../device/store/use-live.ts';
import { type DeviceSession, sessionAwaitingPin } from '../../device/stored-session.ts';
import { useSession } from '../../session/session.tsx';
import { LanguageSwitch } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Study } from '../../wire.ts';
import { ChooseLock } from './choose-lock.tsx';
import { Unlock } from './unlock.tsx';

export default function LockScreen() {
  const { t } = useTranslation('lock');
  const rows = useLiveStoreQuery('lock-rows', loadLockRows);
  const pending = useSyncExternalStore(sessionAwaitingPin.watch, sessionAwaitingPin.get);
  const session = useSession();
  useEffect(() => {
    document.title = t('locked');
  }, [t]);
  useEffect(() => {
    for (const row of rows ?? []) void finishDestroyingLock(row).catch(() => undefined);
  }, [rows]);
  if (!rows) return null;
  const own = rows.find(({ owner }) => owner === pending?.user.id);
  if (pending) return <PendingSession session={pending} row={own} />;
  // The study has just started requiring a lock.
  if (session)
    return (
      <Frame>
        <ChooseLock session={session} />
      </Frame>
    );
  return <Locked rows={rows} />;
}

function Frame({ children, start }: { children: ReactNode; start?: ReactNode }) {
  return (
    <main className="lock" id="content">
      <div className="lock-top">
        <div>{start}</div>
        <LanguageSwitch />
      </div>
      {children}
    </main>
  );
}

/** Just signed in. People with a PIN on this device enter it, so that unfinished interviews stay readable. */
function PendingSession({ session, row }: { session: DeviceSession; row: DeviceLockRow | undefined }) {
  const { t } = useTranslation('lock');
  const before = lockState.get();
  const [isNew, setNew] = useState(before.is === 'signing-in' && before.forgot);
  const lockPolicy = useStudyLock();
  const choose = isNew || !row?.session;
  const isOff = choose && row !== undefined && lockPolicy === 'OFF';
  useEffect(() => {
    if (isOff) void enterWithoutLock(session);
  }, [isOff, session]);
  if (isOff) return null;
  if (choose)
    return (
      <Frame>
        <ChooseLock session={session} />
      </Frame>
    );
  return (
    <Frame>
      <Unlock row={row} />
      <Button variant="subtle" fullWidth onClick={() => setNew(true)}>
        {t('chooseNew')}
      </Button>
    </Frame>
  );
}

/** According to the study's copy on this device. */
function useStudyLock(): 'OFF' | 'PIN' | undefined {
  return useLiveStoreQuery(
    'study-lock',
    async () => ((await deviceDb.kept.get('study'))?.value as Study | undefined)?.deviceLock,
  );
}

function Locked({ rows }: { rows: DeviceLockRow[] }) {
  const { t } = useTranslation('lock');
  const { t: shared } = useTranslation();
  const now = useSyncExternalStore(lockState.watch, lockState.get);
  const [forgot, setForgot] = useState(false);
  const navigate = useNavigate();
  const isShared = rows.length > 1;
  const owner = now.is === 'locked' ? now.owner : null;
  const names = now.is === 'locked' && now.names === true;
  const row = isShared ? rows.find((one) => one.owner === owner) : rows[0];
  const choose = (next: string | null) => {
    setForgot(false);
    // The URL before a reload belonged to another person.
    history.replaceState(null, '', '/');
    lockState.set({ is: 'locked', owner: next, place: null, names: true });
  };
  const signIn = (hasForgotten: boolean) => {
    lockState.set({ is: 'signing-in', owner, forgot: hasForgotten, toOpen: hasForgotten });
    void navigate('/sign-in', { replace: true });
  };
  useHiddenNames();
  // The locked person signed out in another window.
  const isOver = rows.length === 0;
  useEffect(() => {
    if (isOver) lockState.set({ is: 'off' });
  }, [isOver]);
  if (isOver) return null;
  if (!row)
    return (
      <Frame>
        <WaitingCount />
        {names ? (
          <People rows={rows} onChoose={choose} onOther={() => signIn(false)} />
        ) : (
          <WhoseTurn onShow={() => choose(null)} />
        )}
      </Frame>
    );
  const others = (
    <button type="button" className="icon-button" onClick={() => (isShared ? choose(null) : signIn(false))}>
      <Icon name="people" />
      {shared('lock.change')}
    </button>
  );
  if (forgot || !row.session)
    return (
      <Frame start={others}>
        <Help
          title={titleOf(row)}
          onSignIn={() => signIn(true)}
          onBack={row.session ? () => setForgot(false) : null}
        />
      </Frame>
    );
  return (
    <Frame start={others}>
      <WaitingCount />
      <Unlock key={row.owner} row={row} name={names ? row.name : undefined} />
      <Button variant="subtle" fullWidth onClick={() => setForgot(true)}>
        {t(row.by === 'pin' ? 'forgot' : 'platformGone')}
      </Button>
    </Frame>
  );
}

/** Names shown after a tap are hidden again when the phone is put away. */
function useHiddenNames(): void {
  useEffect(() => {
    const hide = () => {
      const now = lockState.get();
      if (document.visibilityState === 'hidden' && now.is === 'locked')
        lockState.set({ ...now, names: false });
    };
    document.addEventListener('visibilitychange', hide);
    return () => document.removeEventListener('visibilitychange', hide);
  }, []);
}

/** Everyone's finished, unsent interviews. Only the index is read. */
async function countUnsent(): Promise<number> {
  const rows = (await deviceDb.outbox.orderBy('[owner+state]').keys()) as unknown as [string, OutboxState][];
  return rows.filter(([, state]) => state !== 'sent').length;
}

function WaitingCount() {
  const { t } = useTranslation('lock');
  const count = useLiveStoreQuery('unsent', countUnsent);
  if (count === undefined) return null;
  return (
    <p className="lock-text" style={{ textAlign: 'center' }} role="status">
      {count === 0 ? t('allSent') : t('waiting', { count })}
    </p>
  );
}

/** Several people have a lock here, and it isn't known who is holding the phone. */
function WhoseTurn({ onShow }: { onShow(): void }) {
  const { t } = useTranslation('lock');
  return (
    <>
      <div className="lock-middle">
        <h1>{t('locked')}</h1>
      </div>
      <Button size="xl" fullWidth leftSection={<Icon name="lock" />} onClick={onShow}>
        {t('platformUnlock')}
      </Button>
    </>
  );
}

interface PeopleProps {
  rows: DeviceLockRow[];
  onChoose(owner: string): void;
  onOther(): void;
}

function People({ rows, onChoose, onOther }: PeopleProps) {
  const { t } = useTranslation('lock');
  return (
    <>
      <div className="lock-middle">
        <h1>{t('who')}</h1>
        <div className="lock-people">
          {rows.map(({ owner, name }) => (
            <button key={owner} type="button" onClick={() => onChoose(owner)}>
              <Icon name="person" />
              <span dir="auto">{name}</span>
              <Icon name="next" size={20} />
            </button>
          ))}
        </div>
      </div>
      <Button variant="default" size="lg" fullWidth onClick={onOther}>
        {t('someoneElse')}
      </Button>
    </>
  );
}

/** Title of the help page: too many wrong PINs, the browser lost the key, or the PIN is forgotten. */
function titleOf(row: DeviceLockRow): 'destroyed' | 'keyGone' | 'forgot' {
  if (row.session) return 'forgot';
  return pinTriesLeft(row) === 0 ? 'destroyed' : 'keyGone';
}

interface HelpProps {
  title: ReturnType<typeof titleOf>;
  onSignIn(): void;
  onBack: (() => void) | null;
}

/** What happens now, and what to do in the field. */
function Help({ title, onSignIn, onBack }: HelpProps) {
  const { t } = useTranslation('lock');
  const isMessageRefused = useStudyLock() === 'PIN';
  return (
    <>
      <WaitingCount />
      <div className="lock-middle" style={{ textAlign: 'start' }}>
        <h1>{t(title)}</h1>
        <p className="lock-text">{t('nothingLost')}</p>
        <p className="lock-text">
          {t('askColleague')}
          {isMessageRefused ? ` ${t('byText')}` : ''}
        </p>
        <p className="lock-text">{t('meanwhile')}</p>
      </div>
      <Button size="lg" fullWidth onClick={onSignIn}>
        {t('signIn')}
      </Button>
      {onBack ? (
        <Button variant="default" size="lg" fullWidth onClick={onBack}>
          {t('back')}
        </Button>
      ) : null}
    </>
  );
}
