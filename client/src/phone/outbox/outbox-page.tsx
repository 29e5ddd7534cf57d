/** Finished interviews and their state: waiting, sending, sent, or needing attention. */
import { Button, FileButton, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { callAfter, now } from '../../device/clock.ts';
import { NotTheEditor } from '../../device/editor.ts';
import { storageHealth } from '../../device/store/storage-health.ts';
import { deviceDb, isStorageFullError, type OutboxRow, type OutboxState } from '../../device/store/store.ts';
import { useLiveStoreQuery } from '../../device/store/use-live.ts';
import { useHasSignal } from '../../device/use-signal.ts';
import { sendInterviewsNow } from '../../offline/background.ts';
import { mayReopenInterview, reopenFinishedInterview } from '../../offline/drafts.ts';
import { sendAllWaitingNow } from '../../offline/outbox.ts';
import { NotARescueFile, restoreFromRescueFile } from '../../offline/rescue.ts';
import { retryPauseLeft } from '../../offline/retry-after.ts';
import {
  msUntilSendable,
  outboxRowStateOf,
  shownState,
  unreportedCoupons,
} from '../../offline/row-states.ts';
import { useSession, useUser } from '../../session/session.tsx';
import { formatDateTime, formatTimeOfDay } from '../../texts/i18n.ts';
import { FormError, useAttempt } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice, Tag, type Tone } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { CodeText } from '../coupons/code-text.tsx';
import { OthersUnsentNotice } from './other-users.tsx';
import { RefusedInterview } from './refused-interview.tsx';
import { RescueButton } from './rescue-button.tsx';
import { outboxRowsToShow } from './rows-to-show.ts';
import { useHasSendToken } from './use-has-send-token.ts';

const TONES: Record<OutboxState, Tone> = { waiting: 'warn', sending: 'info', sent: 'good', attention: 'bad' };

export default function Outbox() {
  const { t, i18n } = useTranslation();
  const { id: owner } = useUser();
  const online = useHasSignal();
  const expired = useSession()?.expired ?? false;
  const sends = useHasSendToken();
  const storedRows = useLiveStoreQuery(`outbox-all-${owner}`, () =>
    deviceDb.outbox.where({ owner }).toArray(),
  );
  const rows = storedRows ?? [];
  const unsent = rows.filter(({ state }) => state !== 'sent').length;
  const isWaiting = rows.some((row) => shownState(row) === 'waiting');
  const late = rows.flatMap(lateIn).length;
  const refused = rows.flatMap(refusedIn).length;
  const pause = retryPauseLeft(owner);
  const paused = pause > 0;
  const visibleRows = outboxRowsToShow(rows);
  const { attempt, error } = useAttempt();
  return (
    <Page
      title={t('outbox.title')}
      actions={
        isWaiting && online && (!expired || sends) && !paused ? (
          <Button size="xl" onClick={() => attempt(sendAllWaitingNow(owner).then(sendInterviewsNow))}>
            {t('outbox.sendNow')}
          </Button>
        ) : null
      }
    >
      <div role="status">
        <Text size="lg">
          {storedRows && unsent + late + refused === 0 ? t('outbox.allSent') : null}
          {unsent > 0 ? t(online ? 'outbox.unsent' : 'outbox.unsentNoSignal', { count: unsent }) : null}
        </Text>
        <LateCouponsText late={late} refused={refused} />
        {isWaiting && paused ? (
          <Text c="dimmed">
            {t('outbox.paused', {
              at: formatTimeOfDay(new Date(now() + pause).toISOString(), i18n.language),
            })}
          </Text>
        ) : null}
      </div>
      <FormError error={error} />
      {visibleRows.length > 0 ? (
        <Card label={t('outbox.title')}>
          {visibleRows.map((row) => (
            <Row key={row.clientId} row={row} />
          ))}
        </Card>
      ) : null}
      <OthersUnsentNotice />
      <Rescue />
    </Page>
  );
}

const lateIn = (row: OutboxRow) => (row.state === 'sent' ? unreportedCoupons(row) : []);
const refusedIn = (row: OutboxRow) => (row.state === 'sent' ? (row.lateRefused ?? []) : []);

/** Coupons handed out after their interview was sent. */
function LateCouponsText({ late, refused }: { late: number; refused: number }) {
  const { t } = useTranslation();
  return (
    <>
      {refused > 0 ? <Text>{t('coupons.refused', { count: refused })}</Text> : null}
      {late > 0 ? <Text>{t('coupons.late', { count: late })}</Text> : null}
    </>
  );
}

