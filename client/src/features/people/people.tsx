/** Everyone who has an account: found by name, phone, site, status and role, and added here. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ActArea } from '../../desk/act-area.tsx';
import { ageOf } from '../../desk/age.ts';
import { useChosenColumns } from '../../desk/chosen-columns.tsx';
import { useChosenRows } from '../../desk/chosen-rows.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { DownloadList } from '../../desk/download-list.tsx';
import { ChoiceFilter, FilterBar, SearchFilter, SiteFilter, useFilters } from '../../desk/filters.tsx';
import { KeptViews } from '../../desk/kept-views.tsx';
import { type Column, DeskPage, Pager, Table } from '../../desk/list-page.tsx';
import { plainMomentOf } from '../../desk/moment.ts';
import { RarerActs } from '../../desk/rarer-acts.tsx';
import { useSorting } from '../../desk/sorting.ts';
import { useActs } from '../../desk/use-acts.ts';
import { useList } from '../../desk/use-list.tsx';
import { useLocationName } from '../../records.ts';
import { asRecord } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import type { User } from '../../wire.ts';
import { AddPerson } from './add-person.tsx';
import { movesOf } from './approve.ts';
import { fullName } from './ask-about.tsx';
import { DoneToday } from './decisions.tsx';
import { MoveSite } from './move-site.tsx';
import { Moves } from './moves.tsx';
import { Phone } from './phone.tsx';
import { ROLES } from './roles.ts';
import { StatusTag } from './status-tag.tsx';

const STATUSES = ['PENDING', 'APPROVED', 'REJECTED'] as const;

export default function People() {
  const { t, app } = useDeskText();
  const ability = useAbility();
  const acts = useActs();
  const [adding, setAdding] = useState(false);
  const filters = useFilters(['search', 'location', 'status', 'role']);
  const { values, set, cursor } = filters;
  const sorting = useSorting(['-createdAt', 'firstName']);
  const query = { ...values, sort: sorting.now };
  const listing = useList<User>('/api/users', { ...query, cursor, limit: '50', total: 'true' });
  const { columns, choice } = useChosenColumns('people', useColumns());
  const maySend = (user: User) => ability.can('update', asRecord('User', user), 'location');
  const chosen = useChosenRows({
    path: '/api/users',
    filters: values,
    sort: sorting.now,
    cursor,
    listing,
    id: ({ id }) => id,
    can: (user) => maySend(user) || movesOf(ability, user).length > 0,
    name: fullName,
  });
  const mayAdd = ability.can('create', 'User');
  return (
    <DeskPage
      title={t('people.title')}
      lead={t('people.lead')}
      beside={
        <>
          <KeptViews list="people" />
          {choice}
          <RarerActs>
            <DownloadList name="people" columns={columns} from={{ path: '/api/users', query }} />
          </RarerActs>
          {mayAdd ? <Button onClick={() => setAdding(true)}>{t('people.add')}</Button> : null}
        </>
      }
    >
      <FilterBar filters={filters}>
        <SearchFilter
          label={t('people.search')}
          value={values.search}
          onChange={(value) => set('search', value)}
        />
        <SiteFilter value={values.location} onChange={(value) => set('location', value)} />
        <ChoiceFilter
          label={t('common.status')}
          value={values.status}
          onChange={(value) => set('status', value)}
          options={STATUSES.map((value) => ({ value, label: t(`people.status.${value}`) }))}
        />
        <ChoiceFilter
          label={t('people.role')}
          value={values.role}
          onChange={(value) => set('role', value)}
          options={ROLES.map((value) => ({ value, label: app(`role.${value}`) }))}
        />
      </FilterBar>
      <Table
        label={t('people.title')}
        listing={listing}
        columns={columns}
        sorting={sorting}
        id={({ id }) => id}
        link={({ id }) => `/desk/people/${id}`}
        picked={chosen.picked}
        empty={filters.any ? t('people.noneFound') : t('people.none')}
      />
      <ActArea acts={acts} chosen={chosen}>
        {chosen.rows.some(maySend) ? (
          <MoveSite people={chosen.rows} acts={acts} onStart={chosen.none} />
        ) : null}
        <Moves people={chosen.rows} acts={acts} onStart={chosen.none} />
      </ActArea>
      <Pager listing={listing} />
      <DoneToday acts={acts} />
      {adding ? (
        <AddPerson
          onClose={() => setAdding(false)}
          onAdded={({ firstName, lastName }) =>
            acts.toast.show({ text: t('people.added', { name: `${firstName} ${lastName}` }) })
          }
        />
      ) : null}
    </DeskPage>
  );
}

function useColumns(): Column<User>[] {
  const { t, app, language } = useDeskText();
  const siteName = useLocationName();
  const siteOf = ({ location }: User) => (location ? siteName(location) : t('common.noSite'));
  return [
    {
      head: t('common.name'),
      cell: ({ firstName, lastName }) => `${firstName} ${lastName}`,
      sort: 'firstName',
    },
    { name: 'role', head: t('people.role'), cell: ({ role }) => app(`role.${role}`) },
    { name: 'site', head: t('common.site'), cell: siteOf, roomy: true },
    {
      name: 'phone',
      head: t('people.phone'),
      cell: ({ phone }) => <Phone phone={phone} />,
      text: ({ phone }) => phone,
    },
    { name: 'email', extra: true, head: t('people.email'), cell: ({ email }) => email },
    {
      name: 'status',
      head: t('common.status'),
      cell: ({ approvalStatus }) => <StatusTag status={approvalStatus} />,
      text: ({ approvalStatus }) => t(`people.status.${approvalStatus}`),
    },
    {
      name: 'since',
      head: t('people.signedUp'),
      cell: ({ createdAt }) => ageOf(createdAt, language),
      text: ({ createdAt }) => plainMomentOf(createdAt),
      sort: 'createdAt',
    },
  ];
}
