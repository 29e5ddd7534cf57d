/** The rows of a list: a table with sortable headings and checkboxes; on a phone, one card per row. */
import { Checkbox, Group } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Link } from 'react-router';
import { SelectField } from '../../../ui/choice.tsx';
import { letterShortcutOf } from '../buttons/letter-keys.ts';
import type { ListQueryResult } from '../data/use-list.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';
import { useReturnToListState } from './back-to-list.ts';
import type { ResolvedColumn } from './columns.tsx';
import type { Sorting } from './sorting.ts';

export interface TableProps<T> {
  label: string;
  listing: ListQueryResult<T>;
  /** The first column is the row's heading. */
  columns: readonly ResolvedColumn<T>[];
  id(row: T): string;
  /** Where the row's heading links to. */
  link?(row: T): string;
  /** Buttons at the end of the row, or null. */
  actions?(row: T): ReactNode;
  selection?: TableSelection<T>;
  /** For the columns that have a `sort`. */
  sorting?: Sorting;
  /** Shown if the list is empty. */
  empty: ReactNode;
}

export interface TableSelection<T> {
  ids: ReadonlySet<string>;
  /** Rows that no action applies to have no checkbox. */
  can(row: T): boolean;
  name(row: T): string;
  onChange(ids: Set<string>): void;
}

