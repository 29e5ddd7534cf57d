/** Copies text, and shows a toast saying whether it worked. */
import { useToast } from '../../kit/actions/use-actions.ts';
import { useResultsText } from '../results-text.ts';

export function useCopy(): (text: string) => Promise<void> {
  const { t } = useResultsText();
  const toast = useToast();
  return async (text) => {
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    toast(isCopied ? t('copied') : { text: t('notCopied'), bad: true });
  };
}
