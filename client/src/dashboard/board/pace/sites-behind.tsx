/** Says which sites are behind their usual pace, above the table. */
import { Anchor } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { useLocationName } from '../../../session/records.ts';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import type { SiteRow } from '../board-wire.ts';

/** A weaker decline may be chance. */
const BEHIND_THRESHOLD = 1.3;
const MAX_SITES_NAMED = 3;

export const isSiteBelowUsual = ({ behind }: SiteRow): boolean => behind >= BEHIND_THRESHOLD;

/** Nothing while there is no week to compare with. */
export function SitesBehindText({ rows }: { rows: SiteRow[] }) {
  const { t, number } = useDashboardText();
  const siteOf = useLocationName();
  const late = rows.filter(isSiteBelowUsual);
  if (late.length === 0)
    return rows.some(({ usual }) => usual > 0) ? (
      <p className="pace-words">{t('progress.behindNone')}</p>
    ) : null;
  const rounded = (value: number) => number(Math.round(value));
  const more = late.length - MAX_SITES_NAMED;
  // Splits the sentence around the names, so that they can be links in every language.
  const [before = '', after = ''] = t('progress.behindAre', { sites: '\n' }).split('\n');
  return (
    <p className="pace-words" data-pace="behind">
      <b>
        {before}
        {late.slice(0, MAX_SITES_NAMED).map(({ location, week, usual }, at) => {
          const [start = '', end = ''] = t('progress.behindBy', {
            site: '\n',
            last7: rounded(week),
            usual: rounded(usual),
          }).split('\n');
          return (
            <Fragment key={location}>
              {at > 0 ? t('common.comma') : null}
              {start}
              <Anchor inherit component={Link} to={`/desk/board?location=${location}`}>
                {siteOf(location)}
              </Anchor>
              {end}
            </Fragment>
          );
        })}
        {more > 0 ? `${t('common.comma')}${t('progress.behindMore', { more: number(more) })}` : null}
        {after}
      </b>
    </p>
  );
}
