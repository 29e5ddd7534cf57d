/** Gift cards: how many are left, importing a vendor's file, and each card by its last four characters. */
import { Button, FileButton } from '@mantine/core';
import { useRef, useState } from 'react';
import type { z } from 'zod';
import type { CardRecordShown, CardState, CardSummary } from '../../../../src/interviews/cards/schema.ts';
import { RequestRefusal } from '../../session/api.ts';
import { useAbility, useReadsAll } from '../../session/session.tsx';
import { formatDay } from '../../texts/i18n.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice, Tag, type Tone } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { DownloadButton } from '../kit/actions/download-button.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { useToast } from '../kit/actions/use-actions.ts';
import { requestDataFile } from '../kit/data/download.ts';
import { saveFile } from '../kit/data/save-file.ts';
import { useGet } from '../kit/data/use-list.tsx';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { FigureTable } from '../kit/words/figure-table.tsx';
import { usePersonName } from '../people/person-names.ts';
import { usePaymentsText } from './payments-text.ts';

type GiftCard = z.infer<typeof CardRecordShown>;

const STATES = ['FREE', 'GIVEN', 'VOID'] as const satisfies CardState[];
const TONES: Record<CardState, Tone> = { FREE: 'good', GIVEN: 'info', VOID: 'warn' };

export default function CardsPage() {
  const { t, shared, word, money } = usePaymentsText();
  const all = useReadsAll('Card');
  const mayAdd = useAbility().can('create', 'Card');
  const { data } = useGet<z.infer<typeof CardSummary>>('/api/cards/summary', { enabled: all });
  const rows = data?.data ?? [];
  const nameOf = ({ lastFour, amount, currency }: GiftCard) => `…${lastFour}, ${money({ amount, currency })}`;
  return (
    <ListPage<GiftCard>
      name="cards"
      path="/api/cards"
      subject="Card"
      minimal
      title={t('cards.title')}
      lead={t('cards.lead')}
      besideTitle={all ? <DownloadCards /> : null}
      above={
        <>
          {rows.some(({ isLow }) => isLow) ? <Notice tone="warn" title={t('cards.low')} /> : null}
          {mayAdd ? <ImportCards /> : null}
          {rows.length > 0 ? <CardsLeft rows={rows} /> : null}
        </>
      }
      filters={[
        { name: 'lastFour', as: 'search', label: t('cards.lastFour') },
        { name: 'state', options: STATES.map((value) => ({ value, label: word(value) })) },
        rows.length > 1 && {
          name: 'amount',
          label: t('cards.amount'),
          options: [...new Set(rows.map(({ amount }) => amount))].map((value) => ({ value, label: value })),
        },
      ]}
      columns={useColumns()}
      rowName={nameOf}
      rowActions={(card) => [
        card.state === 'FREE' && {
          label: shared('common.void'),
          right: 'update',
          danger: true,
          title: `${shared('common.void')}: ${nameOf(card)}`,
          text: t('cards.voidWhat'),
          reason: t('cards.voidReason'),
          send: (reason) => sendChange('POST', `/api/cards/${card.id}/void`, { reason }),
          message: t('cards.voided'),
        },
      ]}
      empty={t('cards.none')}
      noMatch={t('cards.noneMatch')}
    />
  );
}

function useColumns(): ListColumn<GiftCard>[] {
  const { t, word, money, language, shortMoment } = usePaymentsText();
  const personOf = usePersonName();
  return [
    { head: t('cards.lastFour'), cell: ({ lastFour }) => <bdi dir="ltr">…{lastFour}</bdi>, oneLine: true },
    { field: 'amount', cell: money, numeric: true, oneLine: true },
    { field: 'state', cell: ({ state }) => <Tag tone={TONES[state]}>{word(state)}</Tag> },
    {
      field: 'expiresOn',
      cell: ({ expiresOn }) => (expiresOn ? formatDay(expiresOn, language) : '–'),
      oneLine: true,
    },
    { field: 'givenAt', cell: ({ givenAt }) => (givenAt ? shortMoment(givenAt) : ''), oneLine: true },
    { field: 'givenBy', cell: ({ givenBy }) => (givenBy ? personOf(givenBy) : '') },
    {
      field: 'delivery',
      cell: ({ delivery }) => (delivery === 'SMS' ? t('cards.texted') : delivery ? word(delivery) : ''),
    },
    { field: 'reason', roomy: 'sentence' },
  ];
}

type CardTotals = z.infer<typeof CardSummary>['data'];

const freeCardsCell = ({ isLow, free }: Pick<CardTotals[number], 'isLow' | 'free'>) =>
  isLow ? <Tag tone="warn">{String(free)}</Tag> : free;

function CardsLeft({ rows }: { rows: CardTotals }) {
  const { t, money, language } = usePaymentsText();
  return (
    <Card heading={t('cards.left')}>
      <FigureTable
        label={t('cards.left')}
        head={(['amount', 'free', 'given', 'void', 'expires'] as const).map((name) => t(`cards.${name}`))}
        rows={rows.map(({ amount, currency, given, expiresFirst, ...row }) => ({
          key: `${amount} ${currency}`,
          cells: [
            money({ amount, currency }),
            freeCardsCell(row),
            given,
            row.void,
            expiresFirst ? formatDay(expiresFirst, language) : '–',
          ],
        }))}
      />
    </Card>
  );
}

const FILE = 'cards.csv';

/** To compare with the vendor's list. */
function DownloadCards() {
  const { t } = usePaymentsText();
  const save = async () => {
    saveFile(await requestDataFile(`/api/exports/${FILE}`), FILE);
    return t('close.downloaded', { name: FILE });
  };
  return <DownloadButton save={save} />;
}

function ImportCards() {
  const { t } = usePaymentsText();
  const toast = useToast();
  const [file, setFile] = useState<File | null>(null);
  const forget = useRef<() => void>(null);
  const { submit, busy, error } = useSubmit(async () => {
    if (!file) return;
    const body = new Blob([await file.arrayBuffer()], { type: 'text/csv' });
    // A corrected file must be selected again, because browsers don't read a file that changed after it was selected.
    setFile(null);
    forget.current?.();
    const { imported } = await sendChange<{ imported: number }>('POST', '/api/cards/import', body);
    toast(t('cards.imported', { count: imported }));
  });
  return (
    <Card heading={t('cards.import')}>
      <form onSubmit={submit}>
        <p>{t('cards.importWhat')}</p>
        <p>
          <code dir="ltr">number,pin,link,amount,currency,expiresOn</code>
        </p>
        <div className="dashboard-ways">
          <FileButton resetRef={forget} accept=".csv,text/csv" onChange={setFile}>
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
        <FormError error={error} labels={lineLabels(error, (line) => t('cards.line', { line }))} />
      </form>
    </Card>
  );
}

/** Labels for the lines of a refused file, by error path (`lines.7.amount`). */
function lineLabels(error: unknown, label: (line: string) => string): Record<string, string> {
  const paths = error instanceof RequestRefusal ? error.errors.map(({ path }) => path) : [];
  return Object.fromEntries(
    paths.flatMap((path) => {
      const line = /^lines\.(\d+)/.exec(path)?.[1];
      return line ? [[path, label(line)]] : [];
    }),
  );
}
