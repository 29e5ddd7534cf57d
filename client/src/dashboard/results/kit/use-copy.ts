/** Copies text, and shows a toast saying whether it worked. */
import { useToast } from '../../kit/actions/use-actions.ts';
import { useResultsPageText } from '../results-text.ts';

export function useCopy(): (text: string) => Promise<void> {
  const { t } = useResultsPageText();
  const toast = useToast();
  return async (text) => {
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    toast(isCopied ? t('copied') : { text: t('notCopied'), bad: true });
  };
}
