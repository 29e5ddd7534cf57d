/** Which columns of a list a person wants to see, stored on this device for this person. */
import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useLocalStorageList } from '../data/local-list.ts';
import { useDashboardText } from '../words/dashboard-text.ts';
import { type ListColumn, type ResolvedColumn, useResolvedColumns } from './columns.tsx';

interface Choice<T> {
  isShown(column: ResolvedColumn<T>): boolean;
  toggle(name: string): void;
}

interface ChosenColumns<T> {
  /** The visible columns. */
  columns: ResolvedColumn<T>[];
  all: ResolvedColumn<T>[];
  choose: Choice<T>;
}

export function useChosenColumns<T>(list: string, declared: readonly ListColumn<T>[]): ChosenColumns<T> {
  const all = useResolvedColumns(declared);
  const [columns, keep] = useLocalStorageList(
    'columns',
    list,
    (one): one is string => typeof one === 'string',
  );
  const isShown = ({ name, extra }: ResolvedColumn<T>) => !name || (columns?.includes(name) ?? !extra);
  const toggle = (name: string) => {
    const visible = all.flatMap((one) => (one.name && isShown(one) ? [one.name] : []));
    keep(visible.includes(name) ? visible.filter((one) => one !== name) : [...visible, name]);
  };
  return { columns: all.filter(isShown), all, choose: { isShown, toggle } };
}

interface ColumnChoiceProps<T> {
  columns: ResolvedColumn<T>[];
  choose: Choice<T>;
}

export function ColumnChoice<T>({ columns, choose: { isShown, toggle } }: ColumnChoiceProps<T>) {
  const { t } = useDashboardText();
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default">{t('lists.columns')}</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('lists.columns')}>
        <Stack gap={0}>
          {columns.map((column) => {
            const { name, head } = column;
            return name ? (
              <Checkbox
                key={name}
                className="dashboard-column"
                size="md"
                label={head}
                checked={isShown(column)}
                onChange={() => toggle(name)}
              />
            ) : null;
          })}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
