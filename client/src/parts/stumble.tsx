/** A screen that broke, or that could not be fetched without a signal, says so instead of leaving a blank page. */
import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';

interface CatcherProps {
  children: ReactNode;
  /** A new place is a new try. */
  place: string;
}

class Catcher extends Component<CatcherProps, { failedAt: string | null }> {
  override state = { failedAt: null as string | null };
  static getDerivedStateFromError() {
    return { failedAt: '' };
  }
  override componentDidUpdate(before: CatcherProps) {
    if (this.state.failedAt !== null && before.place !== this.props.place) this.setState({ failedAt: null });
  }
  override render() {
    return this.state.failedAt === null ? this.props.children : <Broken />;
  }
}

function Broken() {
  const { t } = useTranslation();
  return (
    <Page title={t('broken.title')} back="/">
      <Notice tone="bad" live title={t('broken.text')}>
        {t('broken.kept')}
      </Notice>
      <Button onClick={() => location.reload()}>{t('broken.again')}</Button>
    </Page>
  );
}

export function Stumble({ children }: { children: ReactNode }) {
  return <Catcher place={useLocation().pathname}>{children}</Catcher>;
}
