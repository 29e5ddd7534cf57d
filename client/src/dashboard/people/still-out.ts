/** What the phones of one person have not sent yet, in a sentence before their account is deleted. */
import { useAbility } from '../../session/session.tsx';
import type { Device } from '../kit/data/desk-wire.ts';
import { useList } from '../kit/data/use-list.tsx';
import { useDeskText } from '../kit/words/desk-text.ts';

/** Empty if nothing is known to be unsent. */
export function useStillOut(user: string): string {
  const { t, counted } = useDeskText();
  const open = useAbility().can('read', 'Recruitment');
  const { rows } = useList<Device>('/api/devices', { user, pending: 'true', limit: '200' }, { open });
  const count = (rows ?? []).reduce(
    (sum, { unsent, refused: refusedCount }) => sum + unsent + refusedCount,
    0,
  );
  return count > 0 ? t('devices.stillOut', counted(count)) : '';
}
