/** A button that has nothing to do at the moment but keeps the focus, which `disabled` would lose. */
import type { MouseEvent } from 'react';

const INACTIVE_PROPS = {
  'aria-disabled': true,
  'data-disabled': true,
  onClick: (event: MouseEvent) => event.preventDefault(),
} as const;

/** Spread last, after the button's other props. */
export const inactiveProps = (isIdle: boolean) => (isIdle ? INACTIVE_PROPS : {});
