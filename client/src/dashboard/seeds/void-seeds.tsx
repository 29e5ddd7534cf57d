/** Voids the selected seeds, after saying how many they are and where. */
import type { z } from 'zod';
import type { SeedsDeleted as SeedsDeletedSchema } from '../../../../src/coupons/seeds/schema.ts';
import { RequestRefusal, request } from '../../session/api.ts';
import { useLocationName } from '../../session/records.ts';
import { Dialog } from '../kit/actions/dialog.tsx';
import { useSurroundingPageActions } from '../kit/actions/use-actions.ts';
import type { Seed } from '../kit/data/dashboard-wire.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

type SeedsDeleted = z.infer<typeof SeedsDeletedSchema>;

/** Keeps each request short. */
const SEEDS_PER_REQUEST = 50;
const TIMEOUT_MS = 120_000;

/**
 * Voids one seed of a list. The first of each fifty sends one request for all fifty; a retried seed is sent alone.
 */
function voider(seeds: readonly Seed[]): (seed: Seed) => Promise<unknown> {
  const requestByPart = new Map<number, Promise<SeedsDeleted>>();
  const tried = new Set<string>();
  const send = (part: number) => {
    const ids = seeds.slice(part * SEEDS_PER_REQUEST, (part + 1) * SEEDS_PER_REQUEST).map(({ id }) => id);
    return request<SeedsDeleted>('POST', '/api/seeds/delete', { body: { ids }, timeoutMs: TIMEOUT_MS });
  };
  return async (seed) => {
    if (tried.has(seed.id)) return await request('DELETE', `/api/seeds/${seed.id}`);
    tried.add(seed.id);
    const part = Math.floor(seeds.indexOf(seed) / SEEDS_PER_REQUEST);
    const answer = requestByPart.get(part) ?? send(part);
    requestByPart.set(part, answer);
    const refused = (await answer).refused.find(({ id }) => id === seed.id);
    if (!refused) return;
    const { message, code } = refused;
    throw new RequestRefusal(409, { message, ...(code ? { code } : {}) }, null);
  };
}

interface VoidSeedsProps {
  seeds: Seed[];
  name(seed: Seed): string;
  onStart(): void;
  onClose(): void;
}

export function VoidSeedsDialog({ seeds, name, onStart, onClose }: VoidSeedsProps) {
  const { t, number } = useDashboardText();
  const siteOf = useLocationName();
  const { run } = useSurroundingPageActions();
  const bySite = new Map<string, number>();
  for (const { location } of seeds) bySite.set(location, (bySite.get(location) ?? 0) + 1);
  return (
    <Dialog
      danger
      title={t('seeds.voidTitle')}
      text={
        <>
          {t('seeds.voidWhat', { shown: number(seeds.length) })}
          <ul>
            {[...bySite].map(([site, count]) => (
              <li key={site}>
                {siteOf(site)}: {number(count)}
              </li>
            ))}
          </ul>
        </>
      }
      yes={t('common.void')}
      onYes={async () => {
        onStart();
        void run({
          items: seeds,
          one: voider(seeds),
          name,
          messageOf: (results) => t('seeds.voided', { shown: number(results.length) }),
        });
      }}
      onClose={onClose}
    />
  );
}
