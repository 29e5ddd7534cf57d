/** Gift cards: how many are left, and storing a vendor's file. */
import { Button, FileButton } from '@mantine/core';
import { useState } from 'react';
import type { z } from 'zod';
import type { CardSummary } from '../../../../src/interviews/cards/schema.ts';
import { requestDownload } from '../../session/api.ts';
import { useAbility, useReadsAll } from '../../session/session.tsx';
import { dayOf } from '../../texts/i18n.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice, Tag } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { DownloadButton } from '../kit/acts/download-button.tsx';
import { send } from '../kit/acts/send.ts';
import { useToast } from '../kit/acts/use-actions.ts';
import { saveFile } from '../kit/data/save-file.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { DeskPage } from '../kit/list/desk-page.tsx';
import { usePaymentsText } from './payments-text.ts';

export default function Cards() {
  const { t, money, language } = usePaymentsText();
  const all = useReadsAll('Card');
  const mayAdd = useAbility().can('create', 'Card');
  const { data } = useGet<z.infer<typeof CardSummary>>('/api/cards/summary', { open: all });
  const rows = data?.data ?? [];
  return (
    <DeskPage title={t('cards.title')} lead={t('cards.lead')} besideTitle={all ? <DownloadCards /> : null}>
      {rows.some(({ isLow }) => isLow) ? <Notice tone="warn" title={t('cards.low')} /> : null}
      {mayAdd ? <ImportCards /> : null}
      <Card heading={t('cards.left')}>
        {rows.length === 0 ? (
          <p>{t('cards.none')}</p>
        ) : (
          <div className="desk-scroll">
            <table className="desk-table">
              <thead>
                <tr>
                  {(['amount', 'free', 'given', 'void', 'expires'] as const).map((name) => (
                    <th key={name} scope="col">
                      {t(`cards.${name}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ amount, currency, ...row }) => (
                  <tr key={`${amount} ${currency}`}>
                    <th scope="row">{money({ amount, currency })}</th>
                    <td>{row.isLow ? <Tag tone="warn">{String(row.free)}</Tag> : row.free}</td>
                    <td>{row.given}</td>
                    <td>{row.void}</td>
                    <td>{row.expiresFirst ? dayOf(row.expiresFirst, language) : '–'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
    </DeskPage>
  );
}

const FILE = 'cards.csv';

/** For comparing with the vendor's list. */
function DownloadCards() {
  const { t } = usePaymentsText();
  const save = async () => {
    saveFile(await requestDownload(`/api/exports/${FILE}`), FILE);
    return t('close.downloaded', { name: FILE });
  };
  return <DownloadButton save={save} />;
}

function ImportCards() {
  const { t } = usePaymentsText();
  const toast = useToast();
  const [file, setFile] = useState<File | null>(null);
  const { submit, busy, error } = useSubmit(async () => {
    if (!file) return;
    const body = new Blob([await file.arrayBuffer()], { type: 'text/csv' });
    const { imported } = await send<{ imported: number }>('POST', '/api/cards/import', body);
    setFile(null);
    toast(t('cards.imported', { count: imported }));
  });
  return (
    <Card heading={t('cards.import')}>
      <form onSubmit={submit}>
        <p>{t('cards.importWhat')}</p>
        <p>
          <code dir="ltr">number,pin,link,amount,currency,expiresOn</code>
        </p>
        <div className="desk-ways">
          <FileButton accept=".csv,text/csv" onChange={setFile}>
            {(props) => (
              <Button {...props} variant="default">
                {file ? <bdi>{file.name}</bdi> : t('cards.choose')}
              </Button>
            )}
          </FileButton>
          <Button type="submit" loading={busy} disabled={!file}>
            {t('cards.store')}
          </Button>
        </div>
        <FormError error={error} />
      </form>
    </Card>
  );
}
