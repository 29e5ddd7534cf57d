/** The estimate standardized by site next to the plain one, and each site's own figures. */
import { Card } from '../../../ui/page.tsx';
import { FigureTable } from '../../kit/words/figure-table.tsx';
import { titleIn, useFigureFormatters } from '../kit/format-figures.ts';
import { headlineLevels, useLevelTitle, useSuppressedFigureText } from '../kit/levels.ts';
import type { Estimates } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';

interface StandardizedProps {
  estimates: Estimates;
  standardized: NonNullable<Estimates['standardised']>;
}

/** Row for all sites: empty in the columns that only apply to a single site. */
const allSitesRow = (title: string) => [title, '', '', ''];

export function Standardized({ estimates, standardized }: StandardizedProps) {
  const { t, language } = useResultsPageText();
  const { short, exact, count } = useFigureFormatters(estimates.kind);
  const titleOf = useLevelTitle();
  const hidden = useSuppressedFigureText();
  const visibleLevels = headlineLevels(estimates);
  const { levels, sites, notes } = standardized;
  const siteName = (location: string) =>
    titleIn(sites.find((one) => one.location === location)?.title, language, location);
  const of = <T extends { value: string | null }>(all: T[], value: string | null) =>
    all.find((one) => one.value === value);
  const range = ({ low, high }: { low: number | null; high: number | null }) =>
    low === null || high === null ? '' : ` (${short(low)} – ${short(high)})`;
  return (
    <Card heading={t('standardised.title')}>
      <p className="note">{t('standardised.how')}</p>
      <FigureTable
        label={t('standardised.title')}
        head={[
          t('standardised.site'),
          t('standardised.size'),
          t('interviews'),
          t('standardised.chains'),
          ...visibleLevels.map(titleOf),
        ]}
        rows={[
          ...sites.map((site) => ({
            key: site.location,
            cells: [
              siteName(site.location),
              count(site.size),
              site.hidden ? hidden : count(site.n),
              count(site.chains),
              ...visibleLevels.map(({ value }) => {
                const one = of(site.levels, value);
                return one?.hidden ? hidden : exact(one?.rds2);
              }),
            ],
          })),
          {
            key: 'standardised',
            cells: [
              ...allSitesRow(t('standardised.title')),
              ...visibleLevels.map(({ value }) => {
                const one = of(levels, value);
                return !one || one.hidden ? hidden : `${exact(one.estimate)}${range(one)}`;
              }),
            ],
          },
          {
            key: 'plain',
            cells: [
              ...allSitesRow(t('standardised.plain')),
              ...visibleLevels.map(
                (level) => `${exact(level.rds2)}${level.interval ? range(level.interval) : ''}`,
              ),
            ],
          },
        ]}
      />
      {notes.length > 0 ? (
        <ul className="note">
          {notes.map(({ location, code }) => (
            <li key={`${location} ${code}`}>
              {t(`standardised.notes.${code}`, { site: siteName(location) })}
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  );
}
