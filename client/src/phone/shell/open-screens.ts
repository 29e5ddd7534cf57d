/** The pages that this person may open, for lists of pages. */
import { createContext } from 'react';
import type { AccessRight } from '../../session/rights.ts';
import type { FieldAppTexts } from '../../texts/i18n.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { LazyPage } from '../../ui/lazy-page.tsx';

/** Requests a path and caches the reply for the page. */
export type PreloadRequest = <T>(path: string) => Promise<T>;

export interface ScreenRoute {
  path: string;
  page: LazyPage;
  /** Who may open it: anyone, everyone signed in, or, by default, approved people. */
  for?: 'anyone' | 'signed-in';
  right?: AccessRight;
  /** The permission must apply to all records. */
  allRecords?: true;
  /** Replaces the next entry with the same path for people who may open this one. */
  override?: true;
  /**
   * Its place in the navigation. The dashboard has two sections of its own, for running a study and for setting it
   * up.
   */
  nav?: { label: keyof FieldAppTexts['nav']['to']; icon: IconName; section?: 'run' | 'setup' };
  /** Only in the navigation if the study pays people. */
  onlyIfPaid?: true;
  /** A full-screen task, without navigation. */
  fullScreen?: boolean;
  /** Stores input on the device, and is useless without the store. */
  needsStore?: true;
  /** Requests its slow data early, while the page's code loads. */
  preload?: (search: URLSearchParams, ask: PreloadRequest, pathname: string) => void;
}

export const AllowedScreensContext = createContext<ScreenRoute[]>([]);
