/** The home page: the next interview, unfinished ones, and whether the device is ready for offline work. */
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { now } from '../../device/clock.ts';
import { installOffer } from '../../device/install.ts';
import { switchPerson, useDeviceLockState } from '../../device/lock/use-lock.ts';
import { deviceDb, type OutboxRow, type StoredInterviewDraft } from '../../device/store/store.ts';
import { useLiveStoreQuery } from '../../device/store/use-live.ts';
import { useHasSignal } from '../../device/use-signal.ts';
import { sendInterviewsNow } from '../../offline/background.ts';
import { discardDraft, undoCorrection } from '../../offline/drafts.ts';
import { decryptDraft } from '../../offline/sealed-rows.ts';
import { type Opener, useRowDecrypter } from '../../offline/use-opener.ts';
import { request } from '../../session/api.ts';
import { everPays } from '../../session/incentives.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useChosenSiteId, useLocationName, useStudy } from '../../session/records.ts';
import { useAbility, useSession, useUser } from '../../session/session.tsx';
import { formatDateTime } from '../../texts/i18n.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FormError, useAttempt } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { CodeText } from '../coupons/code-text.tsx';
import { OthersUnsentNotice } from '../outbox/other-users.tsx';
import { useOutboxCounts } from '../outbox/outbox-counts.ts';
import { usePendingUserCount } from '../shell/waiting-people.tsx';
import { DeviceReadiness } from './readiness.tsx';

/** `studyStatus` and `action` come first, for people who run the study; they don't need a site of their own. */
export default function Home({ studyStatus, action }: { studyStatus?: ReactNode; action?: ReactNode }) {
  const { t } = useTranslation();
  const user = useUser();
  const session = useSession();
  const navigate = useNavigate();
  const ability = useAbility();
  const site = useChosenSiteId(user.id, session?.currentLocation ?? null);
  const nameOf = useLocationName();
  const { attention } = useOutboxCounts();
  const waitingPeople = usePendingUserCount();
  const drafts = useLiveStoreQuery(`drafts-${user.id}`, () =>
    deviceDb.drafts.where({ owner: user.id }).sortBy('startedAt'),
  );
  const opener = useRowDecrypter(user.id);
  const start = ability.can('create', 'Survey') ? (
    <Button
      fullWidth
      {...(action ? { variant: 'default' } : { size: 'xl' })}
      onClick={() => navigate('/start')}
    >
      {t('home.start')}
    </Button>
  ) : null;
  return (
    <Page title={t('home.hello', { name: user.firstName })} actions={action ?? start}>
      {studyStatus}
      {site || !studyStatus ? (
        <Group gap="xs" wrap="nowrap">
          <Icon name="pin" />
          <Text>{site ? t('home.at', { site: nameOf(site) }) : t('home.noSite')}</Text>
        </Group>
      ) : null}
      <Today owner={user.id} />
      {action ? start : null}
      <PayButton />
      {attention > 0 ? (
        <Notice tone="bad" title={t('home.attention', { count: attention })}>
          <Link to="/outbox" className="tall-link">
            {t('home.look')}
          </Link>
        </Notice>
      ) : null}
      <SentBackInterviews owner={user.id} />
      {waitingPeople > 0 && !studyStatus ? (
        <Notice tone="info" title={t('nav.waiting', { count: waitingPeople })}>
          <Link to="/desk/approvals" className="tall-link">
            {t('nav.to.approvals')}
          </Link>
        </Notice>
      ) : null}
      {drafts && drafts.length > 0 && opener ? (
        <Card label={t('home.drafts')}>
          <Text fw={650} component="h2" size="lg">
            {t('home.drafts')}
          </Text>
          {drafts.map((draft) => (
            <DraftRow key={draft.id} draft={draft} answers={answersIn(draft, opener)} />
          ))}
        </Card>
      ) : null}
      <OthersUnsentNotice />
      <ChangePerson />
      <DeviceReadiness />
      <InstallOffer />
    </Page>
  );
}

/** Interviews sent back by a reviewer can only be corrected today. */
function SentBackInterviews({ owner }: { owner: string }) {
  const { t } = useTranslation();
  const online = useHasSignal();
  const { data: count = 0 } = useQuery({
    queryKey: queryKeys.sentBack(owner),
    queryFn: async () => {
      const path = `/api/surveys?createdBy=${owner}&review=HAS_ISSUES&limit=1&total=true`;
      return (await request<{ total: number }>('GET', path)).total;
    },
    enabled: online,
  });
  if (count === 0) return null;
  return (
    <Notice tone="warn" title={t('home.sentBack', { count })}>
      <Link to="/work" className="tall-link">
        {t('home.look')}
      </Link>
    </Notice>
  );
}

