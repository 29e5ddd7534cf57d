/** Whether the browser promises to keep stored data, and how much room there is. */
export interface StorageHealth {
  persisted: boolean;
  /** The share of the room that is used, where the browser tells. */
  used: number | null;
}

/** Less room than this is what browsers give to a private window, or a phone that is almost full. */
const SMALL_QUOTA_BYTES = 150 * 1024 * 1024;
const NEARLY_FULL_SHARE = 0.9;

export async function storageHealth(ask: boolean): Promise<StorageHealth & { small: boolean }> {
  // Absent where the page came over plain http; older browsers have only a part of it.
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
