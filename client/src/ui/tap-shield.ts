/**
 * Who taps twice means it once. After each change of the screen nothing takes a tap for a moment: the second one of a
 * double tap would press what has just come under the finger. Keys and screen readers go by other ways.
 */
const MOMENT = 300;

let timer: ReturnType<typeof setTimeout> | undefined;
let cover: HTMLElement | undefined;

export function shieldFromTaps(moment = MOMENT): void {
  cover ??= Object.assign(document.createElement('div'), { className: 'tap-shield' });
  // What is over a modal dialog has to be in it.
  (document.querySelector('dialog[open]') ?? document.body).append(cover);
  clearTimeout(timer);
  timer = setTimeout(() => cover?.remove(), moment);
}
