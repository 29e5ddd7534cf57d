/** The study's rounds: open, close, reopen, and rename them. */

import { useStudy } from '../../session/records.ts';
import { dayIn } from '../../texts/day-in.ts';
import { formatDay } from '../../texts/i18n.ts';
import type { ListOf } from '../../wire.ts';
import { sendChange } from '../kit/actions/send.ts';
import { OpenButton } from '../kit/buttons/open-button.tsx';
import { useGet } from '../kit/data/use-list.tsx';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { CloseRound, OpenRound, RenameRound, type RoundRow } from './round-dialogs.tsx';

export default function RoundsPage() {
  const { t, language } = useDashboardText();
  const dayText = (day: string | null) => (day === null ? '' : formatDay(day, language));
  const study = useStudy();
  // A round without an end date ended when it was closed.
  const lastDayOf = ({ endsOn, closedAt }: RoundRow) =>
    endsOn ?? (closedAt === null ? null : dayIn(Date.parse(closedAt), study?.zone));
  const rounds = useGet<ListOf<RoundRow>>('/api/rounds?limit=200').data?.data;
  const isOneOpen = rounds?.some(({ state }) => state === 'OPEN') ?? true;
  const latest = rounds?.[0]?.id;
  const columns: ListColumn<RoundRow>[] = [
    { field: 'name' },
    { field: 'state', cell: ({ state }) => t(`rounds.states.${state}`), text: ({ state }) => state },
    { field: 'startsOn', cell: ({ startsOn }) => dayText(startsOn), text: ({ startsOn }) => startsOn },
    { field: 'endsOn', cell: (round) => dayText(lastDayOf(round)), text: (round) => lastDayOf(round) ?? '' },
    { field: 'targetSampleSize', as: 'number' },
    { field: 'closedAt', as: 'moment' },
  ];
  return (
    <ListPage<RoundRow>
      name="rounds"
      path="/api/rounds"
      subject="Round"
      title={t('rounds.title')}
      lead={t('rounds.lead')}
      filters={[]}
      sort={['-createdAt']}
      columns={columns}
      rowName={({ name }) => name}
      rowActions={(round) => [
        round.state === 'OPEN' && {
          label: t('rounds.close'),
          right: 'update',
          dialog: (close) => <CloseRound round={round} onClose={close} />,
        },
        round.state === 'CLOSED' &&
          round.id === latest && {
            label: t('rounds.reopen'),
            right: 'update',
            text: t('rounds.reopenWhat'),
            send: () => sendChange('POST', `/api/rounds/${round.id}/reopen`),
            message: t('rounds.reopened', round),
          },
        {
          label: t('rounds.rename'),
          right: 'update',
          dialog: (close) => <RenameRound round={round} onClose={close} />,
        },
      ]}
      empty={t('rounds.none')}
      besideTitle={
        isOneOpen ? null : (
          <OpenButton label={t('rounds.open')}>{(close) => <OpenRound onClose={close} />}</OpenButton>
        )
      }
    />
  );
}
