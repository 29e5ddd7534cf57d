/** Which columns of a list someone wants to see: kept on this device, for this person. */
import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { keepSetting, readSetting } from '../device/small-store.ts';
import { useUser } from '../session.tsx';
import { useDeskText } from './desk-text.ts';
import type { Column } from './rows.tsx';

interface Chosen<T> {
  columns: Column<T>[];
  /** The button that opens the choice. */
  choice: ReactNode;
}

export function useChosenColumns<T>(list: string, all: Column<T>[]): Chosen<T> {
  const key = `columns ${useUser().id} ${list}`;
  const [kept, setKept] = useState(() => namesIn(readSetting(key)));
  const isShown = ({ name, extra }: Column<T>) => !name || (kept?.includes(name) ?? !extra);
  const toggle = (name: string) => {
    const shown = all.flatMap((one) => (one.name && isShown(one) ? [one.name] : []));
    const after = shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name];
    keepSetting(key, JSON.stringify(after));
    setKept(after);
  };
  return {
    columns: all.filter(isShown),
    choice: <Choice columns={all} isShown={isShown} onToggle={toggle} />,
  };
}

function namesIn(text: string | null): string[] | null {
  try {
    const names: unknown = JSON.parse(text ?? 'null');
    return Array.isArray(names) ? names.filter((one) => typeof one === 'string') : null;
  } catch {
    return null;
  }
}

interface ChoiceProps<T> {
  columns: Column<T>[];
  isShown(column: Column<T>): boolean;
  onToggle(name: string): void;
}

function Choice<T>({ columns, isShown, onToggle }: ChoiceProps<T>) {
  const { t } = useDeskText();
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
                className="desk-column"
                size="md"
                label={head}
                checked={isShown(column)}
                onChange={() => onToggle(name)}
              />
            ) : null;
          })}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
