/** The screens that this person may open, for a page that lists them. */
import { createContext } from 'react';
import type { Screen } from '../../app.tsx';

export const OpenScreens = createContext<Screen[]>([]);
