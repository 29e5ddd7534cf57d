/**
 * Drafts of questionnaires, stored by the service a moment after each change; until then, they are on the device. If
 * someone else has changed a draft, nothing more is sent until the person here chooses a version.
 */
import type {
  QuestionnaireDraft,
  QuestionnaireDraftSummary,
} from '../../../../../src/questionnaires/drafts/schema.ts';
import { warnBeforeClosing } from '../../../device/edits.ts';
import { observable } from '../../../device/observable.ts';
import type { PersonScope } from '../../../device/workspace.ts';
import { PersonChanged } from '../../../device/workspace.ts';
import { ifMatchHeader, isConflict, NoSignal, RequestRefusal, request } from '../../../session/api.ts';
import type { ListOf } from '../../../wire.ts';
import { draftContent, haveSameContent, toVersionDraft, type VersionDraft } from './draft-content.ts';
import {
  dropLocalQuestionnaireDraft,
  type QuestionnaireDraftReference,
  readLocalQuestionnaireDraft,
  storeLocalQuestionnaireDraft,
} from './draft-on-device.ts';

const PATH = '/api/questionnaire-drafts';
const TYPING_MS = 1_000;
const NO_SIGNAL_RETRY_MS = 5_000;

/** As stored by the service. */
export interface StoredQuestionnaireDraft {
  id: string;
  version: number;
  updatedBy: string;
  updatedAt: string;
  draft: VersionDraft;
}

export interface DraftState {
  isLoading: boolean;
  draft: VersionDraft | null;
  /** The service's version as last seen; null if it has none. */
  seen: { id: string; version: number } | null;
  /** The service has the current content. */
  isStored: boolean;
  /** What someone else stored meanwhile; null if they discarded it or saved it as a version. */
  other?: StoredQuestionnaireDraft | null | undefined;
  error: unknown;
}

export interface OpenQuestionnaireDraft {
  get(): DraftState;
  watch(listener: () => void): () => void;
  set(draft: VersionDraft | null): void;
  /** Reads the service's version, unless there are unsent changes here. */
  look(): Promise<void>;
  /** Sends unsent changes. */
  push(): Promise<void>;
  keepMine(): void;
  takeOther(): void;
}

