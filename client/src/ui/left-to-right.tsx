import type { ReactNode } from 'react';

/** A phone number or coordinates: always left to right, and on one line. */
export const LeftToRight = ({ children }: { children: ReactNode }) => (
  <bdi className="from-left">{children}</bdi>
);
