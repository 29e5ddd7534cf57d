/** The browser's small store for settings. Where it is closed to the page, a setting holds as long as the page. */
const here = new Map<string, string>();

export function readSetting(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? here.get(key) ?? null;
  } catch {
    return here.get(key) ?? null;
  }
}

export function keepSetting(key: string, value: string): void {
  here.set(key, value);
  try {
    localStorage.setItem(key, value);
    here.delete(key);
  } catch {
    // No room, or not allowed.
  }
}
