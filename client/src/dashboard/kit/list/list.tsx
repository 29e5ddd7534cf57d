/**
 * A dashboard list, declared: what it requests, its filters and columns, and the actions for its rows. This provides
 * what all lists have in common: filters, sorting, and page in the URL, the column picker, saved views, the CSV file,
 * selection across pages, messages, and undo.
 */
import type { ReactNode } from 'react';
import type { Query } from '../../../session/api.ts';
import { asPermissionSubject } from '../../../session/rights.ts';
import { useAbility } from '../../../session/session.tsx';
import { OverflowMenu } from '../buttons/overflow-menu.tsx';
import { type ListQueryResult, useList } from '../data/use-list.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';
import { ActionArea } from './action-bar.tsx';
import type { ListFilters } from './address.ts';
import { ColumnChoice, useChosenColumns } from './column-choice.tsx';
import type { ListColumn } from './columns.tsx';
import { DashboardPage, Pager, Table } from './dashboard-page.tsx';
import { DownloadListButton } from './download-list.tsx';
import { FilterBar, type FilterDeclaration, FilterFields, useListFilters } from './filters.tsx';
import { type BulkAction, BulkActions, type RowAction, RowActions } from './list-actions.tsx';
import { RoundClosedNotice } from './round-select.tsx';
import { type SelectedRows, useSelectedRows } from './row-selection.ts';
import { SavedViews } from './saved-views.tsx';
import { useSorting } from './sorting.ts';

/** False leaves an entry out, for example if the person lacks the permission. */
type Entries<Entry> = readonly (Entry | null | false)[];
const present = <Entry,>(entries: Entries<Entry>) => entries.filter(Boolean) as Entry[];

export interface ListViewDeclaration<T> {
  /** Names the CSV file; chosen columns and saved views are stored under it, or under `storageName`. */
  name: string;
  storageName?: string;
  path: string;
  /** Sent along with the filters; overrides them. */
  query?: Query;
  /** Does not ask for the number of all rows. */
  noTotal?: true;
  limit?: number;
  /** Milliseconds between refreshes. */
  refetchInterval?: number;
  /** Rows that the page loads in another way; `all` is for the file. */
  listing?: ListQueryResult<T> & { all?: T[] };
  /** Adds data loaded separately to the rows on the page; `addDetails` does so for the rows of a file. */
  useRowDetails?(rows: T[] | undefined): { rows: T[] | undefined; error?: unknown };
  addDetails?: ((rows: T[]) => Promise<T[]>) | undefined;
  /** The file has hidden columns too. */
  fileHasAll?: true;

  /** The kind of record, for checking permissions. */
  subject: string;
  filters?: Entries<FilterDeclaration>;
  /** The first is the default order. */
  sort?: readonly [string, ...string[]];
  columns: readonly ListColumn<T>[];
  id?(row: T): string;
  /** Names the row in labels. */
  rowName?(row: T): string;
  /** Where the first column links to. */
  link?(row: T): string;
  rowActions?(row: T): Entries<RowAction>;
  /** Replaces the buttons of `rowActions`. */
  rowEnd?(row: T): ReactNode;
  selection?: Selection<T> | false;
  empty: ReactNode;
  /** Shown instead of `empty` if filters are set. */
  noMatch?: ReactNode;
}

interface Selection<T> {
  /** Rows that no action applies to have no checkbox. */
  can?(row: T): boolean;
  /** Does not offer to select all rows that match. */
  noSelectAll?: true;
  actions(rows: T[], clear: () => void): Entries<BulkAction<T>> | ReactNode;
  /** Selected rows can be downloaded. */
  file?: true;
}

export interface ListState<T> {
  listing: ListQueryResult<T>;
  filters: ListFilters<string>;
  selectedRows: SelectedRows<T>;
}

const areActions = <T,>(actions: Entries<BulkAction<T>> | ReactNode): actions is Entries<BulkAction<T>> =>
  Array.isArray(actions);
const unchanged = <T,>(rows: T[] | undefined) => ({ rows, error: null });
const idOf = (row: unknown) => (row as { id: string }).id;

function useListState<T>(list: ListViewDeclaration<T>) {
  const { path, limit = 50, noTotal, refetchInterval, useRowDetails = unchanged } = list;
  const selection = list.selection || undefined;
  const { id = idOf, rowName = idOf } = list;
  const declared = present<FilterDeclaration>(list.filters ?? []);
  const filters = useListFilters(declared);
  const sorting = useSorting(list.sort ?? ['']);
  const query = { sort: sorting.now, ...filters.values, ...list.query };
  const { cursor } = filters;
  const requested = useList<T>(
    path,
    { ...query, cursor, limit: String(limit), ...(noTotal ? {} : { total: 'true' }) },
    { ...(refetchInterval ? { refetchInterval } : {}), enabled: !list.listing && filters.isReady },
  );
  const plain = list.listing ?? requested;
  const { rows, error } = useRowDetails(plain.rows);
  const listing: ListQueryResult<T> = { ...plain, rows, error: plain.error ?? error };
  const { columns, all, choose } = useChosenColumns(list.storageName ?? list.name, list.columns);
  const selectedRows = useSelectedRows<T>({
    path,
    filters: { ...filters.values, ...list.query },
    sort: query.sort,
    cursor,
    listing,
    id,
    name: rowName,
    can: (row) => selection !== undefined && (selection.can?.(row) ?? true),
    whole: !selection?.noSelectAll,
  });
  return { declared, filters, sorting, query, listing, columns, all, choose, selectedRows, id, rowName };
}

