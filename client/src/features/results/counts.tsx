/** The counts of the whole population that were made: each from one number known elsewhere. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useFilters } from '../../desk/filters.tsx';
import { type Column, Pager, Table } from '../../desk/list-page.tsx';
import { useList } from '../../desk/use-list.tsx';
import { numberOf } from '../../i18n.ts';
import { Notice } from '../../ui/notice.tsx';
import { CountForm } from './count-form.tsx';
import { dayOf } from './figures.ts';
import { ResultsPage, resultsPath } from './results-page.tsx';
import { useResultsText } from './results-text.ts';
import { COUNTS, type Count } from './results-wire.ts';
import { useOutcomes } from './use-outcomes.ts';

export default function Counts() {
  const { t, language } = useResultsText();
  const navigate = useNavigate();
  const outcomes = useOutcomes();
  const { cursor } = useFilters([]);
  const listing = useList<Count>(COUNTS, { cursor });
  const [making, setMaking] = useState(false);
  const columns: Column<Count>[] = [
    { head: t('count.name'), cell: ({ name }) => name, roomy: true },
    { head: t('outcome'), cell: ({ outcome }) => outcomes.titleOf(outcome), roomy: true },
    { head: t('level'), cell: ({ outcome, value }) => outcomes.levelOf(outcome, value) },
    { head: t('count.known'), cell: ({ known }) => numberOf(known, language), numeric: true },
    { head: t('count.asOf'), cell: ({ asOf }) => dayOf(asOf, language) },
  ];
  return (
    <ResultsPage page="counts" beside={<Button onClick={() => setMaking(true)}>{t('counts.make')}</Button>}>
      <Notice tone="info" title={t('counts.how')}>
        {t('counts.howWhat')}
      </Notice>
      <Table
        label={t('counts.title')}
        listing={listing}
        columns={columns}
        id={({ id }) => id}
        link={({ id }) => `${resultsPath('counts')}/${id}`}
        empty={t('counts.none')}
      />
      <Pager listing={listing} />
      {making ? (
        <CountForm
          outcomes={outcomes}
          onClose={() => setMaking(false)}
          onSaved={(id) => void navigate(`${resultsPath('counts')}/${id}`)}
        />
      ) : null}
    </ResultsPage>
  );
}
