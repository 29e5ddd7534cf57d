/** The end of a page that is asked for only once it comes into sight. Whoever works through a queue may never look at it. */
import { useInViewport } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { ListSkeleton } from '../../desk/desk-page.tsx';

export function WhenSeen({ label, children }: { label: string; children: ReactNode }) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (inViewport) setSeen(true);
  }, [inViewport]);
  if (isSeen) return children;
  return (
    <div ref={ref}>
      <ListSkeleton label={label} rows={4} />
    </div>
  );
}
