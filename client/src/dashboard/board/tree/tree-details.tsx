/** Details of one interview in a chain, with links. */
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { CodeText } from '../../../phone/coupons/code-text.tsx';
import { arrivedOtherDay } from '../../../phone/work/interview-date.ts';
import { useLocationName } from '../../../session/records.ts';
import { asPermissionSubject } from '../../../session/rights.ts';
import { useAbility } from '../../../session/session.tsx';
import { Tag } from '../../../ui/notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { FactList } from '../../kit/words/fact-list.tsx';
import { RestoreSurveyButton } from '../../surveys/restore-button.tsx';
import type { TreeNode } from './tree-layout.ts';

interface TreeDetailsProps {
  node: TreeNode | null;
  below: number;
  /** The question that colors the tree, and this interview's answer. */
  answer: { title: string; words: string } | null;
  isRoot: boolean;
  onBranch(): void;
}

export function TreeDetails({ node, below, answer, isRoot, onBranch }: TreeDetailsProps) {
  const { t, number, moment } = useDashboardText();
  const ability = useAbility();
  const siteOf = useLocationName();
  if (!node) {
    return (
      <Card label={t('tree.details')}>
        <Text c="dimmed">{t('tree.pickOne')}</Text>
      </Card>
    );
  }
  const mayRestore = node.deleted && ability.can('delete', asPermissionSubject('Survey', node));
  const mayOpen = !node.deleted && ability.can('read', asPermissionSubject('Survey', node));
  return (
    <Card label={t('tree.details')}>
      <div role="status">
        <Text component="h2" fw={650} mb="sm">
          {node.referralCode ? (
            <>
              <CodeText code={node.referralCode} /> ·{' '}
            </>
          ) : null}
          {t('tree.wave', { wave: node.wave })} · <bdi>{siteOf(node.location)}</bdi>
        </Text>
        <FactList
          look="beside"
          facts={[
            [t('surveys.held'), moment(node.heldAt)],
            arrivedOtherDay(node.heldAt, node.createdAt) && [
              t('surveys.arrivedWord'),
              moment(node.createdAt),
            ],
            [t('tree.recruits'), number(node.recruits)],
            [t('tree.inBranch'), number(below)],
            answer && [answer.title, answer.words, 'long'],
          ]}
        />
        {node.deleted ? <Tag tone="bad">{t('tree.deleted')}</Tag> : null}
        {!node.deleted && !node.completed ? <Tag tone="warn">{t('surveys.IN_PROGRESS')}</Tag> : null}
      </div>
      <div className="tree-row" style={{ marginTop: 12, gap: 12 }}>
        {mayOpen ? (
          <Anchor component={Link} to={`/desk/surveys/${node.id}`} className="tall-link">
            {t('tree.open')}
          </Anchor>
        ) : null}
        {mayRestore ? <RestoreSurveyButton id={node.id} /> : null}
        {isRoot || below === 0 ? null : <PlainButton label={t('tree.only')} onClick={onBranch} />}
      </div>
      {mayOpen || node.deleted ? null : (
        <Text size="sm" c="dimmed">
          {t('tree.notOpen')}
        </Text>
      )}
    </Card>
  );
}