export function ListTableRows<T>(props: TableProps<T> & { rows: T[] }) {
  const { label, listing, columns, id, link, actions, selection, sorting, rows } = props;
  const [first, ...others] = columns;
  const acts = rows.map((row) => actions?.(row) ?? null);
  const acting = acts.some((act) => act !== null);
  const toggle = useToggle(props);
  const boxOf = useRowCheckbox(selection, toggle);
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list);
  const fromList = useReturnToListState();
  return (
    <div className="dashboard-scroll" tabIndex={-1} ref={list}>
      {sorting ? <OrderOnPhones columns={columns} sorting={sorting} /> : null}
      <table className="dashboard-table" aria-label={label} data-stale={listing.stale || undefined}>
        <Headings {...props} acting={acting} />
        <tbody>
          {rows.map((row, at) => (
            <tr key={id(row)} data-picked={selection?.ids.has(id(row)) || undefined}>
              {selection ? (
                <td className="dashboard-pick">{selection.can(row) ? boxOf(row, id(row)) : null}</td>
              ) : null}
              {first ? (
                <th scope="row" data-one-line={first.oneLine || undefined}>
                  {link ? (
                    <Link to={link(row)} state={fromList}>
                      {first.cell(row)}
                    </Link>
                  ) : (
                    first.cell(row)
                  )}
                </th>
              ) : null}
              {others.map(({ head, cell, numeric, plain, roomy, oneLine }) => (
                <td
                  key={head}
                  data-head={plain ? undefined : head}
                  data-numeric={numeric || undefined}
                  data-roomy={roomy || undefined}
                  data-one-line={oneLine || undefined}
                >
                  {cell(row)}
                </td>
              ))}
              {acting ? (
                <td className="dashboard-actions">
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

/** With Shift, sets all rows between the last one and this one to the same state. */
function useToggle<T>({ rows, id, selection }: TableProps<T> & { rows: T[] }) {
  const last = useRef<string | null>(null);
  return (row: T, withShift: boolean) => {
    if (!selection) return;
    const ids = new Set(selection.ids);
    const isPicked = !ids.has(id(row));
    const at = rows.indexOf(row);
    const from = withShift ? rows.findIndex((one) => id(one) === last.current) : -1;
    const [start, end] = from < 0 ? [at, at] : [Math.min(from, at), Math.max(from, at)];
    for (const one of rows.slice(start, end + 1)) {
      if (!selection.can(one)) continue;
      if (isPicked) ids.add(id(one));
      else ids.delete(id(one));
    }
    last.current = id(row);
    selection.onChange(ids);
  };
}

function useRowCheckbox<T>(
  selection: TableSelection<T> | undefined,
  toggle: (row: T, withShift: boolean) => void,
) {
  const { t } = useDashboardText();
  return (row: T, id: string) => (
    <Checkbox
      size="md"
      aria-label={t('common.pick', { name: selection?.name(row) ?? '' })}
      checked={selection?.ids.has(id) ?? false}
      onChange={(event) => toggle(row, (event.nativeEvent as MouseEvent).shiftKey)}
    />
  );
}

function Headings<T>({
  listing,
  columns,
  selection,
  sorting,
  rows,
  id,
  acting,
}: TableProps<T> & { rows: T[]; acting: boolean }) {
  const { t } = useDashboardText();
  const open = selection ? rows.filter(selection.can) : [];
  const ofPage = open.filter((row) => selection?.ids.has(id(row)));
  const all = open.length > 0 && ofPage.length === open.length;
  // Rows selected on other pages stay selected.
  const pickAll = t((listing.total ?? 0) > rows.length ? 'bulk.pickPage' : 'common.pickAll');
  const turnAll = () => {
    const ids = new Set(selection?.ids);
    for (const row of open) {
      if (all) ids.delete(id(row));
      else ids.add(id(row));
    }
    selection?.onChange(ids);
  };
  return (
    <thead>
      <tr>
        {selection ? (
          <th className="dashboard-pick">
            <Checkbox
              size="md"
              aria-label={pickAll}
              label={<span className="dashboard-pick-all">{pickAll}</span>}
              checked={all}
              disabled={open.length === 0}
              indeterminate={!all && ofPage.length > 0}
              onChange={turnAll}
            />
          </th>
        ) : null}
        {columns.map(({ head, numeric, sort }) => (
          <th
            key={head}
            scope="col"
            data-numeric={numeric || undefined}
            aria-sort={sort && sorting ? sorting.of(sort) : undefined}
          >
            {sort && sorting ? (
              <button type="button" className="dashboard-sort" onClick={() => sorting.turn(sort)}>
                {head}
                <span aria-hidden="true" />
              </button>
            ) : (
              head
            )}
          </th>
        ))}
        {acting ? <th scope="col">{t('common.actions')}</th> : null}
      </tr>
    </thead>
  );
}

/** Cards have no headings to click. */
function OrderOnPhones<T>({ columns, sorting }: { columns: readonly ResolvedColumn<T>[]; sorting: Sorting }) {
  const { t } = useDashboardText();
  const data = columns.flatMap(({ head, sort }) =>
    sort
      ? [
          { value: `-${sort}`, label: t('lists.descending', { head }) },
          { value: sort, label: t('lists.ascending', { head }) },
        ]
      : [],
  );
  return data.length === 0 ? null : (
    <SelectField
      className="dashboard-order"
      mb="sm"
      label={t('lists.order')}
      value={sorting.now}
      options={data}
      onChange={sorting.set}
    />
  );
}

const STEPS: Record<string, number> = { j: 1, k: -1 };
const FOCUS_TARGETS = ['th a', 'summary', 'td a', '.dashboard-pick input', 'button'];

/** J and K move from row to row, X selects the row. Enter opens the focused link as usual. */
function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useWindowEvent('keydown', (event) => {
    const key = letterShortcutOf(event);
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const step = STEPS[key ?? ''];
    if (step) nextFocusTarget(rows, at < 0 ? 0 : at + step, step)?.focus();
    else if (key === 'x') choose(rows[at], event.shiftKey);
  });
}

/** Moves on to the nearest row with something to focus. */
function nextFocusTarget(rows: HTMLElement[], from: number, step: number): HTMLElement | undefined {
  for (let at = from; at in rows; at += step) {
    const way = focusTargetIn(rows[at]);
    if (way) return way;
  }
  return undefined;
}

/** The link in its heading, or its first other focusable element. */
function focusTargetIn(row: HTMLElement | undefined): HTMLElement | undefined {
  return FOCUS_TARGETS.flatMap((way) => row?.querySelector<HTMLElement>(way) ?? [])[0];
}

/** Focuses the checkbox, so that Enter then jumps to the action buttons. */
function choose(row: HTMLElement | undefined, shiftKey: boolean): void {
  const box = row?.querySelector<HTMLElement>('.dashboard-pick input');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
  box?.focus();
}
