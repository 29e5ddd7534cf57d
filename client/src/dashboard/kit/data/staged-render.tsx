/** Renders a long page in parts, one per frame, because rendering it at once would block taps. */
import { Children, type ReactNode, startTransition, useEffect, useState } from 'react';

export function StagedRender({ children }: { children: ReactNode }) {
  const parts = Children.toArray(children);
  const [count, setCount] = useState(1);
  const isWhole = count >= parts.length;
  useEffect(() => {
    if (isWhole) return;
    const next = setTimeout(() => startTransition(() => setCount(count + 1)));
    return () => clearTimeout(next);
  }, [count, isWhole]);
  return parts.slice(0, count);
}
