/** Findings of the quality checks, worst first, with what to do about each. */
import { Box, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { z } from 'zod';
import type { QualityFinding } from '../../../../src/quality/schema.ts';
import type { Column } from '../../desk/columns.tsx';
import { useDeskText } from '../../desk/desk-text.ts';
import { useFilters } from '../../desk/filters.tsx';
import { ListPage } from '../../desk/list.tsx';
import { send } from '../../desk/send.ts';
import { useAbility } from '../../session.tsx';
import { usePersonName, usePersonOptions } from '../people/person-names.ts';
import { useFindingWords } from './finding-words.ts';

type Finding = z.infer<typeof QualityFinding>;

export default function Quality() {
  const { t } = useDeskText();
  const { t: own } = useTranslation('quality');
  const personOf = usePersonName();
  const people = usePersonOptions();
  const seesDismissed = useFilters(['dismissed']).values.dismissed === 'true';
  return (
    <ListPage<Finding>
      name="quality"
      path="/api/quality"
      every={30_000}
      subject="Recruitment"
      title={own('title')}
      lead={own('lead')}
      views
      filters={[
        {
          name: 'dismissed',
          as: 'segments',
          label: own('state'),
          values: ['false', 'true'],
          options: [
            { value: 'false', label: own('open') },
            { value: 'true', label: own('dismissedOnes') },
          ],
        },
        { name: 'check', label: own('check'), words: 'checks' },
        { name: 'location', as: 'site' },
        { name: 'interviewer', label: own('interviewer'), options: people },
        { name: 'from', as: 'day', label: t('common.from') },
        { name: 'to', as: 'day', label: t('common.to') },
      ]}
      columns={useColumns()}
      rowName={({ check, interviewer }) => `${t(`checks.${check}`)}, ${personOf(interviewer)}`}
      rowActions={({ id, dismissed }) =>
        dismissed
          ? []
          : [
              {
                label: own('dismiss'),
                title: own('dismissTitle'),
                reason: own('dismissWhat'),
                send: (comment) => send('POST', `/api/quality/${id}/dismiss`, { comment }),
                message: own('dismissed'),
              },
            ]
      }
      empty={own(seesDismissed ? 'noneDismissed' : 'none')}
      noMatch={own('noneFound')}
    />
  );
}

function useColumns(): Column<Finding>[] {
  const { t } = useDeskText();
  const { t: own } = useTranslation('quality');
  const { ruleOf, figureOf, limitOf } = useFindingWords();
  const personOf = usePersonName();
  const mayOpen = useAbility().can('list', 'User');
  const nameOf = ({ check }: Finding) => t(`checks.${check}`);
  const name = (finding: Finding) => {
    const { survey, interviewer, value } = finding;
    const path = survey ? `/desk/surveys/${survey}` : `/desk/people/${interviewer}`;
    return mayOpen && value !== null ? <Link to={path}>{nameOf(finding)}</Link> : nameOf(finding);
  };
  const person = ({ interviewer }: Finding) =>
    mayOpen ? <Link to={`/desk/people/${interviewer}`}>{personOf(interviewer)}</Link> : personOf(interviewer);
  return [
    { head: own('finding'), cell: name, text: nameOf },
    {
      head: own('toDo'),
      cell: (finding) => <Advice finding={finding} />,
      text: ruleOf,
      roomy: 'sentence',
      plain: true,
    },
    {
      head: own('value'),
      cell: (finding) => (
        <div>
          {figureOf(finding)}
          <Text size="sm" c="dimmed">
            {limitOf(finding)}
          </Text>
        </div>
      ),
      text: (finding) => `${figureOf(finding)} (${limitOf(finding)})`,
      roomy: true,
    },
    {
      head: own('interviewer'),
      name: 'interviewer',
      cell: person,
      text: ({ interviewer }) => personOf(interviewer),
      roomy: true,
    },
    { field: 'location', as: 'site', name: 'site' },
    { field: 'at', as: 'age', head: own('found'), name: 'found' },
  ];
}

function Advice({ finding }: { finding: Finding }) {
  const { shortMoment } = useDeskText();
  const { t } = useTranslation('quality');
  const { ruleOf, toDoOf } = useFindingWords();
  const personOf = usePersonName();
  const { value, dismissed } = finding;
  return (
    <Box py={6}>
      {toDoOf(finding)}
      <Text size="sm" c="dimmed" component="span" display="block">
        {ruleOf(finding)}
        {value === null ? ` ${t('hidden')}` : ''}
      </Text>
      {dismissed ? (
        <Text size="sm" component="span" display="block" dir="auto">
          {t('dismissedBy', {
            who: personOf(dismissed.by),
            when: shortMoment(dismissed.at),
            comment: dismissed.comment,
          })}
        </Text>
      ) : null}
    </Box>
  );
}
