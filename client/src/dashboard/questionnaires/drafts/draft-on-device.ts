/** Drafts that the service doesn't have yet, so that none is lost with the window or the connection. */
import { parseJsonOrNull } from '../../../../../src/platform/lib/objects/parse-json.ts';
import { dropLocalSetting, readLocalSetting, storeLocalSetting } from '../../../device/local-settings.ts';
import type { VersionDraft } from './draft-content.ts';

/** Identifies a draft: of the next version of `base`, or of a new questionnaire, which gets an id once stored. */
export interface QuestionnaireDraftReference {
  /** The version that the next one is based on. */
  base: string | null;
  id: string | null;
  /** For a new questionnaire: what it was started from. */
  from?: string;
}

export interface LocalVersionDraft {
  draft: VersionDraft;
  /** The service's version of the draft that this is based on; null if there was none. */
  seen: { id: string; version: number } | null;
}

const start = (owner: string) => `draft ${owner} version `;

/** Storage keys, unchanged since earlier versions of the app. */
const settingOf = (owner: string, { base, id, from }: QuestionnaireDraftReference) =>
  `${start(owner)}${base ?? (id ? `draft ${id}` : `new ${from ?? 'blank'}`)}`;

export function readLocalQuestionnaireDraft(
  owner: string,
  place: QuestionnaireDraftReference,
): LocalVersionDraft | null {
  const value = parseJsonOrNull(readLocalSetting(settingOf(owner, place)) ?? 'null') as
    | LocalVersionDraft
    | Partial<VersionDraft>
    | null;
  if (typeof value !== 'object' || value === null) return null;
  if ('draft' in value) return value;
  // Stored before the service had drafts.
  if (typeof (value as VersionDraft).text !== 'string') return null;
  const draft = { name: '', sizeQuestion: '', takesPartIf: '', clues: [], ...value } as VersionDraft;
  return { draft, seen: null };
}

/** False if storage is full. */
export const storeLocalQuestionnaireDraft = (
  owner: string,
  place: QuestionnaireDraftReference,
  value: LocalVersionDraft,
): boolean => storeLocalSetting(settingOf(owner, place), JSON.stringify(value));

export const dropLocalQuestionnaireDraft = (owner: string, place: QuestionnaireDraftReference): void =>
  dropLocalSetting(settingOf(owner, place));

/** The places of all of this person's drafts on this device. */
export function draftReferencesOnDevice(owner: string): QuestionnaireDraftReference[] {
  const keys = settingNames().filter((key) => key.startsWith(start(owner)));
  return keys.flatMap((key): QuestionnaireDraftReference[] => {
    const name = key.slice(start(owner).length);
    if (name.startsWith('new ')) return [{ base: null, id: null, from: name.slice(4) }];
    if (name.startsWith('draft ')) return [{ base: null, id: name.slice(6) }];
    return [{ base: name, id: null }];
  });
}

function settingNames(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}
