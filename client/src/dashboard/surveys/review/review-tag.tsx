import { Tag } from '../../../ui/notice.tsx';
import type { Survey } from '../../../wire.ts';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';

const TONES = { RECEIVED: 'info', HAS_ISSUES: 'warn', APPROVED: 'good', REJECTED: 'bad' } as const;

export function ReviewTag({ state }: { state: Survey['review']['state'] }) {
  const { app } = useDashboardText();
  return <Tag tone={TONES[state]}>{app(`review.${state}`)}</Tag>;
}
