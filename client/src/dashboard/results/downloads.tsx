/** The study's files for other programs. */
import { useState } from 'react';
import { requestDownload, withQuery } from '../../session/api.ts';
import { useAbility, useMay } from '../../session/session.tsx';
import { FormError } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { useToast } from '../kit/acts/use-actions.ts';
import { DeskButton } from '../kit/buttons/desk-button.tsx';
import { saveFile } from '../kit/data/save-file.ts';
import { useFilters } from '../kit/list/address.ts';
import { FilterBar } from '../kit/list/filters.tsx';
import { useReadableSurveys } from '../surveys/surveys-reach.ts';
import { ResultsPage } from './kit/results-page.tsx';
import { SAMPLE_FILTERS } from './kit/results-wire.ts';
import { useResultsText } from './results-text.ts';
import { SampleFilters } from './sample-filter.tsx';

/** Names of the service's files; those of the sample show single people and how they hang together. */
const OF_SAMPLE = ['bundle.zip', 'rds.csv', 'rdsat.txt', 'tree.graphml', 'tree.dot'] as const;
const OF_ALL = ['publication.zip'] as const;
const OF_ANSWERS = ['interviews.csv', 'interviews.json', 'codebook.csv', 'incentives.csv'] as const;
type FileName = (typeof OF_SAMPLE)[number] | (typeof OF_ALL)[number] | (typeof OF_ANSWERS)[number];

export default function Downloads() {
  return (
    <ResultsPage page="downloads">
      <Files />
    </ResultsPage>
  );
}

function Files() {
  const { t } = useResultsText();
  const filters = useFilters(SAMPLE_FILTERS);
  // Of the interviews themselves nothing is known here, so only a right that asks nothing of them is one.
  const whole = useMay('read', 'Survey', {});
  const isSuperAdmin = useAbility().can('manage', 'all');
  const { todayOnly } = useReadableSurveys();
  const { fetch, busy, error } = useDownload(filters.values);
  const list = (names: readonly FileName[]) => (
    <ul className="rows results-files">
      {names.map((name) => (
        <li key={name}>
          <div>
            <b dir="ltr">{name}</b>
            <div className="note">{t(`downloads.file.${keyOf(name)}`)}</div>
          </div>
          <DeskButton
            label={t('downloads.get')}
            size="md"
            recordName={name}
            loading={busy === name}
            disabled={busy !== null}
            onClick={() => void fetch(name)}
          />
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <FilterBar filters={filters}>
        <SampleFilters filters={filters} />
      </FilterBar>
      <FormError error={error} />
      <div className="desk-cards" style={{ columns: '2 420px' }}>
        <Card heading={t('downloads.sample')}>
          <p className="note">{t('downloads.sampleWhat')}</p>
          {whole ? (
            list(OF_SAMPLE)
          ) : (
            <Notice tone="info" title={t('downloads.closed')}>
              {t('downloads.closedWhat')}
            </Notice>
          )}
        </Card>
        <Card heading={t('downloads.answers')}>
          {todayOnly ? (
            <Notice tone="info" title={t('downloads.answersToday')} />
          ) : (
            <p className="note">{t('downloads.answersWhat')}</p>
          )}
          {list(OF_ANSWERS)}
        </Card>
      </div>
      {isSuperAdmin ? (
        <Card heading={t('downloads.publication')}>
          <p className="note">{t('downloads.publicationWhat')}</p>
          {list(OF_ALL)}
        </Card>
      ) : null}
      <p className="note">{t('downloads.audited')}</p>
    </>
  );
}

type KeyOf<Name extends string> = Name extends `${infer Before}.${infer After}` ? `${Before}_${After}` : Name;
/** A dot divides the names of texts. */
const keyOf = (name: FileName) => name.replace('.', '_') as KeyOf<FileName>;

/** The change of each answer is calculated while it is made. */
const PUBLICATION_TIMEOUT_MS = 30 * 60_000;

function useDownload(query: Record<(typeof SAMPLE_FILTERS)[number], string>) {
  const { t } = useResultsText();
  const toast = useToast();
  const [busy, setBusy] = useState<FileName | null>(null);
  const [error, setError] = useState<unknown>(null);
  const fetch = async (name: FileName) => {
    setBusy(name);
    setError(null);
    try {
      const file =
        name === 'publication.zip'
          ? requestDownload(
              withQuery('/api/analysis/publication', { round: query.round }),
              PUBLICATION_TIMEOUT_MS,
            )
          : requestDownload(withQuery(`/api/exports/${name}`, query));
      saveFile(await file, name);
      toast(t('downloads.done', { name }));
    } catch (fault) {
      setError(fault);
    }
    setBusy(null);
  };
  return { fetch, busy, error };
}
