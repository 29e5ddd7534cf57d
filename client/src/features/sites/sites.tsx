/** The sites of the study: where they are, adding, changing, retiring, and bringing in a whole list. */

import { Button } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../api.ts';
import { useChosenColumns } from '../../desk/chosen-columns.tsx';
import { useDeskText } from '../../desk/desk-text.ts';
import { DialogButton } from '../../desk/dialog.tsx';
import { DownloadList } from '../../desk/download-list.tsx';
import { ChoiceFilter, FilterBar, SearchFilter, useFilters } from '../../desk/filters.tsx';
import { type Column, DeskPage, Pager, Table } from '../../desk/list-page.tsx';
import { RarerActs } from '../../desk/rarer-acts.tsx';
import { useSorting } from '../../desk/sorting.ts';
import { Toast, useToast } from '../../desk/toast.tsx';
import { type Listing, refreshDesk, useGet } from '../../desk/use-list.tsx';
import { keys } from '../../query-keys.ts';
import { queriesNow } from '../../records.ts';
import { asRecord } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { FromLeft } from '../../ui/from-left.tsx';
import type { ListOf, Location } from '../../wire.ts';
import { SiteDialog } from './site-dialog.tsx';
import { SiteImport } from './site-import.tsx';
import { SITE_TYPES } from './site-types.ts';

const AT_ONCE = 50;

/** What everyone's device keeps of the sites is asked for again too. */
async function sitesChanged(): Promise<void> {
  await Promise.all([refreshDesk(), queriesNow().invalidateQueries({ queryKey: keys.locations })]);
}

export default function Sites() {
  const { t } = useDeskText();
  const ability = useAbility();
  const toast = useToast();
  const [asking, setAsking] = useState<'add' | 'import' | Location | null>(null);
  const filters = useFilters(['search', 'type']);
  const sorting = useSorting(['name', 'type', 'address']);
  const sites = useSites(filters.values.search, filters.values.type, sorting.now);
  const listing = pageOf(sites, filters.cursor);
  const { columns, choice } = useChosenColumns('sites', useColumns());
  const mayAdd = ability.can('create', 'Location');
  const done = async (text: string) => {
    await sitesChanged();
    toast.show({ text });
  };
  const actions = (site: Location) => (
    <>
      {ability.can('update', asRecord('Location', site)) ? (
        <Button
          variant="default"
          size="sm"
          aria-label={`${t('common.change')}: ${site.name}`}
          onClick={() => setAsking(site)}
        >
          {t('common.change')}
        </Button>
      ) : null}
      {ability.can('delete', asRecord('Location', site)) ? (
        <DialogButton
          small
          danger
          label={t('sites.retire')}
          about={site.name}
          title={t('sites.retireTitle', { name: site.name })}
          text={t('sites.retireWhat')}
          yes={t('sites.retire')}
          onYes={async () => {
            await request('DELETE', `/api/locations/${site.id}`);
            await done(t('sites.retired', { name: site.name }));
          }}
        />
      ) : null}
    </>
  );
  return (
    <DeskPage
      title={t('sites.title')}
      lead={t('sites.lead')}
      beside={
        <>
          {choice}
          <RarerActs>
            <DownloadList name="sites" columns={columns} from={{ rows: sites.rows ?? [] }} />
            {mayAdd ? (
              <Button variant="default" onClick={() => setAsking('import')}>
                {t('sites.import')}
              </Button>
            ) : null}
          </RarerActs>
          {mayAdd ? <Button onClick={() => setAsking('add')}>{t('sites.add')}</Button> : null}
        </>
      }
    >
      <FilterBar filters={filters}>
        <SearchFilter
          label={t('sites.search')}
          value={filters.values.search}
          onChange={(value) => filters.set('search', value)}
        />
        <ChoiceFilter
          label={t('common.type')}
          value={filters.values.type}
          onChange={(value) => filters.set('type', value)}
          options={SITE_TYPES.map((value) => ({ value, label: t(`sites.types.${value}`) }))}
        />
      </FilterBar>
      <Table
        label={t('sites.title')}
        listing={listing}
        columns={columns}
        sorting={sorting}
        id={({ id }) => id}
        {...(mayAdd ? { actions } : {})}
        empty={filters.any ? t('sites.noneFound') : t('sites.none')}
      />
      <Pager listing={listing} />
      {asking === 'add' ? <SiteDialog onSaved={done} onClose={() => setAsking(null)} /> : null}
      {asking === 'import' ? <SiteImport onStored={done} onClose={() => setAsking(null)} /> : null}
      {asking !== null && typeof asking === 'object' ? (
        <SiteDialog site={asking} onSaved={done} onClose={() => setAsking(null)} />
      ) : null}
      <Toast {...toast} />
    </DeskPage>
  );
}

/** The service lists all sites at once and has no search: they are found and put in order here. */
function useSites(search: string, type: string, order: string): Listing<Location> {
  const { t, language } = useDeskText();
  const asked = useGet<ListOf<Location>>('/api/locations');
  const wanted = search.toLocaleLowerCase();
  const wordOf = ({ name, type, address }: Location) =>
    order.endsWith('type') ? t(`sites.types.${type}`) : order.endsWith('address') ? (address ?? '') : name;
  const direction = order.startsWith('-') ? -1 : 1;
  const compare = new Intl.Collator(language, { numeric: true }).compare;
  const found = asked.data?.data
    .filter(
      (site) =>
        (!type || site.type === type) &&
        `${site.name}\n${site.address ?? ''}`.toLocaleLowerCase().includes(wanted),
    )
    .toSorted((a, b) => direction * compare(wordOf(a), wordOf(b)) || compare(a.name, b.name));
  return {
    rows: found,
    nextCursor: null,
    total: found?.length ?? null,
    stale: false,
    error: asked.error,
    again: () => void asked.refetch(),
  };
}

/** Pages of it are cut here, with the offset as cursor. */
function pageOf(all: Listing<Location>, cursor: string | undefined): Listing<Location> {
  const from = Number(cursor) || 0;
  const more = (all.total ?? 0) > from + AT_ONCE;
  return {
    ...all,
    rows: all.rows?.slice(from, from + AT_ONCE),
    nextCursor: more ? String(from + AT_ONCE) : null,
  };
}

function useColumns(): Column<Location>[] {
  const { t } = useDeskText();
  return [
    { head: t('common.name'), cell: ({ name }) => name, sort: 'name' },
    { name: 'type', head: t('common.type'), cell: ({ type }) => t(`sites.types.${type}`), sort: 'type' },
    {
      name: 'address',
      head: t('common.address'),
      cell: ({ address }) => <bdi>{address}</bdi>,
      text: ({ address }) => address ?? '',
      sort: 'address',
    },
    {
      name: 'coordinates',
      head: t('sites.coordinates'),
      cell: ({ coordinates }) =>
        coordinates ? <FromLeft>{`${coordinates.latitude}, ${coordinates.longitude}`}</FromLeft> : null,
      text: ({ coordinates }) => (coordinates ? `${coordinates.latitude}, ${coordinates.longitude}` : ''),
    },
  ];
}
