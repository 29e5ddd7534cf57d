/** Shows a message instead of a blank page if a page crashed or couldn't be loaded offline. */
import { Button } from '@mantine/core';
import { Component, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { reloadNewestVersion } from '../../device/new-version.ts';
import { useHasSignal } from '../../device/use-signal.ts';
import { PageLoadError } from '../../ui/lazy-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';

interface BoundaryProps {
  children: ReactNode;
  /** A new place resets the boundary. */
  place: string;
}

interface CaughtError {
  error: unknown;
}

class Boundary extends Component<BoundaryProps, { caught: CaughtError | null }> {
  override state = { caught: null as CaughtError | null };
  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } };
  }
  override componentDidCatch(error: unknown) {
    if (error instanceof PageLoadError) error.forget();
  }
  override componentDidUpdate(before: BoundaryProps) {
    if (this.state.caught && before.place !== this.props.place) this.setState({ caught: null });
  }
  override render() {
    const { caught } = this.state;
    if (!caught) return this.props.children;
    return caught.error instanceof PageLoadError ? <PageNotStored /> : <Broken />;
  }
}

/** For a page that isn't on this device: opens it automatically once online. */
function PageNotStored() {
  const { t } = useTranslation();
  const online = useHasSignal();
  const [lacked, setLacked] = useState(!online);
  useEffect(() => {
    if (!online) setLacked(true);
    else if (lacked) location.reload();
  }, [online, lacked]);
  if (!lacked) return <Broken />;
  return (
    <Page title={t('shell.noSignal')} back="/">
      <Notice tone="warn" icon="noSignal" live title={t('broken.needsSignal')}>
        {t('broken.automatic')}
      </Notice>
      <Button variant="default" onClick={() => void reloadNewestVersion()}>
        {t('common.again')}
      </Button>
    </Page>
  );
}

function Broken() {
  const { t } = useTranslation();
  return (
    <Page title={t('broken.title')} back="/">
      <Notice tone="bad" live title={t('broken.text')}>
        {t('broken.kept')}
      </Notice>
      <Button onClick={() => void reloadNewestVersion()}>{t('broken.again')}</Button>
    </Page>
  );
}

export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <Boundary place={useLocation().pathname}>{children}</Boundary>;
}
