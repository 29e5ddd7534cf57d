/** A notice: its title says what it is about, the rest what to do. */
import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'good' | 'warn' | 'bad' | 'info';
const ICONS: Record<Tone, IconName> = { good: 'check', warn: 'alert', bad: 'stop', info: 'stop' };

interface NoticeProps {
  tone: Tone;
  title: ReactNode;
  children?: ReactNode;
  icon?: IconName;
  /** Announced by screen readers: for the result of what the person just did. */
  live?: boolean;
}

export function Notice({ tone, title, children, icon, live }: NoticeProps) {
  return (
    <Box className="notice" data-tone={tone} role={live ? (tone === 'bad' ? 'alert' : 'status') : undefined}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Icon name={icon ?? ICONS[tone]} />
        <Box style={{ flex: 1, minWidth: 0 }}>
          <Text fw={650} component="div">
            {title}
          </Text>
          {children ? (
            <Text component="div" size="sm" mt={4}>
              {children}
            </Text>
          ) : null}
        </Box>
      </Group>
    </Box>
  );
}

/** A colored label for a state. */
export function Tag({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="tag" data-tone={tone}>
      {children}
    </span>
  );
}
