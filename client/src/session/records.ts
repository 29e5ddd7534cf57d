/** Records of the service that the device caches: study, sites, the active questionnaire. */
import { type Query, QueryClient, type QueryKey, useQuery } from '@tanstack/react-query';
import { type ChosenSite, chosenSite, chosenSiteAfterMove, chosenSiteKey } from '../device/chosen-site.ts';
import { clockOffsetMs } from '../device/service-time.ts';
import { isServiceReachable } from '../device/signal.ts';
import {
  storeActiveQuestionnaire,
  storeOfflineCopy,
  storeQuestionnaire,
} from '../device/store/offline-copies.ts';
import { deviceDb } from '../device/store/store.ts';
import { currentSession } from '../device/stored-session.ts';
import { currentWorkspace, PersonChanged, type PersonScope } from '../device/workspace.ts';
import type { ListOf, Location, PublicStudy, Questionnaire, Study } from '../wire.ts';
import { NoSignal, RequestRefusal, request } from './api.ts';
import { queryKeys } from './query-keys.ts';
import { useSession } from './session.tsx';

/** One per workspace, so that nobody sees another person's data. */
export function newQueryClient(mine: PersonScope): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'offlineFirst',
        staleTime: 30_000,
        // Without a network, React Query would pause the retry until there is one, and the page would wait
        // indefinitely.
        retry: (failures, error) =>
          failures < 2 &&
          navigator.onLine &&
          !(error instanceof RequestRefusal) &&
          !(error instanceof PersonChanged),
      },
      mutations: { networkMode: 'offlineFirst', retry: false },
    },
  });
  /** Queries that are on the screen and failed for lack of a connection are retried once there is one. */
  const unwatch = isServiceReachable.watch(() => {
    if (!isServiceReachable.get()) return;
    const missed = ({ state }: Query) => state.error instanceof NoSignal;
    void queries.refetchQueries({ type: 'active', predicate: missed }, { cancelRefetch: false });
  });
  // React Query judges freshness by the phone's clock: after a jump of the clock, nothing counts as fresh.
  const unwatchClock = clockOffsetMs.watch(() => void queries.invalidateQueries());
  mine.onEnd(() => {
    unwatch();
    unwatchClock();
    queries.clear();
  });
  return queries;
}

/** The current person's query client. Components use `useQueryClient`. */
export const currentQueryClient = (): QueryClient => currentWorkspace.get().getOrCreate(newQueryClient);

/** Dashboard data, which isn't stored on the device. */
export const dashboardQuery = <T>(owner: string, path: string) => ({
  queryKey: queryKeys.answer(owner, path),
  queryFn: () => request<T>('GET', path),
  staleTime: 2_000,
});

/** Stored on the device under their query keys. */
const PUBLIC_COPIES = [queryKeys.locations, queryKeys.publicStudy];
const APPROVED_COPIES = [...PUBLIC_COPIES, queryKeys.study, queryKeys.active];

/** Shows the stored copies at once, before or without a reply from the service. */
export async function loadOfflineCopies(): Promise<void> {
  const queries = currentQueryClient();
  const mine = currentSession.get()?.user.approvalStatus === 'APPROVED' ? APPROVED_COPIES : PUBLIC_COPIES;
  const rows = await deviceDb.kept.bulkGet(mine.map(([name]) => name));
  for (const [index, key] of mine.entries())
    if (rows[index] && queries.getQueryData(key) === undefined)
      queries.setQueryData(key, rows[index].value, { updatedAt: 1 });
}

async function fetchStudy(): Promise<Study> {
  const study = await request<Study>('GET', '/api/study');
  await storeOfflineCopy('study', study);
  return study;
}

async function fetchPublicStudy(): Promise<PublicStudy> {
  const study = await request<PublicStudy>('GET', '/api/study/public');
  await storeOfflineCopy('public-study', study);
  return study;
}

