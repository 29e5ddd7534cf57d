/** Single findings, worst first, with advice: those of one interviewer and check, or the dismissed ones. */
import { Anchor, Box, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { withQuery } from '../../session/api.ts';
import { useAbility } from '../../session/session.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { useRoundParam } from '../kit/data/rounds.ts';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { RoundSelect } from '../kit/list/round-select.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { usePersonName } from '../people/person-names.ts';
import { useDismissAction } from './dismiss-action.ts';
import type { Finding } from './fetch-findings.ts';
import { useFindingTexts } from './finding-texts.ts';
import { useFindingsListProps } from './use-findings-list-props.ts';

/** `isOpened`: shows all findings of one interviewer and check, which can be dismissed together. */
export function QualityFindings({ isOpened }: { isOpened: boolean }) {
  const { t: own } = useTranslation('quality');
  const dismiss = useDismissAction();
  const round = useRoundParam();
  return (
    <ListPage<Finding>
      {...useFindingsListProps()}
      name="quality"
      path="/api/quality"
      columns={useColumns()}
      besideTitle={<RoundSelect />}
      rowActions={(finding) => [!finding.dismissed && dismiss(finding)]}
      selection={
        isOpened && {
          can: ({ dismissed }) => !dismissed,
          actions: (findings) => [
            {
              label: own('dismissMany', { count: findings.length }),
              reason: own('dismissWhat'),
              sendEach: ({ id }, comment) => sendChange('POST', `/api/quality/${id}/dismiss`, { comment }),
              message: (results) => own('dismissedMany', { count: results.length }),
            },
          ],
        }
      }
      above={
        isOpened ? (
          <Anchor component={Link} to={withQuery('/desk/quality', { round })} className="tall-link">
            {own('allFindings')}
          </Anchor>
        ) : null
      }
      empty={own('noneDismissed')}
    />
  );
}

function useColumns(): ListColumn<Finding>[] {
  const { t } = useDashboardText();
  const { t: own } = useTranslation('quality');
  const { ruleOf, figureOf, limitOf } = useFindingTexts();
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
  const { shortMoment } = useDashboardText();
  const { t } = useTranslation('quality');
  const { ruleOf, toDoOf } = useFindingTexts();
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
