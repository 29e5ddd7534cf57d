/** The site that the person chose on this device. The service only learns of it with their next interview. */
import { deviceDb } from './store/store.ts';

export interface ChosenSite {
  location: string;
  /**
   * The person's site on the service at the time of the choice. Once the service reports another one, that one
   * applies.
   */
  whileAt: string | null;
}

export const chosenSiteKey = (owner: string) => `site-${owner}`;

export const chosenSite = async (owner: string): Promise<ChosenSite | null> =>
  ((await deviceDb.kept.get(chosenSiteKey(owner)))?.value as ChosenSite | undefined) ?? null;

/**
 * The choice after the service moved the person to another site: kept if interviews sent from this device caused the
 * move, otherwise cleared (null). Undefined if nothing changes. `since`: time of the previous request to the service,
 * in milliseconds.
 */
export async function chosenSiteAfterMove(
  owner: string,
  was: string | null,
  is: string | null,
  since: number,
): Promise<ChosenSite | null | undefined> {
  const site = await chosenSite(owner);
  if (site?.whileAt !== was || was === is) return undefined;
  const own = await deviceDb.outbox
    .where({ owner, state: 'sent' })
    .filter(({ location, sentAt }) => location === is && Date.parse(sentAt ?? '') >= since)
    .count();
  return own > 0 && site.location !== is ? { ...site, whileAt: is } : null;
}
