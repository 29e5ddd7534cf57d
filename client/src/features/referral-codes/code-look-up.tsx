/** What is with this coupon? A code typed in any spelling is judged by the service. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import type { CodeVerdict } from '../../desk/wire.ts';
import { useAbility } from '../../session.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CodeText } from '../coupons/code-text.tsx';
import { CodeTraces } from './code-traces.tsx';
import { VoidCode } from './codes.tsx';

export function CodeLookUp({ onDone }: { onDone(text: string): void }) {
  const { t } = useDeskText();
  const ability = useAbility();
  const [text, setText] = useState('');
  const [verdict, setVerdict] = useState<CodeVerdict | null>(null);
  const { submit, busy, error } = useSubmit(async () => {
    setVerdict(null);
    setVerdict(
      await request<CodeVerdict>('GET', `/api/validate-referral-code/${encodeURIComponent(text.trim())}`),
    );
  });
  const mayVoid =
    verdict && (verdict.isValid || verdict.reason === 'NOT_YET') && ability.can('update', 'ReferralCode');
  return (
    <section className="desk-narrow" aria-label={t('coupons.lookUp')}>
      <form onSubmit={submit} className="desk-inline">
        <TextInput
          size="md"
          label={t('coupons.lookUp')}
          placeholder="ABCD-EFGC"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setVerdict(null);
          }}
        />
        <Button type="submit" size="md" variant="default" loading={busy} disabled={text.trim() === ''}>
          {t('coupons.look')}
        </Button>
      </form>
      <div role="status" style={{ marginTop: verdict ? 12 : 0 }}>
        {verdict ? (
          <Notice
            tone={verdict.isValid ? 'good' : 'warn'}
            title={
              <>
                <CodeText code={verdict.code} /> {t(`coupons.verdict.${verdict.reason ?? 'GOOD'}`)}
              </>
            }
          >
            <CodeTraces code={verdict.code} />
            {mayVoid ? (
              <VoidCode
                code={verdict.code}
                onDone={(text) => {
                  setVerdict(null);
                  onDone(text);
                }}
              />
            ) : null}
          </Notice>
        ) : null}
      </div>
      <FormError error={error} />
    </section>
  );
}
