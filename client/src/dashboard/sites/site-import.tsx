/** Imports sites from a file or pasted text: first a preview per line, then all or none. */
import { Box, Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { decodeText, NotUtf8 } from '../../../../src/platform/lib/text/decode-text.ts';
import { SITE_CSV_COLUMNS } from '../../../../src/study/locations/csv-row.ts';
import { request } from '../../session/api.ts';
import { faultText } from '../../session/fault-text.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice, Tag, type Tone } from '../../ui/notice.tsx';
import type { FieldError, ListOf, Location } from '../../wire.ts';
import { useFieldDescriber } from '../history/field-change.tsx';
import { DashboardModal } from '../kit/actions/dashboard-modal.tsx';
import { refreshAfterChange } from '../kit/actions/send.ts';
import { useToast } from '../kit/actions/use-actions.ts';
import type { LocationImportReply } from '../kit/data/dashboard-wire.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { ReportTable } from '../kit/words/report-table.tsx';
import { SiteImportChanges, siteChangesOfRow } from './site-changes.tsx';
import { type FileFault, type ParsedSitesFile, readSites } from './site-file.ts';

const TONES: Record<LocationImportReply['results'][number]['outcome'], Tone> = {
  created: 'good',
  updated: 'info',
  unchanged: 'info',
  refused: 'bad',
};
const MAX_ROWS = 1000;

interface Trial {
  file: ParsedSitesFile;
  /** The sites before the import. */
  before: Location[];
  reply: LocationImportReply;
}

export function SiteImport({ onClose }: { onClose(): void }) {
  const { t } = useDashboardText();
  const toast = useToast();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<FileFault | { why: 'many' } | null>(null);
  const [trial, setTrial] = useState<Trial | null>(null);
  const edit = (next: string) => {
    setText(next);
    setTrial(null);
    setFault(null);
  };
  const open = async (file: File | null) => {
    if (!file) return;
    try {
      edit(decodeText(new Uint8Array(await file.arrayBuffer())));
    } catch (error) {
      if (!(error instanceof NotUtf8)) throw error;
      edit('');
      setFault({ why: 'encoding', line: error.line });
    }
  };
  const send = (file: ParsedSitesFile, dryRun: boolean) =>
    request<LocationImportReply>('POST', '/api/locations/import', { body: { locations: file.rows, dryRun } });
  const { submit, busy, error } = useSubmit(async () => {
    if (trial) {
      const reply = await send(trial.file, false);
      setTrial({ ...trial, reply });
      if (!reply.stored) return;
      const changedCount = reply.results.filter(
        ({ outcome }) => outcome === 'created' || outcome === 'updated',
      ).length;
      refreshAfterChange('/api/locations');
      toast(t('sites.imported', { count: changedCount }));
      onClose();
      return;
    }
    const file = readSites(text);
    if ('why' in file) setFault(file);
    else if (file.rows.length > MAX_ROWS) setFault({ why: 'many' });
    else {
      const before = (await request<ListOf<Location>>('GET', '/api/locations')).data;
      setTrial({ file, before, reply: await send(file, true) });
    }
  });
  const hasRefusals = trial?.reply.results.some(({ outcome }) => outcome === 'refused') ?? false;
  return (
    <DashboardModal size="xl" centered={false} onClose={onClose} title={t('sites.import')}>
      <form onSubmit={submit}>
        <Text c="dimmed">{t('sites.importWhat', { columns: SITE_CSV_COLUMNS.join(', ') })}</Text>
        <Group my="sm">
          <FileButton accept=".csv,text/csv,text/plain" onChange={(file) => void open(file)}>
            {(props) => (
              <Button variant="default" {...props}>
                {t('sites.importFile')}
              </Button>
            )}
          </FileButton>
        </Group>
        <Textarea
          label={t('sites.importText')}
          size="md"
          rows={trial ? 4 : 9}
          placeholder={`name,type,address,latitude,longitude\nHarbor shelter,SHELTER,12 Pier Road,47.6062,-122.3321`}
          value={text}
          onChange={(event) => edit(event.currentTarget.value)}
        />
        {fault ? (
          <div style={{ marginTop: 16 }}>
            <Notice
              tone="bad"
              live
              title={t(`sites.fault.${fault.why}`, {
                ...fault,
                columns: SITE_CSV_COLUMNS.join(', '),
                most: MAX_ROWS,
              })}
            />
          </div>
        ) : null}
        {trial ? <Report {...trial} /> : null}
        <FormError error={error} />
        <Group grow mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={text.trim() === '' || hasRefusals}>
            {trial ? t('sites.importGo') : t('sites.importTry')}
          </Button>
        </Group>
      </form>
    </DashboardModal>
  );
}

function Report({ file, before, reply }: Trial) {
  const { t } = useDashboardText();
  const updated = new Set(
    reply.results.filter(({ outcome }) => outcome === 'updated').map(({ index }) => index),
  );
  const changesOf = (index: number) => (updated.has(index) ? siteChangesOfRow(before, file.rows[index]) : []);
  const erasing = reply.results.filter(({ index }) => changesOf(index).some(({ erases }) => erases)).length;
  const count = (outcome: string) => reply.results.filter((one) => one.outcome === outcome).length;
  const refusedCount = count('refused');
  // Errors come first.
  const sorted = [...reply.results].sort(
    (a, b) => Number(b.outcome === 'refused') - Number(a.outcome === 'refused'),
  );
  return (
    <div style={{ marginTop: 16 }}>
      <Notice
        tone={refusedCount > 0 ? 'bad' : 'good'}
        live
        title={
          refusedCount > 0
            ? t('sites.trialBad', { count: refusedCount })
            : t('sites.trialGood', {
                created: count('created'),
                updated: count('updated'),
                unchanged: count('unchanged'),
              })
        }
      />
      {erasing > 0 ? (
        <Box mt="sm">
          <Notice tone="warn" title={t('sites.erases', { count: erasing })}>
            {t('sites.erasesWhat')}
          </Notice>
        </Box>
      ) : null}
      <ReportTable
        label={t('sites.report')}
        rows={sorted}
        keyOf={({ index }) => index}
        columns={[
          { head: t('common.name'), cell: ({ name }) => name || t('common.none') },
          { head: t('sites.line'), cell: ({ index }) => file.lines[index] },
          {
            head: t('sites.outcome'),
            plain: true,
            cell: ({ index, outcome, errors = [] }) => (
              <>
                <Tag tone={TONES[outcome]}>{t(`sites.outcomes.${outcome}`)}</Tag>{' '}
                <SiteImportChanges changes={changesOf(index)} />
                <RowFaults faults={errors} lines={file.lines} />
              </>
            ),
          },
        ]}
      />
    </div>
  );
}

/** Shows line numbers of the file, since the service's errors count rows. */
function RowFaults({ faults, lines }: { faults: FieldError[]; lines: number[] }) {
  const { t } = useDashboardText();
  const wordsOf = useFieldDescriber();
  const parts: Record<string, string> = {
    'coordinates.latitude': t('sites.latitude'),
    'coordinates.longitude': t('sites.longitude'),
  };
  return faults.map(({ path, code, message, params }) => (
    <div key={path}>
      <bdi>{parts[path] ?? wordsOf('Location', path).field}</bdi>:{' '}
      <bdi>
        {faultText({
          code,
          message,
          params: { ...params, ...(params?.row && { row: lines[Number(params.row) - 1] ?? params.row }) },
        })}
      </bdi>
    </div>
  ));
}
