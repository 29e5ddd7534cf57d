/** A personal list stored on this device, such as the chosen columns. */

import { useState } from 'react';
import { parseJsonOrNull } from '../../../../../src/platform/lib/objects/parse-json.ts';
import { readLocalSetting, storeLocalSetting } from '../../../device/local-settings.ts';
import { useUser } from '../../../session/session.tsx';

/** Null if nothing is stored. Invalid items are dropped. */
export function useLocalStorageList<T>(kind: string, name: string, isOne: (one: unknown) => one is T) {
  const key = `${kind} ${useUser().id} ${name}`;
  const [items, setItems] = useState(() => parseList(readLocalSetting(key))?.filter(isOne) ?? null);
  const keep = (after: T[]) => {
    storeLocalSetting(key, JSON.stringify(after));
    setItems(after);
  };
  return [items, keep] as const;
}

function parseList(text: string | null): unknown[] | null {
  const list = parseJsonOrNull(text ?? 'null');
  return Array.isArray(list) ? list : null;
}
