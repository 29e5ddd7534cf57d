/**
 * Works around a bug in fontkit (issue 367), which throws if a font has a null anchor (no position for a mark on a letter).
 * Such a mark stays where it is.
 */

/** The parts of an open font that are missing in the library's types. */
export interface OpenFont {
  _layoutEngine: { engine: { GPOSProcessor?: object } | null };
}
interface Positions {
  applyAnchor(mark: { markAnchor: object | null }, base: object | null, at: number): void;
}

let borne = false;

/** Patches the prototype that all open fonts share, once. */
export function tolerateNullAnchors(font: OpenFont): void {
  const processor = font._layoutEngine.engine?.GPOSProcessor;
  if (borne || !processor) return;
  const shared = Object.getPrototypeOf(processor) as Positions;
  const { applyAnchor } = shared;
  shared.applyAnchor = function (mark, base, at) {
    if (mark.markAnchor !== null && base !== null) applyAnchor.call(this, mark, base, at);
  };
  borne = true;
}
