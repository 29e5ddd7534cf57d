/**
 * When the focused element disappears (a row with its button, a dialog, a message) or is disabled, focus moves to
 * what replaces it or is next to it, so that keyboard users don't start again at the top.
 */

/** Closing one of these returns the focus to where it was before. */
const WINDOW = 'dialog, [role="dialog"], .dashboard-said > div';
const ROOT = `${WINDOW}, .page, .head, .nav`;
/** Excludes text fields, which would open a phone's keyboard. */
const FOCUSABLE =
  'a[href], button, summary, select, input[type="checkbox"], input[type="radio"], [tabindex="0"]';
/** Lets forms with errors, newly opened pages, and Mantine's own dialogs set the focus first. */
const FOCUS_DELAY_MS = 30;
/** A key press this soon after the focus moved was meant for the element that disappeared. */
const IGNORE_KEYS_MS = 400;

interface Spot {
  root: Element;
  isWindow: boolean;
  element: HTMLElement;
  /** Its position under each ancestor, from its parent up to the root. */
  way: { parent: Element; at: number }[];
}

/** At most one per root, the latest last. */
let spots: Spot[] = [];
let isDue = false;
/** When the focus last moved to a replacement. */
let movedAt = Number.NEGATIVE_INFINITY;

function wayOf(element: Element, root: Element): Spot['way'] {
  const parent = element.parentElement;
  if (element === root || !parent) return [];
  return [{ parent, at: [...parent.children].indexOf(element) }, ...wayOf(parent, root)];
}

const isFocusable = (one: HTMLElement) =>
  one.isConnected && !one.matches(':disabled') && one.checkVisibility();
const isNext = (one: Element | undefined): one is HTMLElement =>
  one instanceof HTMLElement && one.matches(FOCUSABLE) && one.tabIndex >= 0 && isFocusable(one);

/** First tries the same position in the new element, such as the same button in the next row. */
function nextWithin(one: Element, within: Spot['way']): HTMLElement | undefined {
  const sameElement = within.reduceRight<Element | undefined>((parent, { at }) => parent?.children[at], one);
  return [sameElement, one, ...one.querySelectorAll(FOCUSABLE)].find(isNext);
}

/** Tries the element that moved up, the following siblings, then the preceding ones; then the same one level up. */
function nextTo({ way }: Spot): HTMLElement | undefined {
  for (const [depth, { parent, at }] of way.entries()) {
    if (!parent.isConnected) continue;
    const all = [...parent.children];
    for (const one of [...all.slice(at), ...all.slice(0, at).reverse()]) {
      const next = nextWithin(one, way.slice(0, depth));
      if (next) return next;
    }
  }
  return undefined;
}

function settle(): void {
  isDue = false;
  if (document.activeElement !== document.body) return;
  while (spots.length > 0 && !spots.at(-1)?.root.isConnected) {
    const spot = spots.pop();
    // Another page opened, which focuses its own heading.
    if (!spot?.isWindow) spots = [];
  }
  const last = spots.at(-1);
  if (!last) return;
  const { element } = last;
  const isBusy = element.isConnected && element.hasAttribute('data-loading');
  const next = isFocusable(element) ? element : isBusy ? undefined : nextTo(last);
  if (next !== element) movedAt = performance.now();
  next?.focus({ preventScroll: true });
  if (next?.matches(':focus-visible')) next.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('focusin', ({ target }) => {
  const root = target instanceof HTMLElement ? target.closest(ROOT) : null;
  if (!(target instanceof HTMLElement) || !root) return;
  spots = spots.filter((one) => one.root !== root);
  spots.push({ root, isWindow: root.matches(WINDOW), element: target, way: wayOf(target, root) });
});

// A press elsewhere gives up the focus, but a dialog still returns it when it closes.
document.addEventListener('pointerdown', ({ target }) => {
  if (!(target as Element).closest('[data-portal]')) spots = [];
});

// Otherwise a key held down or pressed twice would approve the next person, unseen.
document.addEventListener(
  'keydown',
  (event) => {
    const isPress = event.key === 'Enter' || event.key === ' ';
    const isMeant = !event.repeat && performance.now() - movedAt > IGNORE_KEYS_MS;
    if (!isPress) movedAt = Number.NEGATIVE_INFINITY;
    else if (!isMeant && (event.target as Element).closest('button')) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  true,
);

new MutationObserver(() => {
  const now = document.activeElement;
  if (isDue || !(now === document.body || now?.matches(':disabled'))) return;
  isDue = true;
  setTimeout(settle, FOCUS_DELAY_MS);
}).observe(document, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ['disabled', 'hidden', 'class', 'data-view'],
});
