/** Records of the service that the device caches: study, sites, the active questionnaire. */
import { type Query, QueryClient, type QueryKey, useQuery } from '@tanstack/react-query';
import { type ChosenSite, choiceAfterMove, chosenSite, siteKey } from '../device/chosen-site.ts';
import { clockOffsetMs } from '../device/service-time.ts';
import { hasSignal } from '../device/signal.ts';
import { storeActiveQuestionnaire, storeCopy, storeQuestionnaire } from '../device/store/offline-copies.ts';
import { db } from '../device/store/store.ts';
import { currentSession } from '../device/stored-session.ts';
import { PersonLeft, type Workspace, workspace } from '../device/workspace.ts';
import type { ListOf, Location, PublicStudy, Questionnaire, Study } from '../wire.ts';
import { NoSignal, Refusal, request } from './api.ts';
import { queryKeys } from './query-keys.ts';
import { useSession } from './session.tsx';

/** One for each workspace: nobody sees an answer that was somebody else's. */
export function newQueryClient(mine: Workspace): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'offlineFirst',
        staleTime: 30_000,
        // Without a network a second try would be put off until there is one, and the page would wait with it for ever.
        retry: (failures, error) =>
          failures < 2 && navigator.onLine && !(error instanceof Refusal) && !(error instanceof PersonLeft),
      },
      mutations: { networkMode: 'offlineFirst', retry: false },
    },
  });
  /** What failed for want of a signal, and is looked at, is asked again as soon as there is one. */
  const unwatch = hasSignal.watch(() => {
    if (!hasSignal.get()) return;
    const missed = ({ state }: Query) => state.error instanceof NoSignal;
    void queries.refetchQueries({ type: 'active', predicate: missed }, { cancelRefetch: false });
  });
  // How old an answer is goes by the phone's clock: after a jump of it nothing is known to be fresh.
  const unwatchClock = clockOffsetMs.watch(() => void queries.invalidateQueries());
  mine.onEnd(() => {
    unwatch();
    unwatchClock();
    queries.clear();
  });
  return queries;
}

/** Those of whoever is at work. A page takes its own by `useQueryClient`. */
export const currentQueryClient = (): QueryClient => workspace.get().getOrCreate(newQueryClient);

/** What the dashboard asks and the device does not keep. */
export const answerQuery = <T>(owner: string, path: string) => ({
  queryKey: queryKeys.answer(owner, path),
  queryFn: () => request<T>('GET', path),
  staleTime: 2_000,
});

/** They are kept under the name that they are asked by. */
const FOR_ALL = [queryKeys.locations, queryKeys.publicStudy];
const FOR_APPROVED = [...FOR_ALL, queryKeys.study, queryKeys.active];

/** The copies are shown at once, before the service has answered or where it can't. */
export async function loadOfflineCopies(): Promise<void> {
  const queries = currentQueryClient();
  const mine = currentSession.get()?.user.approvalStatus === 'APPROVED' ? FOR_APPROVED : FOR_ALL;
  const rows = await db.kept.bulkGet(mine.map(([name]) => name));
  for (const [index, key] of mine.entries())
    if (rows[index] && queries.getQueryData(key) === undefined)
      queries.setQueryData(key, rows[index].value, { updatedAt: 1 });
}

async function fetchStudy(): Promise<Study> {
  const study = await request<Study>('GET', '/api/study');
  await storeCopy('study', study);
  return study;
}

async function fetchPublicStudy(): Promise<PublicStudy> {
  const study = await request<PublicStudy>('GET', '/api/study/public');
  await storeCopy('public-study', study);
  return study;
}

async function fetchLocations(): Promise<Location[]> {
  const { data } = await request<ListOf<Location>>('GET', '/api/locations');
  await storeCopy('locations', data);
  return data;
}

/** Its id; the questions themselves are large and read from the device when an interview opens. */
async function fetchActive(): Promise<string> {
  const questionnaire = await request<Questionnaire>('GET', '/api/questionnaires/active');
  await storeActiveQuestionnaire(questionnaire);
  return questionnaire.id;
}

const FIVE_MINUTES = 5 * 60_000;

/** Only the sites and the study's public word are open to everyone; the rest is for approved people who are signed in. */
function useKept<T>(queryKey: QueryKey, queryFn: () => Promise<T>, open: boolean): T | undefined {
  return useQuery({ queryKey, queryFn, staleTime: FIVE_MINUTES, enabled: open }).data;
}

function useApproved(): boolean {
  const now = useSession();
  return now !== null && !now.expired && now.user.approvalStatus === 'APPROVED';
}

export const useStudy = () => useKept(queryKeys.study, fetchStudy, useApproved());
/** What the study tells whoever is not signed in. That nobody has set it up may change at any moment. */
export function usePublicStudy({ always = false } = {}) {
  return useQuery({
    queryKey: queryKeys.publicStudy,
    queryFn: fetchPublicStudy,
    staleTime: ({ state }) => (state.data?.needsSetup ? 0 : FIVE_MINUTES),
    enabled: !useApproved() || always,
    retry: false,
  });
}

export function useStudyName(): string | undefined {
  const [approved, own, open] = [useApproved(), useStudy()?.name, usePublicStudy().data?.name];
  return approved ? (own ?? open) : (open ?? own);
}

export const useLocations = () => useKept(queryKeys.locations, fetchLocations, true) ?? [];
export const useActiveQuestionnaire = () => useKept(queryKeys.active, fetchActive, useApproved()) ?? null;

export function useLocationName(): (id: string | null) => string {
  const locations = useLocations();
  return (id) => locations.find((location) => location.id === id)?.name ?? '–';
}

/** A version of the questions: from the device, else from the service. It never changes. */
export async function questionnaireById(id: string): Promise<Questionnaire> {
  // Where the store is closed the service may still be there.
  const here = await db.questionnaires.get(id).catch(() => undefined);
  const questionnaire = here ?? (await request<Questionnaire>('GET', `/api/questionnaires/${id}`));
  if (!here) await storeQuestionnaire(questionnaire);
  // Nobody needs it before the first questionnaire.
  const { withNonresponseQuestion } = await import('../../../src/questionnaires/answers/nonresponse.ts');
  return withNonresponseQuestion(questionnaire);
}

/** Null where it is not known yet which. */
export function useQuestionnaire(id: string | null) {
  return useQuery({
    queryKey: queryKeys.questionnaire(id),
    queryFn: () => questionnaireById(id ?? ''),
    enabled: id !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const chooseSite = (owner: string, location: string, current: string | null): Promise<void> =>
  keepChoice(owner, { location, whileAt: current });

async function keepChoice(owner: string, site: ChosenSite | null): Promise<void> {
  currentQueryClient().setQueryData(queryKeys.chosenSite(owner), site);
  await (site ? storeCopy(siteKey(owner), site) : db.kept.delete(siteKey(owner)));
}

export async function keepSiteAfterMove(...move: Parameters<typeof choiceAfterMove>): Promise<void> {
  const site = await choiceAfterMove(...move);
  if (site !== undefined) await keepChoice(move[0], site);
}

export function useSite(owner: string, current: string | null): string | null {
  const siteQuery = useQuery({
    queryKey: queryKeys.chosenSite(owner),
    queryFn: () => chosenSite(owner),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  return siteQuery && siteQuery.whileAt === current ? siteQuery.location : current;
}
