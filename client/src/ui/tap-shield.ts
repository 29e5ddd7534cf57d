/**
 * Ignores accidental double taps. After each change of the screen nothing accepts taps for a moment, because the
 * second tap would press whatever just appeared under the finger. Keyboard and screen readers are not affected.
 */
const SHIELD_MS = 300;

let timer: ReturnType<typeof setTimeout> | undefined;
let shield: HTMLElement | undefined;

export function shieldFromTaps(moment = SHIELD_MS): void {
  shield ??= Object.assign(document.createElement('div'), { className: 'tap-shield' });
  // Only an element inside a modal dialog can cover it.
  (document.querySelector('dialog[open]') ?? document.body).append(shield);
  clearTimeout(timer);
  timer = setTimeout(() => shield?.remove(), moment);
}
