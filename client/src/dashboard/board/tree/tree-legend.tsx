import { Text } from '@mantine/core';
import { Card } from '../../../ui/page.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import type { NodeMark, TreeColors } from './tree-color.ts';

export function TreeDot({ mark }: { mark: NodeMark }) {
  return <span className="tree-dot" data-shape={mark.shape} style={{ background: mark.color }} />;
}

/** What each mark means and how many interviews have it. Click one to highlight it. */
export function TreeLegend({
  colors,
  lit,
  onLight,
}: {
  colors: TreeColors;
  lit: string | null;
  onLight(key: string | null): void;
}) {
  const { t, number } = useDashboardText();
  return (
    <Card label={t('tree.legend')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('tree.legend')}
      </Text>
      <ul className="flow tree-legend">
        {colors.legend.map(({ key, label, mark, count }) => (
          <li key={key}>
            <button
              type="button"
              className="pill"
              aria-pressed={lit === key}
              onClick={() => onLight(lit === key ? null : key)}
            >
              <TreeDot mark={mark} />
              {label} ({number(count)})
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
