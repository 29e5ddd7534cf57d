/** Why nothing could be paid, in plain words. */
import { useTranslation } from 'react-i18next';
import { NoSignal, Refusal } from '../../api.ts';
import { useProblemText } from '../../problem-text.ts';
import { Notice } from '../../ui/notice.tsx';

export function ClaimFault({ error }: { error: unknown }) {
  const { t } = useTranslation('paying');
  const problem = useProblemText();
  // The page says that there is no signal, and asks again once there is one.
  if (!error || error instanceof NoSignal) return null;
  if (error instanceof Refusal && error.status === 404)
    return (
      <Notice tone="bad" live title={t('person.unknown')}>
        {t('person.unknownWhat')}
      </Notice>
    );
  return <Notice tone="bad" live title={problem(error)} />;
}

export function PayFault({ error }: { error: unknown }) {
  const { t } = useTranslation('paying');
  const problem = useProblemText();
  if (!error) return null;
  const isUnsure = error instanceof NoSignal || (error instanceof Refusal && error.status >= 500);
  if (isUnsure)
    return (
      <Notice tone="warn" live title={t('person.unsure')}>
        {t('person.unsureWhat')}
      </Notice>
    );
  const isForbidden = error instanceof Refusal && error.status === 403;
  // Said at its field.
  if (error instanceof Refusal && error.errors.some(({ path }) => path === 'location')) return null;
  return <Notice tone="bad" live title={isForbidden ? t('person.forbidden') : problem(error)} />;
}
