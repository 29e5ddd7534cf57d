/** What is with this coupon? A code typed in any spelling is judged by the service. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import type { CodeVerdict as Verdict } from '../../desk/wire.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { CodeVerdict } from './code-verdict.tsx';

export function CodeLookUp() {
  const { t } = useDeskText();
  const [text, setText] = useState('');
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const { submit, busy, error } = useSubmit(async () => {
    setVerdict(null);
    setVerdict(
      await request<Verdict>('GET', `/api/validate-referral-code/${encodeURIComponent(text.trim())}`),
    );
  });
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
        {verdict ? <CodeVerdict verdict={verdict} onVoided={() => setVerdict(null)} /> : null}
      </div>
      <FormError error={error} />
    </section>
  );
}
