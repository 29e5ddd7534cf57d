/** The layout of the results pages: navigation, and a note if there is nothing to show. */
import './results.css';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { withQuery } from '../../../session/api.ts';
import { useRoundParam } from '../../kit/data/rounds.ts';
import { DashboardPage } from '../../kit/list/dashboard-page.tsx';
import { RoundSelect } from '../../kit/list/round-select.tsx';
import { useResultsPageText } from '../results-text.ts';

const PAGES = ['estimates', 'answers', 'compare', 'change', 'counts', 'report', 'downloads'] as const;
type PageName = (typeof PAGES)[number];

export const dashboardResultsPath = (page: PageName): string =>
  page === 'estimates' ? '/desk/results' : `/desk/results/${page}`;

interface ResultsPageProps {
  page: PageName;
  /** For a page about one of several items. */
  title?: string;
  back?: string;
  beside?: ReactNode;
  children: ReactNode;
}

export function ResultsPageFrame({ page, title, back, beside, children }: ResultsPageProps) {
  const { t } = useResultsPageText();
  const { pathname } = useLocation();
  const round = useRoundParam();
  const isOfOneRound = page !== 'change' && back === undefined;
  return (
    <DashboardPage
      title={title ?? t(`${page}.title`)}
      lead={t(`${page}.lead`)}
      back={back}
      besideTitle={
        <>
          {isOfOneRound ? <RoundSelect /> : null}
          {beside}
        </>
      }
    >
      <nav className="flow no-print" aria-label={t('nav')}>
        {PAGES.map((name) => (
          <Link
            key={name}
            className="pill"
            to={withQuery(dashboardResultsPath(name), { round })}
            aria-current={pathname === dashboardResultsPath(name) ? 'page' : undefined}
            data-here={name === page || undefined}
          >
            {t(`${name}.short`)}
          </Link>
        ))}
      </nav>
      {children}
    </DashboardPage>
  );
}
