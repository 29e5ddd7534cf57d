/** The frame of the dashboard's pages, and its tables: rows on a wide screen, cards on a phone. */
import './desk.css';
import { Button, Checkbox, Group, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { numberOf } from '../i18n.ts';
import { useProblemText } from '../problem-text.ts';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useDeskText } from './desk-text.ts';
import { usePaging } from './filters.tsx';
import type { Listing } from './use-list.tsx';

interface DeskPageProps {
  title: string;
  /** One line on what the page is for. */
  lead?: string;
  back?: string;
  /** Buttons beside the title. */
  beside?: ReactNode;
  children: ReactNode;
}

export function DeskPage({ title, lead, back, beside, children }: DeskPageProps) {
  return (
    <Page title={title} wide {...(back ? { back } : {})}>
      <div className="desk">
        {lead || beside ? (
          <div className="desk-lead">
            <Text c="dimmed">{lead}</Text>
            {beside ? (
              <Group gap="sm" className="desk-beside">
                {beside}
              </Group>
            ) : null}
          </div>
        ) : null}
        {children}
      </div>
    </Page>
  );
}

export interface Column<T> {
  head: string;
  cell(row: T): ReactNode;
  /** Numbers stand on the right. */
  numeric?: boolean;
  /** Names of several words, which should not stand in a column a word wide. */
  roomy?: boolean;
  /** On a phone's card the cell stands without its heading. */
  plain?: boolean;
}

interface TableProps<T> {
  label: string;
  listing: Listing<T>;
  /** The first is the row's heading. */
  columns: Column<T>[];
  id(row: T): string;
  /** Where the row's heading leads. */
  link?(row: T): string;
  /** Buttons at the end of the row; null where nothing can be done. */
  actions?(row: T): ReactNode;
  picked?: Picked<T>;
  /** What an empty list says. */
  empty: ReactNode;
}

interface Picked<T> {
  ids: ReadonlySet<string>;
  /** Rows that no act is open for have no box. */
  can(row: T): boolean;
  name(row: T): string;
  onChange(ids: Set<string>): void;
}

export function Table<T>(props: TableProps<T>) {
  const { listing, empty } = props;
  const { t } = useDeskText();
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
      {listing.error ? (
        <Notice tone="warn" title={t('common.old')}>
          {problem(listing.error)}
        </Notice>
      ) : null}
      {listing.rows.length === 0 ? (
        <div className="card desk-empty">{empty}</div>
      ) : (
        <Rows {...props} rows={listing.rows} />
      )}
    </>
  );
}

/** In the shape of what is coming. */
export function ListSkeleton({ label, rows = 6 }: { label: string; rows?: number }) {
  const { t } = useDeskText();
  return (
    <div className="card" role="status" aria-label={`${label}: ${t('common.loading')}`}>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={at} height={26} my={12} radius="sm" />
      ))}
    </div>
  );
}

function Rows<T>({
  label,
  listing,
  columns,
  id,
  link,
  actions,
  picked,
  rows,
}: TableProps<T> & { rows: T[] }) {
  const { t } = useDeskText();
  const [first, ...others] = columns;
  const acts = rows.map((row) => actions?.(row) ?? null);
  const acting = acts.some((act) => act !== null);
  const open = picked ? rows.filter(picked.can) : [];
  const all = open.length > 0 && open.every((row) => picked?.ids.has(id(row)));
  const toggle = (row: T) => {
    const ids = new Set(picked?.ids);
    if (!ids.delete(id(row))) ids.add(id(row));
    picked?.onChange(ids);
  };
  return (
    <div className="desk-scroll">
      <table className="desk-table" aria-label={label} data-stale={listing.stale || undefined}>
        <thead>
          <tr>
            {picked ? (
              <th className="desk-pick">
                <Checkbox
                  size="md"
                  label={<span className="desk-pick-all">{t('common.pickAll')}</span>}
                  checked={all}
                  disabled={open.length === 0}
                  indeterminate={!all && picked.ids.size > 0}
                  onChange={() => picked.onChange(new Set(all ? [] : open.map(id)))}
                />
              </th>
            ) : null}
            {columns.map(({ head, numeric }) => (
              <th key={head} scope="col" data-numeric={numeric || undefined}>
                {head}
              </th>
            ))}
            {acting ? <th scope="col">{t('common.actions')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={id(row)} data-picked={picked?.ids.has(id(row)) || undefined}>
              {picked ? (
                <td className="desk-pick">
                  {picked.can(row) ? (
                    <Checkbox
                      size="md"
                      aria-label={t('common.pick', { name: picked.name(row) })}
                      checked={picked.ids.has(id(row))}
                      onChange={() => toggle(row)}
                    />
                  ) : null}
                </td>
              ) : null}
              {first ? (
                <th scope="row">{link ? <Link to={link(row)}>{first.cell(row)}</Link> : first.cell(row)}</th>
              ) : null}
              {others.map(({ head, cell, numeric, plain, roomy }) => (
                <td
                  key={head}
                  data-head={plain ? undefined : head}
                  data-numeric={numeric || undefined}
                  data-roomy={roomy || undefined}
                >
                  {cell(row)}
                </td>
              ))}
              {acting ? (
                <td className="desk-actions">
                  <Group gap="xs" wrap="wrap">
                    {acts[at]}
                  </Group>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** "Next" and "previous" below a list; nothing where the list is one page. */
export function Pager({ listing }: { listing: Listing<unknown> }) {
  const { t, language } = useDeskText();
  const { next, previous, page, known } = usePaging(listing.nextCursor);
  // An empty list says so itself.
  const total = listing.total === 0 ? null : listing.total;
  if (!next && !previous && total === null) return null;
  return (
    <nav className="desk-pager" aria-label={t('common.pages')}>
      <Text component="span" c="dimmed" role="status">
        {total === null ? null : t('common.total', { count: total, shown: numberOf(total, language) })}
        {known && (next || previous) ? ` ${t('common.page', { page: numberOf(page, language) })}` : null}
      </Text>
      {next || previous ? (
        <Group gap="sm">
          <Button variant="default" size="md" h={48} disabled={!previous} onClick={() => previous?.()}>
            {known ? t('common.previous') : t('common.first')}
          </Button>
          <Button
            variant="default"
            size="md"
            h={48}
            disabled={!next || listing.stale}
            onClick={() => next?.()}
          >
            {t('common.next')}
          </Button>
        </Group>
      ) : null}
    </nav>
  );
}
