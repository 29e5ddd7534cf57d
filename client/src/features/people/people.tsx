/** Everyone who has an account: found by name, phone, site, status and role, and added here. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ageOf } from '../../desk/age.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { ChoiceFilter, FilterBar, SearchFilter, SiteFilter, useFilters } from '../../desk/filters.tsx';
import { type Column, DeskPage, Pager, Table } from '../../desk/list-page.tsx';
import { Toast, useToast } from '../../desk/toast.tsx';
import { useList } from '../../desk/use-list.tsx';
import { useLocationName } from '../../records.ts';
import { useAbility } from '../../session.tsx';
import { FromLeft } from '../../ui/from-left.tsx';
import type { User } from '../../wire.ts';
import { AddPerson } from './add-person.tsx';
import { ROLES } from './roles.ts';
import { StatusTag } from './status-tag.tsx';

const STATUSES = ['PENDING', 'APPROVED', 'REJECTED'] as const;

export default function People() {
  const { t, app } = useDeskText();
  const ability = useAbility();
  const toast = useToast();
  const [adding, setAdding] = useState(false);
  const filters = useFilters(['search', 'location', 'status', 'role']);
  const { values, set, cursor } = filters;
  const listing = useList<User>('/api/users', { ...values, cursor, limit: '50', total: 'true' });
  const mayAdd = ability.can('create', 'User');
  return (
    <DeskPage
      title={t('people.title')}
      lead={t('people.lead')}
      beside={mayAdd ? <Button onClick={() => setAdding(true)}>{t('people.add')}</Button> : null}
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
        columns={useColumns()}
        id={({ id }) => id}
        link={({ id }) => `/desk/people/${id}`}
        empty={filters.any ? t('people.noneFound') : t('people.none')}
      />
      <Pager listing={listing} />
      {adding ? (
        <AddPerson
          onClose={() => setAdding(false)}
          onAdded={({ firstName, lastName }) =>
            toast.show({ text: t('people.added', { name: `${firstName} ${lastName}` }) })
          }
        />
      ) : null}
      <Toast {...toast} />
    </DeskPage>
  );
}

function useColumns(): Column<User>[] {
  const { t, app, language } = useDeskText();
  const siteName = useLocationName();
  return [
    { head: t('common.name'), cell: ({ firstName, lastName }) => `${firstName} ${lastName}` },
    { head: t('people.role'), cell: ({ role }) => app(`role.${role}`) },
    {
      head: t('common.site'),
      cell: ({ location }) => (location ? siteName(location) : t('common.noSite')),
      roomy: true,
    },
    { head: t('people.phone'), cell: ({ phone }) => <FromLeft>{phone}</FromLeft> },
    { head: t('common.status'), cell: ({ approvalStatus }) => <StatusTag status={approvalStatus} /> },
    { head: t('people.signedUp'), cell: ({ createdAt }) => ageOf(createdAt, language) },
  ];
}
