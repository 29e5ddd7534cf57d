/** One recruitment chain: who recruited whom, as a drawing and as a list. */
import './tree.css';
import { Button, SegmentedControl, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useParams } from 'react-router';
import { formatCode } from '../../../../../src/coupons/referral-codes/code.ts';
import { CodeText } from '../../../phone/coupons/code-text.tsx';
import { RequestRefusal, withQuery } from '../../../session/api.ts';
import { useLocationName } from '../../../session/records.ts';
import { SelectField } from '../../../ui/choice.tsx';
import { FormError } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { useGet } from '../../kit/data/use-list.tsx';
import { useAddressParams } from '../../kit/list/address.ts';
import { DashboardPage, ListSkeleton } from '../../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { textInLanguage } from '../../questionnaires/questionnaire-outline.ts';
import { TreeCanvas } from './tree-canvas.tsx';
import { TreeDetails } from './tree-details.tsx';
import {
  branchSizeOf,
  type ChainTree,
  layOutTree,
  nestedTreeBranch,
  type TreeBranch,
  type TreeLayoutShape,
  type TreeNode,
} from './tree-layout.ts';
import { TreeLegend } from './tree-legend.tsx';
import { TreeOutline } from './tree-outline.tsx';
import { answerText, useColorQuestions, useTreeColors } from './use-tree-colors.ts';

type Look = TreeLayoutShape | 'outline';
/** With more rows than this, the tree is taller than any screen. */
const MAX_ROWS = 60;
/** As in tree.css: on smaller screens the details are below the chart, out of sight. */
const WIDE_SCREEN = '(min-width: 75em)';
const NO_NODES: TreeNode[] = [];

/** Stored in the URL, so that a link shows the same chart. */
function useLooks() {
  const { params, change } = useAddressParams();
  const set = (name: string, value: string) => change({ [name]: value });
  return {
    by: params.get('by') ?? 'wave',
    as: params.get('as'),
    root: params.get('root'),
    /** The selected interview. */
    person: params.get('person'),
    set,
  };
}

export default function TreePage() {
  const { t } = useDashboardText();
  const { seed = '' } = useParams();
  const { by } = useLooks();
  const question = by === 'wave' || by === 'site' ? undefined : by;
  const tree = useGet<ChainTree>(withQuery('/api/recruitment/tree', { seed, question }));
  const origin = useGet<{ referralCode: string | null }>(`/api/seeds/${seed}`);
  const isNotFound = tree.error instanceof RequestRefusal && tree.error.status === 404;
  return (
    <DashboardPage
      title={t('tree.title')}
      back="/desk/board"
      lead={t('tree.lead')}
      besideTitle={
        <>
          {origin.data?.referralCode ? (
            <Text component="div">
              {t('tree.seed')} <CodeText code={origin.data.referralCode} />
            </Text>
          ) : null}
          <Button component={Link} to="/desk/tree" variant="default">
            {t('tree.all')}
          </Button>
        </>
      }
    >
      {tree.error ? (
        isNotFound ? (
          <Notice tone="info" title={t('tree.unknown')} />
        ) : (
          <FormError error={tree.error} />
        )
      ) : null}
      {tree.isPending ? <ListSkeleton label={t('tree.title')} rows={12} /> : null}
      {tree.data ? <Chain tree={tree.data} /> : null}
    </DashboardPage>
  );
}

function Chain({ tree }: { tree: ChainTree }) {
  const { t } = useDashboardText();
  const { root } = useLooks();
  const branch = useMemo(() => nestedTreeBranch(tree.nodes, root), [tree.nodes, root]);
  if (!branch) return <Notice tone="info" title={t('tree.empty')} />;
  return (
    <>
      {tree.truncated ? <Notice tone="warn" title={t('tree.truncated')} /> : null}
      <LoadedTree branch={branch} whole={tree.nodes} />
    </>
  );
}

function nodesOf(branch: TreeBranch): TreeNode[] {
  const nodes: TreeNode[] = [];
  const walk = ({ node, children }: TreeBranch) => {
    nodes.push(node);
    children.forEach(walk);
  };
  walk(branch);
  return nodes;
}

function branchAt(branch: TreeBranch, id: string | null): TreeBranch | null {
  if (id === null || branch.node.id === id) return id === null ? null : branch;
  for (const child of branch.children) {
    const match = branchAt(child, id);
    if (match) return match;
  }
  return null;
}

