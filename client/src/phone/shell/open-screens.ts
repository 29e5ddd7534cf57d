/** The pages that this person may open, for lists of pages. */
import { createContext } from 'react';
import type { Right } from '../../session/rights.ts';
import type { FieldTexts } from '../../texts/i18n.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { PageSource } from '../../ui/lazy-page.tsx';

/** `last`: as the page asks for what it shows as it was last counted. */
export type Ask = <T>(path: string) => Promise<T>;

export interface ScreenRoute {
  path: string;
  page: PageSource;
  /** Who may come: anyone, whoever is signed in, or (else) approved people. */
  for?: 'anyone' | 'signed-in';
  right?: Right;
  /** The right must hold of every record, whatever it is. */
  whole?: true;
  /** For whom it is open it stands in place of the one that has the same path and comes after it. */
  over?: true;
  /** A place in the navigation; the dashboard has two sections of its own, for running a study and for setting it up. */
  nav?: { label: keyof FieldTexts['nav']['to']; icon: IconName; desk?: 'run' | 'setup' };
  /** In the navigation only where the study pays people. */
  ofPayments?: true;
  /** A task that fills the screen: no navigation beside it. */
  bare?: boolean;
  /** It keeps what is entered on the device, and can do nothing where the device keeps nothing. */
  stores?: true;
  /** What it asks of the service first, where the answer takes long. */
  asks?: (search: URLSearchParams, ask: Ask, pathname: string) => void;
}

export const OpenScreens = createContext<ScreenRoute[]>([]);
