/**
 * Pages that load when first opened. The page at the initial URL loads before the first render, because React shows
 * its loading indicator for at least 300 ms, even if the page arrives sooner.
 */
import { type ComponentType, lazy, useState } from 'react';

export interface LazyPage {
  load(): Promise<unknown>;
  /** The page itself if it is loaded, otherwise its lazy version. */
  content(): ComponentType;
}

/** The page's code couldn't be fetched. Dashboard pages aren't on the device before their first use. */
export class PageLoadError extends Error {
  override readonly name = 'NotLoaded';
  /** React caches a failure forever. Call this after showing it, so that the next visit tries again. */
  readonly forget: () => void;

  constructor(cause: unknown, forget: () => void) {
    super(String(cause), { cause });
    this.forget = forget;
  }
}

export function lazyPage(importPage: () => Promise<{ default: ComponentType }>): LazyPage {
  let loaded: ComponentType | undefined;
  const load = async () => {
    try {
      const page = await importPage();
      loaded = page.default;
      return page;
    } catch (error) {
      void offerNewVersion();
      throw new PageLoadError(error, () => {
        page = lazy(load);
      });
    }
  };
  let page = lazy(load);
  return { load, content: () => loaded ?? page };
}

/** Keeps the same component while mounted; switching would lose what was typed into the page. */
export function LazyPageContent({ source }: { source: LazyPage }) {
  const [Content] = useState(source.content);
  return <Content />;
}

/** The service may no longer have this version's dashboard files, because a newer version replaced them. */
async function offerNewVersion(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.update().catch(() => undefined);
}
