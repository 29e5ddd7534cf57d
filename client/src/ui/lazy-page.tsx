/**
 * Pages that are loaded when they are first opened. The page at the initial address is loaded before the first render,
 * because React shows its loading indicator for at least 300 ms, however soon the page arrives.
 */
import { type ComponentType, lazy, useState } from 'react';

export interface PageSource {
  load(): Promise<unknown>;
  /** The page itself once it is there, else what waits for it. */
  content(): ComponentType;
}

/** The page's program could not be fetched: a page of the dashboard is not on the device before its first use. */
export class PageLoadError extends Error {
  override readonly name = 'NotLoaded';
  /** React keeps a failure for good. Once it is told, this makes the next visit a new try. */
  readonly forget: () => void;

  constructor(cause: unknown, forget: () => void) {
    super(String(cause), { cause });
    this.forget = forget;
  }
}

export function lazyPage(importPage: () => Promise<{ default: ComponentType }>): PageSource {
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

/** The same one for as long as it stands: what was typed into the page would go with the other. */
export function PageContent({ source }: { source: PageSource }) {
  const [Content] = useState(source.content);
  return <Content />;
}

/** A page of the dashboard may have gone from the service, where a newer version took its place. */
async function offerNewVersion(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.update().catch(() => undefined);
}
