/** The list of population counts, each based on a number known from another source. */
import { useNavigate } from 'react-router';
import { formatDay } from '../../../texts/i18n.ts';
import { Notice } from '../../../ui/notice.tsx';
import { OpenButton } from '../../kit/buttons/open-button.tsx';
import { useRounds } from '../../kit/data/rounds.ts';
import { List } from '../../kit/list/list.tsx';
import { dashboardResultsPath, ResultsPageFrame } from '../kit/results-page.tsx';
import { COUNTS_PATH, type KnownCount } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';
import { useOutcomes } from '../use-outcomes.ts';
import { CountForm } from './count-form.tsx';

export default function PopulationCountsPage() {
  const { t, shared, language } = useResultsPageText();
  const { rounds } = useRounds();
  const nameOf = (id: string) => rounds.find((round) => round.id === id)?.name ?? '';
  const navigate = useNavigate();
  const outcomes = useOutcomes();
  const pathOf = (id: string) => `${dashboardResultsPath('counts')}/${id}`;
  return (
    <ResultsPageFrame
      page="counts"
      beside={
        <OpenButton label={t('counts.make')}>
          {(close) => (
            <CountForm outcomes={outcomes} onClose={close} onSaved={(id) => void navigate(pathOf(id))} />
          )}
        </OpenButton>
      }
    >
      <Notice tone="info" title={t('counts.how')}>
        {t('counts.howWhat')}
      </Notice>
      <List<KnownCount>
        minimal
        noTotal
        name="counts"
        path={COUNTS_PATH}
        subject="Count"
        label={t('counts.title')}
        columns={[
          { head: t('count.name'), cell: ({ name }) => name, roomy: true },
          { head: t('outcome'), cell: ({ outcome }) => outcomes.titleOf(outcome), roomy: true },
          { head: t('level'), cell: ({ outcome, value }) => outcomes.levelOf(outcome, value) },
          { field: 'known', as: 'number', head: t('count.known') },
          { head: t('count.asOf'), cell: ({ asOf }) => formatDay(asOf, language) },
          ...(rounds.length > 1
            ? [{ head: shared('audit.field.round'), cell: ({ round }: KnownCount) => nameOf(round) }]
            : []),
        ]}
        link={({ id }) => pathOf(id)}
        empty={t('counts.none')}
      />
    </ResultsPageFrame>
  );
}
