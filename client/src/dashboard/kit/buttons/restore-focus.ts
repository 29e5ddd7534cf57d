/**
 * When the focused element disappears (a row with its button, a dialog, a message) or can't be pressed any more, focus
 * moves to what replaces it or is next to it, so that keyboard users don't start again at the top.
 */

/** These lead back to where the focus was before them. */
const WINDOW = 'dialog, [role="dialog"], .desk-said > div';
const ROOT = `${WINDOW}, .page, .head, .nav`;
/** A field to write in would open the keys of a phone. */
const NEXT = 'a[href], button, summary, select, input[type="checkbox"], input[type="radio"], [tabindex="0"]';
/** Others come first: the form that says what is wrong, the page that has just opened, the kit's own windows. */
const FOCUS_DELAY_MS = 30;
/** A press so soon after was meant for what has gone. */
const TOO_SOON = 400;

interface Spot {
  root: Element;
  isWindow: boolean;
  element: HTMLElement;
  /** Where it stands, from itself up to the root. */
  way: { parent: Element; at: number }[];
}

/** One for each root, the latest last. */
let spots: Spot[] = [];
let isDue = false;
/** When something had the focus in place of another. */
let movedAt = Number.NEGATIVE_INFINITY;

function wayOf(element: Element, root: Element): Spot['way'] {
  const parent = element.parentElement;
  if (element === root || !parent) return [];
  return [{ parent, at: [...parent.children].indexOf(element) }, ...wayOf(parent, root)];
}

const isThere = (one: HTMLElement) => one.isConnected && !one.matches(':disabled') && one.checkVisibility();
const isNext = (one: Element | undefined): one is HTMLElement =>
  one instanceof HTMLElement && one.matches(NEXT) && one.tabIndex >= 0 && isThere(one);

/** At first what stands in it where the lost one stood: the same button of the next row. */
function nextWithin(one: Element, within: Spot['way']): HTMLElement | undefined {
  const sameElement = within.reduceRight<Element | undefined>((parent, { at }) => parent?.children[at], one);
  return [sameElement, one, ...one.querySelectorAll(NEXT)].find(isNext);
}

/** What has moved up, what follows, what stands before; then the same around it. */
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
    // Another page, which takes the focus to its heading.
    if (!spot?.isWindow) spots = [];
  }
  const last = spots.at(-1);
  if (!last) return;
  const { element } = last;
  const isBusy = element.isConnected && element.hasAttribute('data-loading');
  const next = isThere(element) ? element : isBusy ? undefined : nextTo(last);
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

// Whoever presses elsewhere has let go of it; what is pressed in a window leads back from the window all the same.
document.addEventListener('pointerdown', ({ target }) => {
  if (!(target as Element).closest('[data-portal]')) spots = [];
});

// Held down or pressed twice, a key would approve the next person, whom nobody has looked at.
document.addEventListener(
  'keydown',
  (event) => {
    const isPress = event.key === 'Enter' || event.key === ' ';
    const isMeant = !event.repeat && performance.now() - movedAt > TOO_SOON;
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
