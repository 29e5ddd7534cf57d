import { Text } from '@mantine/core';
import { Card } from '../../../ui/page.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import type { NodeMark, TreeColours } from './tree-colour.ts';

export function TreeDot({ mark }: { mark: NodeMark }) {
  return <span className="tree-dot" data-shape={mark.shape} style={{ background: mark.colour }} />;
}

/** What each mark means and how many interviews have it. Click one to highlight it. */
export function Legend({
  colours,
  lit,
  onLight,
}: {
  colours: TreeColours;
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
        {colours.legend.map(({ key, label, mark, count }) => (
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
