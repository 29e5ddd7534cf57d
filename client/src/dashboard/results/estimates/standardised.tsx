/** The estimate standardised to sites, beside the plain one, and what each site says. */
import { Card } from '../../../ui/page.tsx';
import { titleIn, useFigures } from '../kit/format-figures.ts';
import { headLevels, useHiddenText, useLevelTitle } from '../kit/levels.ts';
import type { Estimates } from '../kit/results-wire.ts';
import { useResultsText } from '../results-text.ts';

interface StandardisedProps {
  estimates: Estimates;
  standardised: NonNullable<Estimates['standardised']>;
}

export function Standardised({ estimates, standardised }: StandardisedProps) {
  const { t, language } = useResultsText();
  const { short, exact, count } = useFigures(estimates.kind);
  const titleOf = useLevelTitle();
  const hidden = useHiddenText();
  const visibleLevels = headLevels(estimates);
  const { levels, sites, notes } = standardised;
  const siteName = (location: string) =>
    titleIn(sites.find((one) => one.location === location)?.title, language, location);
  const of = <T extends { value: string | null }>(all: T[], value: string | null) =>
    all.find((one) => one.value === value);
  const range = ({ low, high }: { low: number | null; high: number | null }) =>
    low === null || high === null ? '' : ` (${short(low)} – ${short(high)})`;
  return (
    <Card heading={t('standardised.title')}>
      <p className="note">{t('standardised.how')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must be able to enter it */}
      <div className="chart-scroll" tabIndex={0}>
        <table className="chart-table" aria-label={t('standardised.title')}>
          <thead>
            <tr>
              <th scope="col">{t('standardised.site')}</th>
              <th scope="col">{t('standardised.size')}</th>
              <th scope="col">{t('interviews')}</th>
              <th scope="col">{t('standardised.chains')}</th>
              {visibleLevels.map((level) => (
                <th key={level.value ?? ''} scope="col">
                  {titleOf(level)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sites.map((site) => (
              <tr key={site.location}>
                <th scope="row">{siteName(site.location)}</th>
                <td>{count(site.size)}</td>
                <td>{site.hidden ? hidden : count(site.n)}</td>
                <td>{count(site.chains)}</td>
                {visibleLevels.map(({ value }) => {
                  const one = of(site.levels, value);
                  return <td key={value ?? ''}>{one?.hidden ? hidden : exact(one?.rds2)}</td>;
                })}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={4}>
                {t('standardised.title')}
              </th>
              {visibleLevels.map(({ value }) => {
                const one = of(levels, value);
                return (
                  <td key={value ?? ''}>
                    {!one || one.hidden ? hidden : `${exact(one.estimate)}${range(one)}`}
                  </td>
                );
              })}
            </tr>
            <tr>
              <th scope="row" colSpan={4}>
                {t('standardised.plain')}
              </th>
              {visibleLevels.map((level) => (
                <td key={level.value ?? ''}>
                  {`${exact(level.rds2)}${level.interval ? range(level.interval) : ''}`}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
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
