/**
 * Replaces pages that need the device's store if it can't be opened: in a private window, on a full disk, or if
 * another window has a newer version. Everything else keeps working.
 */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { NoStoreReason } from '../../device/store/open-store.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';

/** Loaded lazily: answers can only be unsaved after an interview page has loaded this module. */
const retryUnsaved = async () => (await import('../../offline/drafts.ts')).retryUnsaved();

/** An interview page shows this problem itself; on other pages, the app shows it above the page. */
export const isInterviewPath = (pathname: string): boolean => pathname.startsWith('/interview/');

export function NoStore({ why }: { why: NoStoreReason }) {
  const { t } = useTranslation();
  return (
    <Page title={t('noStore.title')} back="/">
      {isInterviewPath(useLocation().pathname) ? <NoStoreNotice why={why} /> : null}
    </Page>
  );
}

interface NoStoreNoticeProps {
  why: NoStoreReason;
  onOpen?: () => void;
}

export function NoStoreNotice({ why, onOpen }: NoStoreNoticeProps) {
  const { t } = useTranslation();
  const again = async () => {
    if (why === 'newer') location.reload();
    else if (await retryUnsaved().catch(() => false)) onOpen?.();
  };
  return (
    <Notice tone="bad" live title={t(`noStore.${why}.title`)}>
      {t(`noStore.${why}.what`)}
      <div style={{ marginTop: 10 }}>
        <Button variant="default" onClick={() => void again()}>
          {t('common.again')}
        </Button>
      </div>
    </Notice>
  );
}
