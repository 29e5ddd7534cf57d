/** The study's sites: list, add, change, close, and import them. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAbility } from '../../session/session.tsx';
import { LeftToRight } from '../../ui/left-to-right.tsx';
import type { ListOf, Location } from '../../wire.ts';
import { sendChange } from '../kit/actions/send.ts';
import { OpenButton } from '../kit/buttons/open-button.tsx';
import { asListQueryResult, useGet } from '../kit/data/use-list.tsx';
import { useFilters } from '../kit/list/address.ts';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { useSorting } from '../kit/list/sorting.ts';
import { useDashboardText, useValueLabels } from '../kit/words/dashboard-text.ts';
import { SiteDialog } from './site-dialog.tsx';
import { SiteImport } from './site-import.tsx';

const SITES_PER_REQUEST = 50;
const SORT = ['name', 'type', 'address'] as const;

const COLUMNS: ListColumn<Location>[] = [
  { field: 'name', sort: 'name' },
  { field: 'type', words: 'sites.types', name: 'type', sort: 'type' },
  {
    field: 'address',
    name: 'address',
    cell: ({ address }) => <bdi>{address}</bdi>,
    text: ({ address }) => address ?? '',
    sort: 'address',
  },
];

const pointOf = ({ coordinates }: Location) =>
  coordinates ? `${coordinates.latitude}, ${coordinates.longitude}` : '';

export default function Sites() {
  const { t } = useDashboardText();
  const mayAdd = useAbility().can('create', 'Location');
  const [importing, setImporting] = useState(false);
  const isClosed = useFilters(['closed']).values.closed === 'true';
  return (
    <ListPage<Location>
      name="sites"
      path="/api/locations"
      listing={useSites()}
      subject="Location"
      title={t('sites.title')}
      lead={t('sites.lead')}
      filters={[
        {
          name: 'closed',
          as: 'segments',
          label: t('sites.state'),
          values: ['false', 'true'],
          options: [
            { value: 'false', label: t('sites.open') },
            { value: 'true', label: t('sites.closed') },
          ],
        },
        { name: 'search', as: 'search', label: t('sites.search') },
        { name: 'type', words: 'sites.types' },
      ]}
      sort={SORT}
      columns={[
        ...COLUMNS,
        {
          head: t('sites.coordinates'),
          name: 'coordinates',
          cell: (site) => (site.coordinates ? <LeftToRight>{pointOf(site)}</LeftToRight> : null),
          text: pointOf,
        },
      ]}
      rowName={({ name }) => name}
      rowActions={(site) => [
        isClosed && {
          label: t('sites.reopen'),
          right: 'delete',
          title: t('sites.reopenTitle', site),
          text: t('sites.reopenWhat'),
          send: () => sendChange('POST', `/api/locations/${site.id}/reopen`),
          message: t('sites.reopened', site),
        },
        !isClosed && {
          label: t('common.change'),
          right: 'update',
          dialog: (close) => <SiteDialog site={site} onClose={close} />,
        },
        !isClosed && {
          label: t('sites.retire'),
          right: 'delete',
          danger: true,
          title: t('sites.retireTitle', site),
          text: t('sites.retireWhat'),
          send: () => sendChange('DELETE', `/api/locations/${site.id}`),
          message: t('sites.retired', site),
        },
      ]}
      empty={t(isClosed ? 'sites.noneClosed' : 'sites.none')}
      noMatch={t('sites.noneFound')}
      secondary={
        mayAdd ? (
          <Button variant="default" onClick={() => setImporting(true)}>
            {t('sites.import')}
          </Button>
        ) : null
      }
      besideTitle={
        mayAdd ? (
          <OpenButton label={t('sites.add')}>{(close) => <SiteDialog onClose={close} />}</OpenButton>
        ) : null
      }
    >
      {/* Outside the button, which moves when the window gets narrower: its dialog would lose what was typed. */}
      {importing ? <SiteImport onClose={() => setImporting(false)} /> : null}
    </ListPage>
  );
}

/** The service returns all sites at once and has no search, so searching, sorting, and paging happen here. */
function useSites() {
  const { language } = useDashboardText();
  const types = useValueLabels()('sites.types');
  const { values, cursor } = useFilters(['search', 'type', 'closed']);
  const order = useSorting(SORT).now;
  const list = useGet<ListOf<Location>>(`/api/locations${values.closed === 'true' ? '?closed=true' : ''}`, {
    keepPrevious: false,
  });
  const needle = values.search.toLocaleLowerCase();
  const wordOf = ({ name, type, address }: Location) =>
    (order.endsWith('type') ? types[type] : order.endsWith('address') ? address : name) ?? '';
  const direction = order.startsWith('-') ? -1 : 1;
  const compare = new Intl.Collator(language, { numeric: true }).compare;
  const all = list.data?.data
    .filter(
      ({ type, name, address }) =>
        (!values.type || type === values.type) &&
        `${name}\n${address ?? ''}`.toLocaleLowerCase().includes(needle),
    )
    .toSorted((a, b) => direction * compare(wordOf(a), wordOf(b)) || compare(a.name, b.name));
  const from = Number(cursor) || 0;
  const end = from + SITES_PER_REQUEST;
  return {
    ...asListQueryResult(list, all?.slice(from, end)),
    all: all ?? [],
    total: all?.length ?? null,
    nextCursor: all && all.length > end ? String(end) : null,
  };
}
