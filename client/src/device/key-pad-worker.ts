/** Writes a key's pad to a file, or overwrites the file in place and deletes it (key-rows.ts). */
interface SyncAccessHandle {
  getSize(): number;
  truncate(size: number): void;
  write(bytes: Uint8Array, options: { at: number }): number;
  flush(): void;
  close(): void;
}

/** Only available in workers. */
interface SyncFileHandle {
  createSyncAccessHandle(): Promise<SyncAccessHandle>;
}

async function overwrite(name: string, pad: Uint8Array | null): Promise<void> {
  const files = await navigator.storage.getDirectory();
  const file: unknown = await files.getFileHandle(name, { create: pad !== null });
  const content = await (file as SyncFileHandle).createSyncAccessHandle();
  try {
    const bytes = pad ?? crypto.getRandomValues(new Uint8Array(content.getSize()));
    content.write(bytes, { at: 0 });
    content.truncate(bytes.length);
    content.flush();
  } finally {
    content.close();
  }
  if (!pad) await files.removeEntry(name);
}

self.onmessage = ({ data }: MessageEvent<{ name: string; pad: Uint8Array | null }>) =>
  void overwrite(data.name, data.pad).then(
    () => self.postMessage(true),
    () => self.postMessage(false),
  );