function Row({ row }: { row: OutboxRow }) {
  const { t, i18n } = useTranslation();
  const { t: own } = useTranslation('flags');
  const [, redraw] = useState({});
  const isHeld = outboxRowStateOf(row) === 'held';
  const state = shownState(row);
  useEffect(() => {
    if (!isHeld) return;
    const over = callAfter(msUntilSendable(row) + 50, () => redraw({}));
    return () => clearTimeout(over);
  }, [isHeld, row]);
  return (
    <div className="row">
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <div>
          <Text fw={600}>{formatDateTime(row.finishedAt, i18n.language)}</Text>
          <Text size="sm" c="dimmed" component="div">
            {row.referralCode ? <CodeText code={row.referralCode} /> : t('home.walkIn')}
          </Text>
        </div>
        <Tag tone={TONES[state]}>{t(`outbox.state.${state}`)}</Tag>
      </Group>
      {isHeld ? (
        <Text size="sm" mt={4}>
          {t('outbox.held')}
        </Text>
      ) : null}
      {row.flags.length > 0 ? (
        <Text size="sm" mt={4}>
          {row.flags.map((flag) => own(flag as 'SECOND_COPY', { defaultValue: flag })).join(' ')}{' '}
          <Link to={`/work/${row.survey}`} className="tall-link">
            {t('outbox.look')}
          </Link>
        </Text>
      ) : null}
      {row.state === 'attention' ? <RefusedInterview row={row} /> : null}
      {row.state === 'waiting' && mayReopenInterview(row) ? <CorrectButton row={row} /> : null}
      <LateCouponsText late={lateIn(row).length} refused={refusedIn(row).length} />
      {row.issuedCodes.length > 0 || row.coupons > 0 ? (
        <Link to={`/coupons/${row.clientId}`} className="tall-link" style={{ gap: 8 }}>
          <Icon name="ticket" size={20} />
          {t('outbox.coupons')}
        </Link>
      ) : null}
    </div>
  );
}

/** While being corrected, the interview isn't sent, and it keeps its coupons. */
function CorrectButton({ row }: { row: OutboxRow }) {
  const { t } = useTranslation('mend');
  const navigate = useNavigate();
  const { attempt, error } = useAttempt();
  return (
    <div>
      <Button
        variant="default"
        size="md"
        mt="xs"
        onClick={() => attempt(reopenFinishedInterview(row).then((id) => navigate(`/interview/${id}`)))}
      >
        {t('correct')}
      </Button>
      {/* It was sent just now, as the row shows. */}
      <FormError error={error instanceof NotTheEditor ? null : error} />
    </div>
  );
}

function whyNot(error: unknown) {
  if (error instanceof NotARescueFile) return 'rescue.wrong';
  return isStorageFullError(error) ? 'problem.STORAGE_FULL' : 'rescue.failed';
}

function Rescue() {
  const { t } = useTranslation();
  const user = useUser();
  const [outcome, setOutcome] = useState<{ tone: Tone; text: string } | null>(null);
  // Resets the input; otherwise the same file couldn't be selected twice.
  const forget = useRef<() => void>(null);
  const load = async (file: File | null) => {
    if (!file) return;
    forget.current?.();
    try {
      const count = await restoreFromRescueFile(user.id, await file.text());
      setOutcome({ tone: 'good', text: t('rescue.loaded', { count }) });
      sendInterviewsNow();
    } catch (error) {
      setOutcome({ tone: 'bad', text: t(whyNot(error)) });
    }
  };
  return (
    <Card label={t('rescue.title')}>
      <Text fw={650} component="h2" size="lg">
        {t('rescue.title')}
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {t('rescue.text')}
      </Text>
      <StorageWarning />
      {outcome ? <Notice tone={outcome.tone} title={outcome.text} live /> : null}
      <Group mt="sm" gap="sm">
        <RescueButton />
        <FileButton
          resetRef={forget}
          accept="application/json,.json,text/plain,.txt"
          onChange={(file) => void load(file)}
        >
          {(props) => (
            <Button variant="subtle" size="md" {...props}>
              {t('rescue.load')}
            </Button>
          )}
        </FileButton>
      </Group>
    </Card>
  );
}

/** Without persistent storage, the browser may delete stored data; a private window does so when it closes. */
function StorageWarning() {
  const { t } = useTranslation();
  const [isPersisted, setPersisted] = useState(true);
  useEffect(() => {
    void storageHealth(true).then((health) => setPersisted(health.persisted));
  }, []);
  return isPersisted ? null : (
    <Notice tone="warn" title={t('storage.mayClear')}>
      {t('storage.mayClearWhat')}
    </Notice>
  );
}
