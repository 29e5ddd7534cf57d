/** The layout of every page: title, content, and the next action in a bar within thumb's reach. */
import { Box, Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { Icon } from './icon.tsx';

interface PageProps {
  title: string;
  /** Target of "back"; absent on pages that are in the navigation. */
  back?: string;
  besideTitle?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

export function Page({ title, back, besideTitle, actions, wide, children }: PageProps) {
  const navigate = useNavigate();
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = title;
  }, [title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is a new page, a new title is not
  useEffect(() => {
    // Makes screen readers announce the new page. A field that already has the focus keeps it.
    if (document.getElementById('content')?.contains(document.activeElement)) return;
    // Doesn't interrupt typing in a dialog above the page.
    if (document.activeElement?.closest('[aria-modal="true"]')) return;
    heading.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <>
      <Box className="page" data-wide={wide || undefined} data-actions={actions ? true : undefined}>
        <Group wrap="nowrap" gap="xs" mb="md" className="page-head">
          {back ? (
            <button
              type="button"
              className="icon-button"
              aria-label={t('common.back')}
              onClick={() => navigate(back)}
            >
              <Icon name="back" />
            </button>
          ) : null}
          <Title order={1} size="h2" ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {besideTitle}
        </Group>
        <Stack gap="md">{children}</Stack>
      </Box>
      {actions ? (
        <Box className="actions">
          <Box className="actions-inner" data-wide={wide || undefined}>
            {actions}
          </Box>
        </Box>
      ) : null}
    </>
  );
}

interface CardProps {
  /** Shown at the top. Use `label` instead for screen readers only. */
  heading?: string;
  label?: string;
  children: ReactNode;
}

export function Card({ heading, label = heading, children }: CardProps) {
  return (
    <section className="card" aria-label={label}>
      {heading === undefined ? null : <h2>{heading}</h2>}
      {children}
    </section>
  );
}
