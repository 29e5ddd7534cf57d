/** The layout of every page: a title, the content, and the next action in a bar within reach of the thumb. */
import { Box, Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { Icon } from './icon.tsx';

interface PageProps {
  title: string;
  /** Where "back" leads; absent on the pages that the navigation reaches. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another page, another title is not
  useEffect(() => {
    // So that a screen reader says where it is after a change of page; a field that took the focus keeps it.
    if (document.getElementById('content')?.contains(document.activeElement)) return;
    // What is written in a window above the page goes on.
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
  /** Shown at its top; `label`, where it is only to be heard. */
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
