import { Tag, type Tone } from '../../parts/notice.tsx';
import type { User } from '../../wire.ts';
import { useDeskText } from './desk-text.ts';

const TONES: Record<User['approvalStatus'], Tone> = { PENDING: 'warn', APPROVED: 'good', REJECTED: 'bad' };

export function StatusTag({ status }: { status: User['approvalStatus'] }) {
  const { t } = useDeskText();
  return <Tag tone={TONES[status]}>{t(`people.status.${status}`)}</Tag>;
}
