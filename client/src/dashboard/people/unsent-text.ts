/** Says what phones haven't sent yet, before people leave or a day is closed. */
import { useAbility } from '../../session/session.tsx';
import type { Device } from '../kit/data/dashboard-wire.ts';
import { useList } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { usePersonName } from './person-names.ts';

/** One page at most, with those waiting longest. */
function useUnsent(of: { user?: string; location?: string }, open = true): Device[] {
  const may = useAbility().can('read', 'Recruitment');
  const query = { ...of, pending: 'true', limit: '200' };
  return useList<Device>('/api/devices', query, { enabled: open && may }).rows ?? [];
}

const countOf = (devices: Device[]): number =>
  devices.reduce((sum, { unsent, refused }) => sum + unsent + refused, 0);

/** For these people. Empty if nothing is known to be unsent. */
export function useUnsentText(users: readonly string[], open = true): string {
  const { t, counted } = useDashboardText();
  const [only, another] = users;
  const devices = useUnsent(only && !another ? { user: only } : {}, open);
  const count = countOf(devices.filter(({ user }) => users.includes(user)));
  return count > 0 ? t('devices.stillOut', counted(count)) : '';
}

const MAX_NAMES = 5;

/** At this site, or at all sites, with the people's names. */
export function useUnsentBySiteText(location: string): string {
  const { t, counted, language } = useDashboardText();
  const nameOf = usePersonName();
  const devices = useUnsent(location ? { location } : {});
  const count = countOf(devices);
  if (count === 0) return '';
  const people = [...new Set(devices.map(({ user }) => user))].map(nameOf);
  const listedPeople = people.length > MAX_NAMES ? [...people.slice(0, MAX_NAMES), '…'] : people;
  const names = new Intl.ListFormat(language, { type: 'unit' }).format(listedPeople);
  return t('devices.missingToday', { ...counted(count), names });
}
