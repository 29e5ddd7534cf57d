/** The site that the person chose on this device; the service only learns of it with the next interview. */
import { db } from './store/store.ts';

export interface ChosenSite {
  location: string;
  /** The current location that the service knew then. Once it knows another one, that one applies. */
  whileAt: string | null;
}

export const siteKey = (owner: string) => `site-${owner}`;

export const chosenSite = async (owner: string): Promise<ChosenSite | null> =>
  ((await db.kept.get(siteKey(owner)))?.value as ChosenSite | undefined) ?? null;

/**
 * The choice after the service moved the person from one site to another: it stays if interviews that were held here
 * before it did that, and ends otherwise. Undefined if nothing changes. `since`: when the service was asked last, in
 * milliseconds.
 */
export async function choiceAfterMove(
  owner: string,
  was: string | null,
  is: string | null,
  since: number,
): Promise<ChosenSite | null | undefined> {
  const site = await chosenSite(owner);
  if (site?.whileAt !== was || was === is) return undefined;
  const own = await db.outbox
    .where({ owner, state: 'sent' })
    .filter(({ location, sentAt }) => location === is && Date.parse(sentAt ?? '') >= since)
    .count();
  return own > 0 && site.location !== is ? { ...site, whileAt: is } : null;
}
