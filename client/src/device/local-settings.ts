/** Settings in localStorage. If the browser does not allow it, they last as long as the page. */
const here = new Map<string, string>();

export function readSetting(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? here.get(key) ?? null;
  } catch {
    return here.get(key) ?? null;
  }
}

/** False where there is no room, or none is allowed. */
export function storeSetting(key: string, value: string): boolean {
  here.set(key, value);
  try {
    localStorage.setItem(key, value);
    return here.delete(key);
  } catch {
    return false;
  }
}

export function dropSetting(key: string): void {
  here.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // It was not kept there either.
  }
}
