/**
 * The browser's Back, and the phone's back key, go to the previous question. For this, an interview has two history
 * entries: Back leaves the second one, which is added again while there is a previous question.
 */
import { useCallback, useEffect, useRef } from 'react';

const ENTRY_KEY = 'question';

const isSecondEntry = (): boolean => (history.state as Record<string, unknown> | null)?.[ENTRY_KEY] === true;

/** `goBack` is null on the first question. Call the result before leaving the interview. */
export function useBackKey(goBack: (() => void) | null): () => Promise<void> {
  const latest = useRef(goBack);
  latest.current = goBack;
  const isLeaving = useRef(false);
  const canGoBack = goBack !== null;
  useEffect(() => {
    if (canGoBack && !isSecondEntry() && !isLeaving.current) pushSecondEntry();
  }, [canGoBack]);
  useEffect(() => {
    const { pathname } = location;
    const onPop = () => {
      if (location.pathname !== pathname || isSecondEntry() || isLeaving.current) return;
      if (!latest.current) {
        // The app's own button led to the first question, and the second entry is still there.
        history.back();
        return;
      }
      latest.current();
      pushSecondEntry();
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);
  return useCallback(async () => {
    isLeaving.current = true;
    if (!isSecondEntry()) return;
    await new Promise((resolve) => {
      addEventListener('popstate', resolve, { once: true });
      history.back();
    });
  }, []);
}

function pushSecondEntry(): void {
  history.pushState({ ...(history.state as object | null), [ENTRY_KEY]: true }, '');
}
