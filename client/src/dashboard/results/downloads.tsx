/** The study's files for use in other programs. */
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Cancelled, withQuery } from '../../session/api.ts';
import { useStudy } from '../../session/records.ts';
import { useAbility, useMay } from '../../session/session.tsx';
import { numberInLanguage } from '../../texts/i18n.ts';
import { FormError } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { useToast } from '../kit/actions/use-actions.ts';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { type DownloadProgressOptions, requestDataFile } from '../kit/data/download.ts';
import { saveFile } from '../kit/data/save-file.ts';
import { useFilters } from '../kit/list/address.ts';
import { FilterBar } from '../kit/list/filters.tsx';
import { useReadableSurveys } from '../surveys/readable-surveys.ts';
import { ResultsPageFrame } from './kit/results-page.tsx';
import { SAMPLE_FILTERS } from './kit/results-wire.ts';
import { useResultsPageText } from './results-text.ts';
import { SampleFilters } from './sample-filter.tsx';

/** File names of the service. The files of the sample show individual people and how they are connected. */
const SAMPLE_FILES = ['bundle.zip', 'rds.csv', 'rdsat.txt', 'tree.graphml', 'tree.dot'] as const;
const PUBLICATION_FILES = ['publication.zip'] as const;
const INTERVIEW_FILES = ['interviews.csv', 'interviews.json', 'codebook.csv', 'incentives.csv'] as const;
type FileName =
  | (typeof SAMPLE_FILES)[number]
  | (typeof PUBLICATION_FILES)[number]
  | (typeof INTERVIEW_FILES)[number];

export default function Downloads() {
  return (
    <ResultsPageFrame page="downloads">
      <Files />
    </ResultsPageFrame>
  );
}

function Files() {
  const { t, shared, language } = useResultsPageText();
  const study = useStudy();
  const filters = useFilters(SAMPLE_FILTERS);
  // The interviews' fields aren't known here, so only an unconditional permission counts.
  const whole = useMay('read', 'Survey', {});
  const isSuperAdmin = useAbility().can('manage', 'all');
  const { todayOnly } = useReadableSurveys();
  const { fetch, busy, error, bytes, cancel } = useDownload(filters.values);
  const list = (names: readonly FileName[]) => (
    <ul className="rows results-files">
      {names.map((name) => (
        <li key={name}>
          <div>
            <b dir="ltr">{name}</b>
            <div className="note">{t(`downloads.file.${keyOf(name)}`)}</div>
          </div>
          <PlainButton
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
      <div className="dashboard-cards" style={{ columns: '2 420px' }}>
        <Card heading={t('downloads.sample')}>
          <p className="note">{t('downloads.sampleWhat')}</p>
          {whole ? (
            list(SAMPLE_FILES)
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
          {list(INTERVIEW_FILES)}
        </Card>
      </div>
      {isSuperAdmin ? (
        <Card heading={t('downloads.publication')}>
          <p className="note">{t('downloads.publicationWhat')}</p>
          {study && !study.organization ? (
            <Notice tone="info" title={t('downloads.noOrganization')}>
              <Link to="/desk/study">{t('downloads.setOrganization')}</Link>
            </Notice>
          ) : null}
          {list(PUBLICATION_FILES)}
          {busy === 'publication.zip' ? (
            <div className="flow">
              <p>{t('downloads.creating')}</p>
              <p className="note">
                {t('downloads.received', { size: numberInLanguage(Math.ceil(bytes / 1024), language) })}
              </p>
              <PlainButton label={shared('common.cancel')} size="md" variant="default" onClick={cancel} />
            </div>
          ) : null}
        </Card>
      ) : null}
      <p className="note">{t('downloads.audited')}</p>
    </>
  );
}

type KeyOf<Name extends string> = Name extends `${infer Before}.${infer After}` ? `${Before}_${After}` : Name;
/** i18next uses dots as separators in keys. */
const keyOf = (name: FileName) => name.replace('.', '_') as KeyOf<FileName>;

/** The file is generated while it is sent. */
const PUBLICATION_TIMEOUT_MS = 10 * 60_000;

function useDownload(query: Record<(typeof SAMPLE_FILTERS)[number], string>) {
  const { t } = useResultsPageText();
  const toast = useToast();
  const [busy, setBusy] = useState<FileName | null>(null);
  const [bytes, setBytes] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const ending = useRef<AbortController | null>(null);
  const cancel = () => ending.current?.abort();
  useEffect(() => () => ending.current?.abort(), []);
  const fetch = async (name: FileName) => {
    const controller = new AbortController();
    ending.current = controller;
    setBusy(name);
    setBytes(0);
    setError(null);
    try {
      saveFile(await requestNamed(name, query, { cancel: controller.signal, onProgress: setBytes }), name);
      toast(t('downloads.done', { name }));
    } catch (fault) {
      if (!(fault instanceof Cancelled)) setError(fault);
    }
    setBusy(null);
  };
  return { fetch, busy, error, bytes, cancel };
}

const requestNamed = (
  name: FileName,
  query: Record<(typeof SAMPLE_FILTERS)[number], string>,
  { cancel, onProgress }: DownloadProgressOptions & { cancel: AbortSignal },
): Promise<Blob> =>
  name === 'publication.zip'
    ? requestDataFile(withQuery('/api/analysis/publication', { round: query.round }), {
        ...{ timeoutMs: PUBLICATION_TIMEOUT_MS, cancel },
        ...(onProgress && { onProgress }),
      })
    : requestDataFile(withQuery(`/api/exports/${name}`, query), { cancel });
