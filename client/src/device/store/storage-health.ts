/** Whether the browser promises to keep stored data, and how full the storage is. */
export interface StorageHealth {
  persisted: boolean;
  /** Share of the quota in use, if the browser reports it. */
  used: number | null;
}

/** Browsers give less than this to private windows and on phones that are almost full. */
const SMALL_QUOTA_BYTES = 150 * 1024 * 1024;
const NEARLY_FULL_SHARE = 0.9;

export async function storageHealth(ask: boolean): Promise<StorageHealth & { small: boolean }> {
  // Missing on plain http; older browsers have only some of its methods.
  const storage = navigator.storage as Partial<StorageManager> | undefined;
  const promised = (await storage?.persisted?.()) ?? false;
  const persisted = promised || (ask && ((await storage?.persist?.()) ?? false));
  const { usage, quota } = (await storage?.estimate?.()) ?? {};
  const used = usage !== undefined && quota ? usage / quota : null;
  return {
    persisted,
    used,
    small: quota !== undefined && (quota < SMALL_QUOTA_BYTES || (used ?? 0) > NEARLY_FULL_SHARE),
  };
}
