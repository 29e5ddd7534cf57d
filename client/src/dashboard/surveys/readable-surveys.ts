/** Which interviews this person may read. Evaluates the rules, because a person may have grants beyond their role. */
import type { AnyMongoAbility } from '@casl/ability';
import { useLocations } from '../../session/records.ts';
import { asPermissionSubject, rightsSentAt } from '../../session/rights.ts';
import { useAbility, useSession, useUser } from '../../session/session.tsx';
import type { Location } from '../../wire.ts';

export interface SurveyReadScope {
  /** Interviews of earlier days can't be read. */
  todayOnly: boolean;
  /** Sites whose interviews can be read. */
  sites: Location[];
  /** True if that is all sites. */
  everywhere: boolean;
}

const BEFORE_THE_STUDY = '2000-01-01T00:00:00.000Z';

const mayRead = (ability: AnyMongoAbility, createdBy: string, location: string, createdAt: string) =>
  ability.can('read', asPermissionSubject('Survey', { location, createdAt, createdBy }));

export function useReadableSurveys(): SurveyReadScope {
  const ability = useAbility();
  const { id } = useUser();
  const all = useLocations();
  const now = useSession();
  // Checks other people's interviews too, which reviewers may read.
  const read = (site: Location, createdAt: string) =>
    [id, ''].some((createdBy) => mayRead(ability, createdBy, site.id, createdAt));
  const old = all.some((site) => read(site, BEFORE_THE_STUDY));
  const sites = all.filter((site) =>
    [...(now ? [rightsSentAt(now)] : []), BEFORE_THE_STUDY].some((createdAt) => read(site, createdAt)),
  );
  return { todayOnly: all.length > 0 && !old, sites, everywhere: sites.length === all.length };
}
