import { useDeskText } from '../../desk/desk-text.ts';
import { Tag, type Tone } from '../../ui/notice.tsx';
import type { User } from '../../wire.ts';

const TONES: Record<User['approvalStatus'], Tone> = { PENDING: 'warn', APPROVED: 'good', REJECTED: 'bad' };

export function StatusTag({ status }: { status: User['approvalStatus'] }) {
  const { t } = useDeskText();
  return <Tag tone={TONES[status]}>{t(`people.status.${status}`)}</Tag>;
}
