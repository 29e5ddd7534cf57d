/** Less important buttons next to a title; on a phone they are behind a "more" button. */
import { Button, Popover, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useDashboardText } from '../words/dashboard-text.ts';

export function OverflowMenu({ children }: { children: ReactNode }) {
  const { t } = useDashboardText();
  const roomy = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const [open, setOpen] = useState(false);
  if (roomy) return children;
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      shadow="md"
      // A download keeps running, and reports its result, after the menu closes.
      keepMounted
    >
      <Popover.Target>
        <Button variant="default" onClick={() => setOpen(!open)}>
          {t('common.moreActs')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('common.moreActs')} onClick={() => setOpen(false)}>
        <Stack gap="xs">{children}</Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
