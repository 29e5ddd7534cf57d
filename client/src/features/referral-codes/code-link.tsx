/** A code, as a link to its page if the user may open it. */
import { Link } from 'react-router';
import { formatCode } from '../../../../src/referral-codes/code.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { useAbility } from '../../session.tsx';
import { CodeText } from '../coupons/code-text.tsx';

export function CodeLink({ code }: { code: string }) {
  const { t } = useDeskText();
  const mayLook = useAbility().can('list', 'User');
  const shown = <CodeText code={code} />;
  return mayLook ? (
    <Link to={`/desk/coupons/${code}`} aria-label={t('lookUp.one', { code: formatCode(code) })}>
      {shown}
    </Link>
  ) : (
    shown
  );
}