export function openQuestionnaireDraft(
  place: QuestionnaireDraftReference,
  { owner, ended: signal, onEnd }: PersonScope,
): OpenQuestionnaireDraft {
  const here = readLocalQuestionnaireDraft(owner, place);
  const state = observable<DraftState>({
    isLoading: true,
    draft: here?.draft ?? null,
    seen: here?.seen ?? null,
    isStored: here === null,
    error: null,
  });
  const change = (next: Partial<DraftState>) => state.set({ ...state.get(), ...next });
  const nameHere = (): QuestionnaireDraftReference => ({
    ...place,
    id: place.base ? null : (state.get().seen?.id ?? place.id),
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | null = null;

  const schedule = (after: number) => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(() => void push(), after);
  };
  const keepHere = () => {
    const { draft, seen: base, isStored } = state.get();
    const where = nameHere();
    if (isStored || !draft) dropLocalQuestionnaireDraft(owner, where);
    const isSafe = isStored || !draft || storeLocalQuestionnaireDraft(owner, where, { draft, seen: base });
    warnBeforeClosing(`draft ${where.base ?? where.id ?? where.from}`, !isSafe);
  };
  const set = (draft: VersionDraft | null) => {
    if (draft === state.get().draft) return;
    change({ draft, isStored: draft === null && state.get().seen === null, error: null });
    keepHere();
    schedule(draft === null ? 0 : TYPING_MS);
  };

  /** Someone else was faster; `stored` is what they have now. */
  const mergeStored = (stored: StoredQuestionnaireDraft | null) => {
    const { draft, isStored, seen: base } = state.get();
    const seenNow = stored && { id: stored.id, version: stored.version };
    if (isStored || haveSameContent(stored?.draft ?? null, draft)) {
      // The same draft; the text here may just be formatted differently.
      const newest = haveSameContent(stored?.draft ?? null, draft) ? draft : (stored?.draft ?? null);
      change({ draft: newest, seen: seenNow, isStored: true, other: undefined });
      keepHere();
    } else if (base?.id === stored?.id && base?.version === stored?.version) schedule(0);
    else change({ other: stored });
  };
  const look = async () => {
    try {
      const stored = await find(place.base, state.get().seen?.id ?? place.id);
      change({ error: null });
      if (!sending) mergeStored(stored);
    } catch (error) {
      if (error instanceof PersonChanged) return;
      change({ error });
      if (error instanceof NoSignal && !state.get().isStored) schedule(NO_SIGNAL_RETRY_MS);
    } finally {
      change({ isLoading: false });
    }
  };

  const sendOnce = async () => {
    const { draft, seen: base } = state.get();
    try {
      const stored = await sendDraft(draft, base, place.base);
      if (base?.id !== stored?.id) dropLocalQuestionnaireDraft(owner, nameHere());
      const isSame = state.get().draft === draft;
      change({ seen: stored && { id: stored.id, version: stored.version }, isStored: isSame, error: null });
      keepHere();
      if (!isSame) schedule(TYPING_MS);
    } catch (error) {
      if (error instanceof PersonChanged) return;
      if (isConflict(error) || isGone(error)) mergeStored(await find(place.base, base?.id ?? null));
      else if (error instanceof NoSignal) schedule(NO_SIGNAL_RETRY_MS);
      change({ error: isConflict(error) || isGone(error) ? null : error });
    }
  };
  const push = async (): Promise<void> => {
    clearTimeout(timer);
    if (sending) await sending;
    const { isStored, other } = state.get();
    if (isStored || other !== undefined || signal.aborted) return;
    sending = sendOnce()
      .catch((error: unknown) => change({ error }))
      .finally(() => {
        sending = null;
      });
    await sending;
  };

  onEnd(() => clearTimeout(timer));
  return {
    get: state.get,
    watch: state.watch,
    set,
    look,
    push,
    keepMine: () => {
      const { other } = state.get();
      if (other === undefined) return;
      change({ other: undefined, seen: other && { id: other.id, version: other.version } });
      keepHere();
      schedule(0);
    },
    takeOther: () => {
      const { other } = state.get();
      if (other === undefined) return;
      const draft = other?.draft ?? null;
      change({
        other: undefined,
        draft,
        seen: other && { id: other.id, version: other.version },
        isStored: true,
      });
      keepHere();
    },
  };
}

const isGone = (error: unknown) => error instanceof RequestRefusal && error.status === 404;

/** A version has at most one draft. */
async function find(base: string | null, id: string | null): Promise<StoredQuestionnaireDraft | null> {
  if (base) {
    const { data } = await request<ListOf<QuestionnaireDraftSummary>>('GET', `${PATH}?base=${base}`);
    id = data[0]?.id ?? null;
  }
  if (!id) return null;
  try {
    const draft = await request<QuestionnaireDraft>('GET', `${PATH}/${id}`);
    const { version, updatedBy, updatedAt } = draft;
    return { id, version, updatedBy, updatedAt, draft: toVersionDraft(draft) };
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

async function sendDraft(
  draft: VersionDraft | null,
  serverDraft: { id: string; version: number } | null,
  base: string | null,
): Promise<QuestionnaireDraftSummary | null> {
  if (draft && !serverDraft) return await request('POST', PATH, { body: { base, ...draftContent(draft) } });
  if (!serverDraft) return null;
  const path = `${PATH}/${serverDraft.id}`;
  const headers = ifMatchHeader(serverDraft.version);
  if (draft) return await request('PATCH', path, { body: draftContent(draft), headers });
  await request('DELETE', path, { headers });
  return null;
}

/** Reuses the workspace's open drafts of versions and of those with an id; each new questionnaire gets its own. */
const createOpenDrafts = (workspace: PersonScope) => {
  const open = new Map<string, OpenQuestionnaireDraft>();
  return (place: QuestionnaireDraftReference): OpenQuestionnaireDraft => {
    const key = place.base ?? place.id;
    const existing = key === null ? undefined : open.get(key);
    const draft = existing ?? openQuestionnaireDraft(place, workspace);
    if (key !== null) open.set(key, draft);
    return draft;
  };
};

export const questionnaireDraftAt = (
  workspace: PersonScope,
  place: QuestionnaireDraftReference,
): OpenQuestionnaireDraft => workspace.getOrCreate(createOpenDrafts)(place);
