/** The bottom of a page, loaded only when scrolled into view: people working through a queue may never see it. */
import { useInViewport } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { ListSkeleton } from '../kit/list/dashboard-page.tsx';

export function LazySection({ label, children }: { label: string; children: ReactNode }) {
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