function LoadedTree({ branch, whole }: { branch: TreeBranch; whole: TreeNode[] }) {
  const { t, language, counted, moment } = useDashboardText();
  const looks = useLooks();
  const questions = useColorQuestions();
  const siteOf = useLocationName();
  const selected = looks.person;
  const setSelected = (id: string | null) => looks.set('person', id ?? '');
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (selected && !window.matchMedia(WIDE_SCREEN).matches)
      side.current?.firstElementChild?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const [lit, setLit] = useState<string | null>(null);
  const nodes = useMemo(() => nodesOf(branch), [branch]);
  const question = questions.find(({ name }) => name === looks.by);
  const colors = useTreeColors(nodes.length > 0 ? nodes : NO_NODES, looks.by, question);
  const look: Look = isLook(looks.as) ? looks.as : nodes.length > MAX_ROWS ? 'round' : 'rows';
  const layout = useMemo(() => layOutTree(branch, look === 'rows' ? 'rows' : 'round'), [branch, look]);
  const chosen = branchAt(branch, selected);
  const answer = (node: TreeNode) =>
    question ? answerText(question, node.value, language) || t('tree.noValue') : '';
  const words = (count: number) => counted(count);
  const waves = t('tree.ofWaves', words(layout.waves.length - 1));
  const summary = t('tree.summary', { ...words(nodes.length), waves });
  const wordsOf = (node: TreeNode) =>
    [
      node.referralCode ? formatCode(node.referralCode) : '',
      t('tree.wave', { wave: node.wave }),
      siteOf(node.location),
      moment(node.heldAt),
      question ? answer(node) : '',
      node.deleted ? t('tree.deleted') : '',
    ].filter(Boolean);
  // Memoized, because a new object would redraw the chart.
  const canvas = useMemo(() => {
    const labels = new Map(colors.legend.map(({ key, label }) => [key, label]));
    return {
      markOf: colors.markOf,
      isDim: (node: TreeNode) => lit !== null && colors.keyOf(node) !== lit,
      // Waves are labeled at their column or ring already, so nodes show their coupon instead.
      labelOf: (node: TreeNode) =>
        looks.by === 'wave'
          ? node.referralCode
            ? formatCode(node.referralCode)
            : ''
          : (labels.get(colors.keyOf(node)) ?? ''),
    };
  }, [colors, lit, looks.by]);
  return (
    <>
      <div className="dashboard-filters">
        <SelectField
          label={t('tree.colorBy')}
          value={looks.by}
          onChange={(value) => {
            setLit(null);
            looks.set('by', value);
          }}
          options={[
            { value: 'wave', label: t('tree.byWave') },
            { value: 'site', label: t('common.site') },
            {
              group: t('tree.byAnswer'),
              items: questions.map(({ name, title }) => ({
                value: name,
                label: textInLanguage(title, language),
              })),
            },
          ]}
        />
        <SegmentedControl
          className="tree-shape dashboard-filter-wide"
          size="md"
          aria-label={t('tree.shape')}
          value={look}
          onChange={(value) => looks.set('as', value)}
          data={[
            { value: 'round', label: t('tree.round') },
            { value: 'rows', label: t('tree.rows') },
            { value: 'outline', label: t('tree.list') },
          ]}
        />
        {nodes.length < whole.length ? (
          <PlainButton
            label={t('tree.whole')}
            variant="subtle"
            size="md"
            onClick={() => looks.set('root', '')}
          />
        ) : null}
      </div>
      <Text role="status">{summary}</Text>
      <div className="tree-page">
        {look === 'outline' ? (
          <TreeOutline
            key={branch.node.id}
            branch={branch}
            selected={selected}
            onSelect={setSelected}
            markOf={colors.markOf}
            wordsOf={wordsOf}
          />
        ) : (
          <TreeCanvas
            layout={layout}
            label={summary}
            selected={selected}
            onSelect={setSelected}
            {...canvas}
          />
        )}
        <div className="column tree-side" ref={side}>
          <TreeDetails
            node={chosen?.node ?? null}
            below={chosen ? branchSizeOf(chosen) - 1 : 0}
            answer={
              question && chosen
                ? { title: textInLanguage(question.title, language), words: answer(chosen.node) }
                : null
            }
            isRoot={chosen === branch}
            onBranch={() => looks.set('root', chosen?.node.id ?? '')}
          />
          <TreeLegend colors={colors} lit={lit} onLight={setLit} />
        </div>
      </div>
    </>
  );
}

const isLook = (text: string | null): text is Look =>
  text === 'round' || text === 'rows' || text === 'outline';