function PayButton() {
  const { t } = useTranslation();
  const study = useStudy();
  const ability = useAbility();
  if (!everPays(study) || !ability.can('pay', 'Incentive')) return null;
  return (
    <Button component={Link} to="/pay" variant="default" fullWidth leftSection={<Icon name="cash" />}>
      {t('home.pay')}
    </Button>
  );
}

/** Today's interviews on this device and whether they were sent. */
function Today({ owner }: { owner: string }) {
  const { t } = useTranslation();
  const rows = useLiveStoreQuery(`outbox-today-${owner}`, () =>
    deviceDb.outbox.where({ owner }).filter(isOfToday).toArray(),
  );
  if (!rows || rows.length === 0) return null;
  const waiting = rows.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  const sentCount = rows.filter(({ state }) => state === 'sent').length;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" role="status">
      <Icon name={sentCount === rows.length ? 'check' : 'clock'} />
      <Text>
        {t('home.today', { count: rows.length })}
        {sentCount === rows.length ? ` ${t('home.allSent', { count: sentCount })}` : null}
        {waiting > 0 ? ` ${t('home.unsent', { count: waiting })}` : null}
      </Text>
    </Group>
  );
}

const isOfToday = ({ finishedAt }: OutboxRow): boolean =>
  new Date(finishedAt).toDateString() === new Date(now()).toDateString();

interface ListedDraft {
  draft: StoredInterviewDraft;
  /** Number of answers; null if the key to them is gone. */
  answers: number | null;
}

function answersIn(draft: StoredInterviewDraft, { open }: Opener): number | null {
  const read = decryptDraft(draft, open);
  return read && Object.keys(read.responses).length;
}

function DraftRow({ draft, answers }: ListedDraft) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { attempt, error } = useAttempt();
  // After reopening a refused interview: coupons that were already shown or scanned.
  const couponCount = draft.issuedCodes?.length ?? 0;
  // There is no other way to get rid of an interview the service has refused.
  const mayDiscard = !draft.finished || draft.finished.state === 'attention';
  const question = [
    t('home.discardQuestion'),
    couponCount > 0 ? t('home.discardCoupons', { count: couponCount }) : '',
  ];
  return (
    <div className="row">
      <Text fw={600}>{t('home.startedAt', { at: formatDateTime(draft.startedAt, i18n.language) })}</Text>
      <Text c="dimmed" size="sm">
        {draft.referralCode ? <CodeText code={draft.referralCode} /> : t('home.walkIn')} ·{' '}
        {answers === null ? t('home.sealed') : t('home.answers', { count: answers })}
      </Text>
      {draft.finished ? <Text size="sm">{t('home.correcting')}</Text> : null}
      <Group mt="sm" gap="sm" wrap={draft.finished ? 'wrap' : 'nowrap'}>
        <Button style={{ flex: 1 }} onClick={() => navigate(`/interview/${draft.id}`)}>
          {t('home.resume')}
        </Button>
        {draft.finished ? (
          <Button
            variant="default"
            onClick={() => attempt(undoCorrection(draft.owner, draft.id).then(sendInterviewsNow))}
          >
            {t('home.undo')}
          </Button>
        ) : null}
        {mayDiscard ? (
          <ConfirmButton
            label={t('home.discard')}
            question={question.join(' ').trim()}
            yes={t('home.discardYes')}
            onYes={() => attempt(discardDraft(draft.owner, draft.id))}
          />
        ) : null}
      </Group>
      <FormError error={error} />
    </div>
  );
}

/** On a phone with a lock: the next person enters their own PIN. */
function ChangePerson() {
  const { t } = useTranslation();
  if (useDeviceLockState().is !== 'open') return null;
  return (
    <Button
      variant="default"
      fullWidth
      leftSection={<Icon name="people" />}
      onClick={() => void switchPerson()}
    >
      {t('lock.change')}
    </Button>
  );
}

function InstallOffer() {
  const { t } = useTranslation();
  const offer = useSyncExternalStore(installOffer.watch, installOffer.get);
  if (!offer) return null;
  return (
    <Card>
      <Text>{t('install.text')}</Text>
      <Button
        variant="default"
        mt="sm"
        onClick={() => void offer.prompt().then(() => installOffer.set(null))}
      >
        {t('install.go')}
      </Button>
    </Card>
  );
}
