/** The same chain as a nested list, for keyboards and screen readers. */
import { Fragment, useState } from 'react';
import { Icon } from '../../../ui/icon.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import type { NodeMark } from './tree-color.ts';
import { branchSizeOf, type TreeBranch, type TreeNode } from './tree-layout.ts';
import { TreeDot } from './tree-legend.tsx';

interface TreeOutlineProps {
  branch: TreeBranch;
  selected: string | null;
  onSelect(id: string): void;
  markOf(node: TreeNode): NodeMark;
  wordsOf(node: TreeNode): string[];
}

export function TreeOutline(props: TreeOutlineProps) {
  const { t } = useDashboardText();
  return (
    <section className="card" aria-label={t('tree.outline')}>
      <ul className="tree-outline">
        <Item {...props} depth={0} />
      </ul>
    </section>
  );
}

/** True if the selected person is somewhere below this one. */
const containsNode = ({ children }: TreeBranch, id: string | null): boolean =>
  id !== null && children.some((child) => child.node.id === id || containsNode(child, id));

/** Collapsed branches aren't rendered, so thousands of rows cost nothing. */
function Item({ depth, ...props }: TreeOutlineProps & { depth: number }) {
  const { t } = useDashboardText();
  const { branch, selected, onSelect, markOf, wordsOf } = props;
  const { node, children } = branch;
  const [open, setOpen] = useState(depth < 2 || containsNode(branch, selected));
  const parts = wordsOf(node);
  const words = parts.join(' · ');
  return (
    <li>
      <div className="tree-row">
        {children.length > 0 ? (
          <button
            type="button"
            className="icon-button tree-toggle"
            aria-expanded={open}
            aria-label={t('tree.below', { words, count: branchSizeOf(branch) - 1 })}
            onClick={() => setOpen(!open)}
          >
            <span
              aria-hidden="true"
              style={{ display: 'inline-flex', transform: open ? 'rotate(90deg)' : 'none' }}
            >
              <Icon name="next" size={18} />
            </span>
          </button>
        ) : null}
        <button
          type="button"
          className="tree-pick"
          aria-pressed={node.id === selected}
          onClick={() => onSelect(node.id)}
        >
          <TreeDot mark={markOf(node)} />
          <span>
            {parts.map((part, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a site and an answer may have the same text
              <Fragment key={at}>
                {at > 0 ? ' · ' : null}
                <bdi>{part}</bdi>
              </Fragment>
            ))}
          </span>
        </button>
      </div>
      {open && children.length > 0 ? (
        <ul>
          {children.map((child) => (
            <Item key={child.node.id} {...props} branch={child} depth={depth + 1} />
          ))}
        </ul>
      ) : null}
    </li>
  );
}
