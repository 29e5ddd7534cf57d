/** A code, as a link to its page if the user may open it. */
import { Link } from 'react-router';
import { formatCode } from '../../../../src/coupons/referral-codes/code.ts';
import { CodeText } from '../../phone/coupons/code-text.tsx';
import { useAbility } from '../../session/session.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

export function CodeLink({ code }: { code: string }) {
  const { t } = useDashboardText();
  const mayLook = useAbility().can('list', 'User');
  const codeText = <CodeText code={code} />;
  return mayLook ? (
    <Link to={`/desk/coupons/${code}`} aria-label={t('lookUp.one', { code: formatCode(code) })}>
      {codeText}
    </Link>
  ) : (
    codeText
  );
}
