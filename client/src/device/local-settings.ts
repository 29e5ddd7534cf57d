/** Settings in localStorage. If the browser doesn't allow it, they last until the page closes. */
const memorySettings = new Map<string, string>();

export function readLocalSetting(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memorySettings.get(key) ?? null;
  } catch {
    return memorySettings.get(key) ?? null;
  }
}

/** False if storage is full or not allowed. */
export function storeLocalSetting(key: string, value: string): boolean {
  memorySettings.set(key, value);
  try {
    localStorage.setItem(key, value);
    return memorySettings.delete(key);
  } catch {
    return false;
  }
}

export function dropLocalSetting(key: string): void {
  memorySettings.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Then it was never stored there.
  }
}
