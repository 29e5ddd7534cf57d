/** What this device needs for offline work, and whether it has it. */
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { canSeal } from '../../device/can-seal.ts';
import { storageHealth } from '../../device/store/storage-health.ts';
import { precacheCodeReader } from '../../offline/coupons/qr-reader.ts';
import { useActiveQuestionnaire, useLocations, useStudy } from '../../session/records.ts';
import { numberInLanguage } from '../../texts/i18n.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { useFreeCodeCount, WhyFewCodes } from '../coupons/few-codes.tsx';

/** On a bad connection, the last file may fail to load. */
const RETRY_MS = 10_000;

/** Whether the app itself opens offline. Plain http has no service worker. */
function useAppStored(): boolean | null {
  const [stored, setStored] = useState<boolean | null>('serviceWorker' in navigator ? null : false);
  useEffect(() => {
    let retry: ReturnType<typeof setTimeout> | undefined;
    const keep = () =>
      void navigator.serviceWorker?.ready.then(precacheCodeReader).then(
        () => setStored(true),
        () => {
          retry = setTimeout(keep, RETRY_MS);
        },
      );
    keep();
    return () => clearTimeout(retry);
  }, []);
  return stored;
}

export function DeviceReadiness() {
  const { t, i18n } = useTranslation();
  const study = useStudy();
  const questionnaire = useActiveQuestionnaire();
  const locations = useLocations();
  const codes = useFreeCodeCount();
  const stored = useAppStored();
  const [{ small, persisted }, setHealth] = useState({ small: false, persisted: true });
  useEffect(() => {
    void storageHealth(true).then(setHealth);
  }, []);
  if (codes === undefined) return null;
  const records = questionnaire !== null && study !== undefined && locations.length > 0;
  const perInterview = study?.couponsPerSurvey ?? 0;
  const enough = codes >= perInterview;
  return (
    <>
      <Card label={t('ready.label')}>
        <Line good={records && stored === true && enough} live>
          {records && stored === true && enough ? t('ready.yes') : t('ready.notYet')}
        </Line>
        {records ? null : <Line good={false}>{t('ready.noQuestions')}</Line>}
        {stored === true ? null : (
          <Line good={false}>{stored === false ? t('ready.noWorker') : t('ready.storing')}</Line>
        )}
        <Line good={enough}>
          {t('ready.codes', { count: codes, shown: numberInLanguage(codes, i18n.language) })}
          {enough ? null : (
            <>
              . <WhyFewCodes />
            </>
          )}
        </Line>
        {canSeal() ? null : <Line good={false}>{t('ready.notSealed')}</Line>}
        {persisted ? null : <Line good={false}>{t('ready.notPromised')}</Line>}
      </Card>
      {small ? (
        <Notice tone="warn" title={t('storage.small')}>
          {t('storage.smallWhat')}
        </Notice>
      ) : null}
    </>
  );
}

function Line({ good, live, children }: { good: boolean; live?: boolean; children: React.ReactNode }) {
  return (
    <div className="ready-line" role={live ? 'status' : undefined}>
      <span className="ready-mark" data-tone={good ? 'good' : 'warn'}>
        <Icon name={good ? 'check' : 'clock'} size={18} />
      </span>
      <Text component="div" fw={live ? 650 : 400}>
        {children}
      </Text>
    </div>
  );
}
