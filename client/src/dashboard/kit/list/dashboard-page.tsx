/** The layout of the dashboard's pages and tables: rows on a wide screen, cards on a phone. */
import './dashboard.css';
import '../buttons/restore-focus.ts';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useContext, useEffect } from 'react';
import { useProblemText } from '../../../session/problem-text.ts';
import { FormError } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { Toast } from '../actions/toast.tsx';
import {
  ActionRunnerContext,
  useActionsOfLeftPages,
  useDetachedActionStatus,
  useNewActionRunner,
} from '../actions/use-actions.ts';
import { PlainButton } from '../buttons/dashboard-button.tsx';
import { inactiveProps } from '../buttons/inactive-button.ts';
import type { ListQueryResult } from '../data/use-list.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';
import { ActionArea } from './action-bar.tsx';
import { usePaging } from './address.ts';
import { useBackPath } from './back-to-list.ts';
import { ListTableRows, type TableProps } from './list-table.tsx';

interface DashboardPageProps {
  title: string;
  /** One line about the purpose of the page. */
  lead?: string;
  /** Target of "back" if the page wasn't opened from a list. */
  back?: string;
  /** Buttons next to the title. */
  besideTitle?: ReactNode;
  children: ReactNode;
}

export function DashboardPage({ title, lead, back, besideTitle, children }: DashboardPageProps) {
  const buttons = besideTitle ? (
    <Group gap="sm" className="dashboard-beside">
      {besideTitle}
    </Group>
  ) : null;
  const acts = useNewActionRunner();
  const list = useBackPath(back ?? '');
  // A page shown inside another, such as a correction, uses the outer page's actions and toasts.
  const outerActs = useContext(ActionRunnerContext);
  return (
    <ActionRunnerContext value={outerActs ?? acts}>
      <Page title={title} wide besideTitle={buttons} back={back && list}>
        <div className="dashboard">
          {lead ? (
            <Text c="dimmed" className="dashboard-lead">
              {lead}
            </Text>
          ) : null}
          <DetachedActions />
          {children}
          {outerActs ? null : <Toast {...acts.toast} />}
        </div>
      </Page>
    </ActionRunnerContext>
  );
}

export function Table<T>(props: TableProps<T>) {
  const { listing, empty } = props;
  const { t } = useDashboardText();
  const problem = useProblemText();
  if (!listing.rows && listing.error) {
    return (
      <Notice tone="bad" live title={problem(listing.error)}>
        <Button mt="sm" variant="default" onClick={listing.again}>
          {t('common.tryAgain')}
        </Button>
      </Notice>
    );
  }
  if (!listing.rows) return <ListSkeleton label={props.label} />;
  return (
    <>
      <StaleDataNotice error={listing.error} />
      {listing.rows.length === 0 ? (
        <div className="card dashboard-empty" tabIndex={-1}>
          {empty}
        </div>
      ) : (
        <ListTableRows {...props} rows={listing.rows} />
      )}
    </>
  );
}

/** Shown above data loaded earlier, with the reason it couldn't be reloaded. */
export function StaleDataNotice({ error }: { error: unknown }) {
  const { t } = useDashboardText();
  const problem = useProblemText();
  if (!error) return null;
  return (
    <Notice tone="warn" title={t('common.old')}>
      {problem(error)}
    </Notice>
  );
}

/** A skeleton while loading, or the error. */
export const PendingContent = ({ error, ...shape }: { error: unknown; label: string; rows?: number }) =>
  error ? <FormError error={error} /> : <ListSkeleton {...shape} />;

interface PendingPageProps {
  title: string;
  back: string;
  error: unknown;
}

/** The page of a record while it loads, or with the error. */
export const PendingPage = ({ title, back, error }: PendingPageProps) => (
  <DashboardPage title={title} back={back}>
    <PendingContent error={error} label={title} rows={10} />
  </DashboardPage>
);

/** Placeholder rows. */
export function ListSkeleton({ label, rows = 6 }: { label: string; rows?: number }) {
  const { t } = useDashboardText();
  return (
    <div className="card" role="status" aria-label={`${label}: ${t('common.loading')}`}>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are all alike
        <Skeleton key={at} height={26} my={12} radius="sm" />
      ))}
    </div>
  );
}

/** "Next" and "previous" below a list; nothing if there is only one page. */
export function Pager({ listing }: { listing: ListQueryResult<unknown> }) {
  const { t, number, counted } = useDashboardText();
  const { next, previous, page, known: isKnown } = usePaging(listing.nextCursor);
  // The last rows of a later page were handled or deleted.
  const isGone = listing.rows?.length === 0 && !listing.stale;
  useEffect(() => {
    if (isGone) previous?.({ replace: true });
  });
  // An empty list has its own message.
  const total = listing.total === 0 ? null : listing.total;
  if (!next && !previous && total === null) return null;
  return (
    <nav className="dashboard-pager" aria-label={t('common.pages')}>
      <Text component="span" c="dimmed" role="status">
        {total === null ? null : t('common.total', counted(total))}
        {isKnown && (next || previous) ? ` ${t('common.page', { page: number(page) })}` : null}
      </Text>
      {next || previous ? (
        <Group gap="sm">
          <PlainButton
            label={isKnown ? t('common.previous') : t('common.first')}
            size="md"
            onClick={() => previous?.()}
            {...inactiveProps(!previous)}
          />
          <PlainButton
            label={t('common.next')}
            size="md"
            onClick={() => next?.()}
            {...inactiveProps(!next || listing.stale)}
          />
        </Group>
      ) : null}
    </nav>
  );
}

/** Progress and failures of actions whose page was left. */
function DetachedActions() {
  return useActionsOfLeftPages().map((acts, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have no id, and each renders only from its props
    <DetachedAction key={at} acts={acts} />
  ));
}

function DetachedAction({ acts: doing }: { acts: Parameters<typeof useDetachedActionStatus>[0] }) {
  const acts = useDetachedActionStatus(doing);
  return (
    <>
      <ActionArea detached={acts} />
      <Toast {...acts.toast} />
    </>
  );
}
