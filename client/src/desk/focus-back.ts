/** A window that goes with what it asked about gives the focus back to the button that opened it. */
import { useEffect, useState } from 'react';

export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Once the window is out of the page. Whoever has gone on to something else stays there.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
      });
    },
    [opener],
  );
}
