/**
 * Ignores accidental double taps. After each change of the screen, nothing accepts a tap for a moment, because the
 * second tap would press whatever has just appeared under the finger. Keys and screen readers are not affected.
 */
const SHIELD_MS = 300;

let timer: ReturnType<typeof setTimeout> | undefined;
let cover: HTMLElement | undefined;

export function shieldFromTaps(moment = SHIELD_MS): void {
  cover ??= Object.assign(document.createElement('div'), { className: 'tap-shield' });
  // What is over a modal dialog has to be in it.
  (document.querySelector('dialog[open]') ?? document.body).append(cover);
  clearTimeout(timer);
  timer = setTimeout(() => cover?.remove(), moment);
}