async function fetchLocations(): Promise<Location[]> {
  const { data } = await request<ListOf<Location>>('GET', '/api/locations');
  await storeOfflineCopy('locations', data);
  return data;
}

/** Only the id: the questions are large, and are read from the device when an interview opens. */
async function fetchActive(): Promise<string> {
  const questionnaire = await request<Questionnaire>('GET', '/api/questionnaires/active');
  await storeActiveQuestionnaire(questionnaire);
  return questionnaire.id;
}

const STALE_MS = 5 * 60_000;

/**
 * Only the sites and the public part of the study are open to everyone; the rest requires an approved, signed-in
 * person.
 */
function useStudyQuery<T>(queryKey: QueryKey, queryFn: () => Promise<T>, open: boolean): T | undefined {
  return useQuery({ queryKey, queryFn, staleTime: STALE_MS, enabled: open }).data;
}

function useApproved(): boolean {
  const now = useSession();
  return now !== null && !now.expired && now.user.approvalStatus === 'APPROVED';
}

export const useStudy = () => useStudyQuery(queryKeys.study, fetchStudy, useApproved());
/**
 * The public part of the study. While it isn't set up, it is always refetched, since that may change at any moment.
 */
export function usePublicStudy({ always = false } = {}) {
  return useQuery({
    queryKey: queryKeys.publicStudy,
    queryFn: fetchPublicStudy,
    staleTime: ({ state }) => (state.data?.needsSetup ? 0 : STALE_MS),
    enabled: !useApproved() || always,
    retry: false,
  });
}

export function useStudyName(): string | undefined {
  const [approved, own, open] = [useApproved(), useStudy()?.name, usePublicStudy().data?.name];
  return approved ? (own ?? open) : (open ?? own);
}

export const useLocations = () => useStudyQuery(queryKeys.locations, fetchLocations, true) ?? [];
export const useActiveQuestionnaire = () =>
  useStudyQuery(queryKeys.active, fetchActive, useApproved()) ?? null;

export function useLocationName(): (id: string | null) => string {
  const locations = useLocations();
  return (id) => locations.find((location) => location.id === id)?.name ?? '–';
}

/** One version of the questions, from the device or else from the service. A version never changes. */
export async function loadQuestionnaireById(id: string): Promise<Questionnaire> {
  // If the store is closed, the service may still be reachable.
  const here = await deviceDb.questionnaires.get(id).catch(() => undefined);
  const questionnaire = here ?? (await request<Questionnaire>('GET', `/api/questionnaires/${id}`));
  if (!here) await storeQuestionnaire(questionnaire);
  // Not needed before the first questionnaire.
  const { withNoNetworkSizeReason } = await import('../../../src/questionnaires/answers/nonresponse.ts');
  return withNoNetworkSizeReason(questionnaire);
}

/** Disabled while the id is null. */
export function useQuestionnaire(id: string | null) {
  return useQuery({
    queryKey: queryKeys.questionnaire(id),
    queryFn: () => loadQuestionnaireById(id ?? ''),
    enabled: id !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const chooseSite = (owner: string, location: string, current: string | null): Promise<void> =>
  storeChosenSite(owner, { location, whileAt: current });

async function storeChosenSite(owner: string, site: ChosenSite | null): Promise<void> {
  currentQueryClient().setQueryData(queryKeys.chosenSite(owner), site);
  await (site ? storeOfflineCopy(chosenSiteKey(owner), site) : deviceDb.kept.delete(chosenSiteKey(owner)));
}

export async function updateChosenSite(...move: Parameters<typeof chosenSiteAfterMove>): Promise<void> {
  const site = await chosenSiteAfterMove(...move);
  if (site !== undefined) await storeChosenSite(move[0], site);
}

export function useChosenSiteId(owner: string, current: string | null): string | null {
  const siteQuery = useQuery({
    queryKey: queryKeys.chosenSite(owner),
    queryFn: () => chosenSite(owner),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  return siteQuery && siteQuery.whileAt === current ? siteQuery.location : current;
}
