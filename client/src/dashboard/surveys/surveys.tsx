/** The list of interviews this person may see, and a note on which those are. */

import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { formatCode, parseCode } from '../../../../src/coupons/referral-codes/code.ts';
import { QUALITY_CHECKS } from '../../../../src/interviews/surveys/checks.ts';
import { isRecordId } from '../../../../src/platform/lib/record-id.ts';
import { useAbility, useReadsAll } from '../../session/session.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { SurveyListItem } from '../../wire.ts';
import { ExportsLink } from '../kit/buttons/exports-link.tsx';
import { useFilters } from '../kit/list/address.ts';
import { ListPage } from '../kit/list/list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { looksLikeCode } from '../kit/words/looks-like-code.ts';
import { usePersonOptions } from '../people/person-names.ts';
import {
  type RowWithFindings,
  useAddFindingsToRows,
  useMayReadQualityFindings,
  useRowsWithFindings,
} from '../quality/fetch-findings.ts';
import { type SurveyReadScope, useReadableSurveys } from './readable-surveys.ts';
import { RestoreSurveyButton } from './restore-button.tsx';
import { ApproveManySurveys } from './review/approve-many.tsx';
import { DismissFlags, useInterviewLabel } from './review/dismiss-flags.tsx';
import { useReviewFilter } from './review/review-queue.ts';
import { useSurveyColumns } from './survey-columns.tsx';
import { FLAG_CODES, useFlagText } from './survey-flags.ts';

const SHOWN_CHECKS = QUALITY_CHECKS.filter((check) => check !== 'MANY_DECLINED');
const REVIEWS = ['RECEIVED', 'HAS_ISSUES', 'APPROVED', 'REJECTED'] as const;

export default function SurveyListPage() {
  const { t, app } = useDashboardText();
  const queue = useReviewFilter();
  const reach = useReadableSurveys();
  const flagText = useFlagText();
  const people = usePersonOptions();
  const ability = useAbility();
  const mayImport = ability.can('import', 'Survey');
  const knowsPeople = ability.can('list', 'User');
  const { location, search, seed } = useFilters(['location', 'search', 'seed']).values;
  const seesFindings = useMayReadQualityFindings();
  const { todayOnly, sites } = reach;
  const states = (['COMPLETED', 'IN_PROGRESS'] as const).map((value) => ({
    value,
    label: t(`surveys.${value}`),
  }));
  const flags = FLAG_CODES.map((value) => ({ value, label: flagText(value) }));
  const reviews = REVIEWS.map((value) => ({ value, label: app(`review.${value}`) }));
  // If interviews are merely out of sight, an empty list must not read as "no interviews were held".
  const notThere = location !== '' && !sites.some(({ id }) => id === location);
  const none = notThere ? 'surveys.notThere' : todayOnly ? 'surveys.noneToday' : 'surveys.none';
  const noneFound = notThere
    ? 'surveys.notThere'
    : todayOnly
      ? 'surveys.noneMatchToday'
      : 'surveys.noneMatch';
  return (
    <ListPage<RowWithFindings<SurveyListItem>>
      name="interviews"
      storageName="surveys"
      path="/api/surveys"
      subject="Survey"
      title={t('surveys.title')}
      lead={useIntroText(reach)}
      views
      filters={[
        { name: 'search', as: 'search', label: t('lists.search'), hint: t('lists.searchHint') },
        (sites.length > 1 || location !== '') && { name: 'location', as: 'site', sites: sites },
        { name: 'status', options: states },
        { name: 'review', label: t('review.title'), options: reviews },
        {
          name: 'flag',
          label: t('surveys.flags'),
          options: [{ value: 'any', label: t('surveys.anyFlag') }, ...flags],
        },
        seesFindings && {
          name: 'finding',
          label: t('surveys.findings'),
          options: [
            { value: 'any', label: t('surveys.anyFinding') },
            ...SHOWN_CHECKS.map((value) => ({ value, label: t(`checks.${value}`) })),
          ],
        },
        knowsPeople && { name: 'createdBy', label: t('surveys.interviewer'), options: people },
        { name: 'round', as: 'round' },
        { name: 'seed', as: 'link' },
        !todayOnly && { name: 'from', as: 'day', label: t('surveys.arrivedFrom') },
        !todayOnly && { name: 'to', as: 'day', label: t('surveys.arrivedTo') },
      ]}
      sort={['-createdAt', '-heldAt']}
      useRowDetails={useRowsWithFindings}
      addDetails={useAddFindingsToRows()}
      columns={useSurveyColumns()}
      rowName={useInterviewLabel()}
      link={({ id }) => `/desk/surveys/${id}${queue}`}
      selection={{
        actions: (surveys, clear) => (
          <>
            <ApproveManySurveys surveys={surveys} onStart={clear} />
            <DismissFlags surveys={surveys} onStart={clear} />
          </>
        ),
        file: true,
      }}
      empty={t(none)}
      noMatch={t(noneFound)}
      secondary={
        <>
          <ExportsLink />
          {mayImport ? (
            <Button variant="default" component={Link} to="/desk/import">
              {t('rescueImport.open')}
            </Button>
          ) : null}
        </>
      }
      above={<UndoDelete />}
      between={
        <>
          <SearchExplanation text={search} />
          {seed ? <OfOneChain seed={seed} /> : null}
        </>
      }
    />
  );
}

/** Lets the person undo deleting an interview they just deleted. */
function UndoDelete() {
  const { t } = useDashboardText();
  const { deleted } = (useLocation().state ?? {}) as { deleted?: string };
  if (!deleted) return null;
  return (
    <Notice tone="good" live title={t('surveys.deleted')}>
      <RestoreSurveyButton id={deleted} />
    </Notice>
  );
}

/** Which interviews the list contains, given this person's permissions. */
function useIntroText({ todayOnly, sites, everywhere }: SurveyReadScope): string {
  const { t } = useDashboardText();
  if (!todayOnly) return t('surveys.lead');
  if (everywhere) return t('surveys.leadToday');
  const [site, ...others] = sites;
  if (!site) return t('surveys.leadNoSite');
  return others.length > 0 ? t('surveys.leadTodaySome') : t('surveys.leadTodayHere', { site: site.name });
}

function OfOneChain({ seed }: { seed: string }) {
  const { t } = useDashboardText();
  const mayTree = useReadsAll('Recruitment');
  return (
    <p style={{ margin: 0 }}>
      {t('surveys.ofOneChain')}{' '}
      {mayTree ? <Link to={`/desk/tree/${seed}`}>{t('surveys.showTree')}</Link> : null}
    </p>
  );
}

/** How the search text was interpreted. */
function SearchExplanation({ text }: { text: string }) {
  const { t } = useDashboardText();
  const code = parseCode(text);
  const isId = isRecordId(text);
  if (text === '') return null;
  return (
    <p className="note" role="status">
      {code
        ? t('lists.searchedCode', { code: formatCode(code) })
        : isId
          ? t('lists.searchedId')
          : t(looksLikeCode(text) ? 'lists.searchedWrongCode' : 'lists.searchedName', { text })}
    </p>
  );
}
