/** Printed coupons that came after the interview had gone out: on their way to the service, or not taken by it. */
import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { reportAgain, stillLate } from '../../device/late-coupons.ts';
import type { LateRefused, OutboxRow } from '../../device/store.ts';
import { Notice } from '../../ui/notice.tsx';
import { CodeText } from './code-text.tsx';

export function LateCoupons({ row }: { row: OutboxRow }) {
  const { t } = useTranslation();
  const { lateRefused = [] } = row;
  const late = stillLate(row);
  return (
    <>
      {late.length > 0 ? (
        <Notice tone="info" live title={t('coupons.late', { count: late.length })}>
          {t('coupons.lateWhat')}
        </Notice>
      ) : null}
      {lateRefused.length > 0 ? (
        <Notice tone="bad" live title={t('coupons.refused', { count: lateRefused.length })}>
          {lateRefused.map((one) => (
            <Refusal key={one.code} {...one} />
          ))}
          <Button mt="sm" variant="default" onClick={() => void reportAgain(row.clientId)}>
            {t('coupons.tellAgain')}
          </Button>
        </Notice>
      ) : null}
    </>
  );
}

/** A coupon's own fault is mended with another coupon; everything else by someone in charge. */
function Refusal({ code, status }: LateRefused) {
  const { t } = useTranslation();
  return (
    <Text component="div" mt={4}>
      <CodeText code={code} /> {t(status === 400 ? 'coupons.refusedCode' : 'coupons.refusedPerson')}
    </Text>
  );
}