interface PartProps<T> {
  list: ListViewDeclaration<T>;
  state: ReturnType<typeof useListState<T>>;
}

function Download<T>({ list, state }: PartProps<T>) {
  const { name, path, addDetails, listing, fileHasAll } = list;
  const rows = listing?.all;
  const from = rows
    ? { rows }
    : { path, query: state.query, ...(addDetails ? { complete: addDetails } : {}) };
  return <DownloadListButton name={name} columns={fileHasAll ? state.all : state.columns} from={from} />;
}

function Body<T>({ list, state, label }: PartProps<T> & { label: string }) {
  const { subject, rowActions, rowEnd, link, selection, empty, noMatch = empty } = list;
  const { filters, sorting, listing, columns, selectedRows, id, rowName } = state;
  const ability = useAbility();
  const buttonsOf = (row: T) => {
    const allowed = present<RowAction>(rowActions?.(row) ?? []).filter(
      ({ right }) => !right || ability.can(right, asPermissionSubject(subject, row as object)),
    );
    return allowed.length > 0 ? <RowActions actions={allowed} record={rowName(row)} /> : null;
  };
  return (
    <>
      <Table
        label={label}
        listing={listing}
        columns={columns}
        id={id}
        link={link}
        sorting={list.sort ? sorting : undefined}
        selection={selection ? selectedRows.picked : undefined}
        actions={rowEnd ?? buttonsOf}
        empty={filters.any ? noMatch : empty}
      />
      {selection ? <Selected list={list} state={state} selection={selection} /> : null}
      <Pager listing={listing} />
    </>
  );
}

function ListRoundClosedNotice({
  state,
}: {
  state: Pick<ReturnType<typeof useListState>, 'filters' | 'declared'>;
}) {
  const { filters, declared } = state;
  const round = declared.some(({ as }) => as === 'round') ? filters.values.round : '';
  return round ? <RoundClosedNotice round={round} /> : null;
}

function Selected<T>({ list, state, selection }: PartProps<T> & { selection: Selection<T> }) {
  const { t } = useDashboardText();
  const { selectedRows, columns, rowName } = state;
  const { rows, none } = selectedRows;
  const actions = rows.length > 0 ? selection.actions(rows, none) : null;
  return (
    <ActionArea selection={selectedRows}>
      {areActions(actions) ? (
        <BulkActions actions={present<BulkAction<T>>(actions)} rows={rows} name={rowName} onStart={none} />
      ) : (
        actions
      )}
      {selection.file ? (
        <DownloadListButton name={list.name} label={t('lists.download')} columns={columns} from={{ rows }} />
      ) : null}
    </ActionArea>
  );
}

interface ListProps<T> extends ListViewDeclaration<T> {
  label: string;
  /** Without a CSV file. */
  minimal?: true;
}

/** Within a page that shows more than the list. */
export function List<T>({ label, minimal, ...list }: ListProps<T>) {
  const state = useListState(list);
  const download = minimal ? null : <Download list={list} state={state} />;
  return (
    <>
      {state.declared.length > 0 ? (
        <FilterBar filters={state.filters}>
          <FilterFields {...state} />
          {download}
        </FilterBar>
      ) : (
        download && <div className="dashboard-filters">{download}</div>
      )}
      <ListRoundClosedNotice state={state} />
      <Body list={list} state={state} label={label} />
    </>
  );
}

interface ListPageProps<T> extends ListViewDeclaration<T> {
  title: string;
  lead: string;
  /** Filters can be saved under a name. */
  views?: boolean;
  /** Without a CSV file and a choice of columns. */
  minimal?: true;
  /** Buttons beside the title; on a phone the secondary ones are behind "More". */
  besideTitle?: ReactNode;
  secondary?: ReactNode;
  /** Above the filters. */
  above?: ReactNode | ((state: ListState<T>) => ReactNode);
  /** Between the filters and the rows. */
  between?: ReactNode | ((state: ListState<T>) => ReactNode);
  children?: ReactNode;
}

/** A list that is a page of its own. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { title, lead, views, minimal, besideTitle, secondary, above, between, children, ...list } = props;
  const state = useListState(list);
  const render = (part: typeof above) => (typeof part === 'function' ? part(state) : part);
  const buttons = (
    <>
      {views ? <SavedViews list={list.storageName ?? list.name} /> : null}
      <ColumnChoice columns={state.all} choose={state.choose} />
      <OverflowMenu>
        <Download list={list} state={state} />
        {secondary}
      </OverflowMenu>
      {besideTitle}
    </>
  );
  return (
    <DashboardPage title={title} lead={lead} besideTitle={minimal ? besideTitle : buttons}>
      {render(above)}
      {state.declared.length > 0 ? (
        <FilterBar filters={state.filters}>
          <FilterFields {...state} />
        </FilterBar>
      ) : null}
      <ListRoundClosedNotice state={state} />
      {render(between)}
      <Body list={list} state={state} label={title} />
      {children}
    </DashboardPage>
  );
}
