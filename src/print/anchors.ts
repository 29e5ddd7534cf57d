/**
 * A typeface may say that a mark has no place on some letter: its anchor is null. The library that sets the marks throws
 * there (foliojs/fontkit, issue 367), and all of printing with it. Such a mark stays where it is written.
 */

/** What of an open font the types of the library leave out. */
export interface OpenFont {
  _layoutEngine: { engine: { GPOSProcessor?: object } | null };
}
interface Positions {
  applyAnchor(mark: { markAnchor: object | null }, base: object | null, at: number): void;
}

let borne = false;

/** Mends what all open fonts share, once. */
export function bearNullAnchors(font: OpenFont): void {
  const processor = font._layoutEngine.engine?.GPOSProcessor;
  if (borne || !processor) return;
  const shared = Object.getPrototypeOf(processor) as Positions;
  const { applyAnchor } = shared;
  shared.applyAnchor = function (mark, base, at) {
    if (mark.markAnchor !== null && base !== null) applyAnchor.call(this, mark, base, at);
  };
  borne = true;
}
