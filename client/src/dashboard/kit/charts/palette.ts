/**
 * Chart colors for the light and the dark theme. Neighboring waves, and any two kinds of a thing, can be told apart
 * with normal sight and with color blindness, and each stands out from its background. A test checks this.
 */
import { useComputedColorScheme } from '@mantine/core';

export interface Palette {
  /** By wave: later waves stand out more. */
  waves: readonly string[];
  /** For sites and answers. None is a warning color. */
  kinds: readonly string[];
  /** For everything without its own color. */
  other: string;
}

export const PALETTES: Record<'light' | 'dark', Palette> = {
  light: {
    waves: ['#17a793', '#048f90', '#067888', '#0d617d', '#004b75', '#033171', '#18185e', '#1a0047'],
    kinds: ['#3093ec', '#a0902a', '#5c1c80', '#2c7f44', '#884baf', '#18460c', '#275a69'],
    other: '#75808a',
  },
  dark: {
    waves: ['#825eb9', '#8176d4', '#7d8eec', '#78a7fd', '#80c0fe', '#95d6fd', '#b0e9ff', '#d8f9ff'],
    kinds: ['#2d78bd', '#d59239', '#c493e8', '#bcd46f', '#a05b7d', '#80e1fe', '#6b7f09'],
    other: '#8a949e',
  },
};

export const usePalette = (): Palette => PALETTES[useComputedColorScheme('light')];
