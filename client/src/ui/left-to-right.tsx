import type { ReactNode } from 'react';

/** A phone number, a place in degrees: written from the left, and in one line, wherever it stands. */
export const LeftToRight = ({ children }: { children: ReactNode }) => (
  <bdi className="from-left">{children}</bdi>
);
