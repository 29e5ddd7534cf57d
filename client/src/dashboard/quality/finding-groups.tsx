/** One row per interviewer and check, worst first, with the number of findings. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { z } from 'zod';
import type { QualityFindingGroup } from '../../../../src/board/quality/schema.ts';
import { request, withQuery } from '../../session/api.ts';
import { fetchRows } from '../../session/fetch-rows.ts';
import { useLocationName } from '../../session/records.ts';
import { DialogButton } from '../kit/actions/dialog.tsx';
import { useSurroundingPageActions } from '../kit/actions/use-actions.ts';
import { useFilters } from '../kit/list/address.ts';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { RoundSelect, SelectedRoundClosedNotice } from '../kit/list/round-select.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { usePersonName } from '../people/person-names.ts';
import type { Finding } from './fetch-findings.ts';
import { useFindingTexts } from './finding-texts.ts';
import { useFindingsListProps } from './use-findings-list-props.ts';

type Group = z.infer<typeof QualityFindingGroup>;

/** Maximum number of findings in a group dismissed at once. */
const MAX_TOGETHER = 500;
const MAX_SITES_NAMED = 2;

/** The filters that apply within a group. */
const useNarrowing = () => useFilters(['round', 'location', 'from', 'to']).values;

export function FindingGroups() {
  const { t: own } = useTranslation('quality');
  return (
    <ListPage<Group>
      {...useFindingsListProps()}
      name="quality-groups"
      storageName="quality"
      path="/api/quality/groups"
      columns={useColumns()}
      besideTitle={<RoundSelect />}
      above={<SelectedRoundClosedNotice />}
      rowEnd={(group) => <DismissGroup group={group} />}
      empty={own('none')}
    />
  );
}

function useColumns(): ListColumn<Group>[] {
  const { t, number } = useDashboardText();
  const { t: own } = useTranslation('quality');
  const { ruleOf, toDoOf } = useFindingTexts();
  const personOf = usePersonName();
  const siteOf = useLocationName();
  const narrowing = useNarrowing();
  const nameOf = ({ check }: Group) => t(`checks.${check}`);
  const sitesOf = ({ locations }: Group) =>
    locations.length > MAX_SITES_NAMED
      ? own('sites', { count: locations.length })
      : locations.map((id) => siteOf(id)).join(t('common.comma'));
  return [
    {
      head: own('finding'),
      cell: (group) => (
        <Link
          to={withQuery('/desk/quality', {
            ...narrowing,
            check: group.check,
            interviewer: group.interviewer,
          })}
        >
          {nameOf(group)}
        </Link>
      ),
      text: nameOf,
      roomy: true,
    },
    {
      head: own('interviewer'),
      name: 'interviewer',
      cell: ({ interviewer }) => personOf(interviewer),
      text: ({ interviewer }) => personOf(interviewer),
      roomy: true,
    },
    {
      head: own('count'),
      name: 'count',
      cell: ({ count }) => <b>{number(count)}</b>,
      text: ({ count }) => count,
      numeric: true,
    },
    {
      head: own('toDo'),
      name: 'toDo',
      cell: (group) => (
        <>
          {toDoOf(group)}
          <Text size="sm" c="dimmed" component="span" display="block">
            {ruleOf(group)}
          </Text>
        </>
      ),
      text: ruleOf,
      roomy: 'sentence',
      plain: true,
    },
    { head: t('common.site'), name: 'site', cell: sitesOf, text: sitesOf, roomy: true },
    { field: 'at', as: 'age', head: own('latest'), name: 'found' },
  ];
}

/** Dismisses all findings of a group with one reason. */
function DismissGroup({ group }: { group: Group }) {
  const { t } = useDashboardText();
  const { t: own } = useTranslation('quality');
  const { run } = useSurroundingPageActions();
  const personOf = usePersonName();
  const narrowing = useNarrowing();
  const { check, interviewer, count } = group;
  const about = `${t(`checks.${check}`)}, ${personOf(interviewer)}`;
  const dismissAll = async (comment: string) => {
    const { rows } = await fetchRows<Finding>(
      '/api/quality',
      { ...narrowing, check, interviewer },
      MAX_TOGETHER,
    );
    void run<Finding, unknown>({
      items: rows,
      one: ({ id }) => request('POST', `/api/quality/${id}/dismiss`, { body: { comment } }),
      name: () => about,
      messageOf: (results) => own('dismissedMany', { count: results.length }),
    });
  };
  return (
    <DialogButton
      small
      label={count === 1 ? own('dismiss') : own('dismissAll', { count })}
      recordName={about}
      title={own('dismissMany', { count })}
      yes={own('dismiss')}
      text={about}
      reason={{ what: own('dismissWhat'), required: true }}
      onYes={dismissAll}
    />
  );
}
