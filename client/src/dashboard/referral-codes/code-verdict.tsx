/** A code's state, where it was used, and a button to void it if that is still possible. */
import { CodeText } from '../../phone/coupons/code-text.tsx';
import { useAbility } from '../../session/session.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { CodeVerdict as Verdict } from '../../wire.ts';
import { RowActions } from '../kit/list/list-actions.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { CodeTraces } from './code-traces.tsx';
import { useVoidCodeAction } from './void-code.ts';

interface CodeVerdictProps {
  verdict: Verdict;
  /** Interviews that the page already shows; null while loading. */
  listedIds?: string[] | null;
  onVoided?(): void;
}

export function CodeVerdictNotice({ verdict, listedIds = [], onVoided }: CodeVerdictProps) {
  const { t } = useDashboardText();
  const ability = useAbility();
  const voidAct = useVoidCodeAction();
  const { code, isValid, reason } = verdict;
  const mayVoid = (isValid || reason === 'NOT_YET') && ability.can('update', 'ReferralCode');
  return (
    <Notice
      tone={isValid ? 'good' : reason === 'USED' ? 'info' : 'warn'}
      title={
        <>
          <CodeText code={code} /> {t(`coupons.verdict.${reason ?? 'GOOD'}`)}
        </>
      }
    >
      {listedIds ? <CodeTraces code={code} listedIds={listedIds} /> : null}
      {mayVoid ? <RowActions actions={[voidAct(code, onVoided)]} record={code} /> : null}
    </Notice>
  );
}
