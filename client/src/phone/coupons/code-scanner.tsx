/** The scanner for coupons, loaded when first needed. Offline, it may not be on the device yet. */
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/notice.tsx';

interface CodeScannerProps {
  onRead(text: string): void;
}

export function CodeScanner({ onRead }: CodeScannerProps) {
  const { t } = useTranslation();
  const [Scanner, setScanner] = useState<ComponentType<CodeScannerProps> | null>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let current = true;
    import('./scanner.tsx').then(
      (loaded) => {
        if (current) setScanner(() => loaded.default);
      },
      () => {
        if (current) setMissing(true);
      },
    );
    return () => {
      current = false;
    };
  }, []);
  if (isMissing)
    return (
      <Notice tone="warn" title={t('scan.notLoaded')} live>
        {t('scan.type')}
      </Notice>
    );
  return Scanner ? <Scanner onRead={onRead} /> : <div className="camera" />;
}
