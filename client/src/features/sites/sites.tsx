/** The sites of the study: where they are, adding, changing, retiring, and bringing in a whole list. */

import { Button } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { DialogButton } from '../../desk/dialog.tsx';
import { ChoiceFilter, FilterBar, SearchFilter, useFilters } from '../../desk/filters.tsx';
import { type Column, DeskPage, Pager, Table } from '../../desk/list-page.tsx';
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
  const listing = useSites(filters.values.search, filters.values.type, filters.cursor);
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
          h={44}
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
        mayAdd ? (
          <>
            <Button variant="default" onClick={() => setAsking('import')}>
              {t('sites.import')}
            </Button>
            <Button onClick={() => setAsking('add')}>{t('sites.add')}</Button>
          </>
        ) : null
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
        columns={useColumns()}
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

/** The service lists all sites at once and has no search; the pages of it are cut here, with the offset as cursor. */
function useSites(search: string, type: string, cursor: string | undefined): Listing<Location> {
  const asked = useGet<ListOf<Location>>('/api/locations');
  const wanted = search.toLocaleLowerCase();
  const found = asked.data?.data.filter(
    (site) =>
      (!type || site.type === type) &&
      `${site.name}\n${site.address ?? ''}`.toLocaleLowerCase().includes(wanted),
  );
  const from = Number(cursor) || 0;
  const more = found !== undefined && found.length > from + AT_ONCE;
  return {
    rows: found?.slice(from, from + AT_ONCE),
    nextCursor: more ? String(from + AT_ONCE) : null,
    total: found?.length ?? null,
    stale: false,
    error: asked.error,
    again: () => void asked.refetch(),
  };
}

function useColumns(): Column<Location>[] {
  const { t } = useDeskText();
  return [
    { head: t('common.name'), cell: ({ name }) => name },
    { head: t('common.type'), cell: ({ type }) => t(`sites.types.${type}`) },
    { head: t('common.address'), cell: ({ address }) => address },
    {
      head: t('sites.coordinates'),
      cell: ({ coordinates }) =>
        coordinates ? <FromLeft>{`${coordinates.latitude}, ${coordinates.longitude}`}</FromLeft> : null,
    },
  ];
}
