/**
 * Fonts. Noto Sans has one file per script, so each cluster of characters uses the first file with all its glyphs; a
 * text is split into pieces with one font each, in visual order. Uses WOFF files, because PDF subsets of WOFF2 are
 * broken.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import bidiFactory from 'bidi-js';
import type PDFDocument from 'pdfkit';
import { LruCache } from '../../../platform/lib/lru-cache.ts';
import { readFontFile } from './woff.ts';

export type FontWeight = 400 | 700;

export interface FontRun {
  font: string;
  text: string;
  /** At size 1. */
  width: number;
}

const { resolve } = createRequire(import.meta.url);
const KOREAN = 'nanum-gothic/files/nanum-gothic-korean';
const EMOJI = 'noto-emoji/files/noto-emoji-emoji';
/** 8 MB per weight, for simplified and traditional Chinese and Japanese. */
const HAN = 'han';
/** In search order: large files are opened only for characters that no other file has. */
const FONT_FILES = [
  ...['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'devanagari'].map(
    (subset) => `noto-sans/files/noto-sans-${subset}`,
  ),
  ...['arabic', 'hebrew', 'ethiopic', 'thai', 'khmer'].map(
    (script) => `noto-sans-${script}/files/noto-sans-${script}-${script}`,
  ),
  KOREAN,
  EMOJI,
  HAN,
];
/** A font with a dotted zero and clearly different B and 8. */
export const CODE_FONT = 'code';
/** The width of every character of the code's font, at size 1. */
export const CODE_CHARACTER_WIDTH = 0.6;

function fileOf(font: string): string {
  const [face, weight] = [font.slice(0, -4), font.slice(-3)];
  if (face !== HAN) return resolve(`@fontsource/${face}-${weight}-normal.woff`);
  const han = join(dirname(resolve('@embedpdf/fonts-sc')), '../fonts');
  return join(han, `NotoSansHans-${weight === '700' ? 'Bold' : 'Regular'}.otf`);
}

// The types describe the ES module, but Node loads the CommonJS one, whose export is the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Letters, digits and punctuation that are clusters by themselves; most texts contain nothing else. */
const SINGLE = /^[\x20-\x7e\u00a0-\u02ff\u0370-\u0482\u0620-\u064a\u2010-\u2027]*$/;

/** The user-perceived characters of a text. */
export const graphemesOf = (text: string): string[] =>
  SINGLE.test(text) ? text.split('') : Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Control characters that need no glyph. */
const INVISIBLE = /[\p{Bidi_Control}\p{Variation_Selector}\u00ad\u200b-\u200d\u2060\ufeff]/u;
/** Characters that control whether letters join. */
const JOINER = /[\u200c\u200d]/u;
/** Scripts that the shaping engine puts into visual order itself. */
const SHAPED_RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

type Run = { text: string; level: number };

function runsOf(text: string, direction: 'ltr' | 'rtl'): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text, direction);
  const runs: Run[] = [];
  for (let at = 0; at < text.length; at++) {
    const level = levels[at] ?? 0;
    const character = text.charAt(at);
    const mirrored = level % 2 === 1 ? (bidi.getMirroredCharacter(character) ?? character) : character;
    const last = runs.at(-1);
    if (last && last.level === level) last.text += mirrored;
    else runs.push({ text: mirrored, level });
  }
  return runs;
}

/** Reverses each sequence of runs at this level or deeper, from the deepest level up (bidi rule L2). */
function inVisualOrder(runs: Run[]): Run[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end++;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}

/** The characters of each font file, cached. */
const coverage = new Map<string, (codePoint: number) => boolean>();

/** Widths at size 1, by font and text. A sheet is checked before it is printed; with these, its fonts are only parsed once. */
const widths = new LruCache<number>(10_000);

export class Fonts {
  private readonly doc: typeof PDFDocument.prototype;
  private readonly pieces = new Map<string, FontRun[]>();
  /** The code points of each cluster that need a glyph. */
  private readonly needed = new Map<string, number[]>();
  private readonly registered = new Set<string>();

  constructor(doc: typeof PDFDocument.prototype) {
    this.doc = doc;
    doc.registerFont(
      CODE_FONT,
      readFontFile(resolve('@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-600-normal.woff')),
    );
  }

  /** The pieces of the text from left to right, in visual order. */
  line(text: string, weight: FontWeight, direction: 'ltr' | 'rtl'): FontRun[] {
    const key = `${weight}${direction}${text}`;
    const cached = this.pieces.get(key);
    if (cached) return cached;
    const pieces = inVisualOrder(runsOf(text, direction)).flatMap((run) => this.shape(run, weight));
    this.pieces.set(key, pieces);
    return pieces;
  }

  /** Width at size 1. */
  width(text: string, weight: FontWeight, direction: 'ltr' | 'rtl'): number {
    return this.line(text, weight, direction).reduce((sum, piece) => sum + piece.width, 0);
  }

  /** The clusters of the text that no font has. */
  missing(text: string): string[] {
    return graphemesOf(text.normalize('NFC').replace(/\s/gu, ' ')).filter(
      (cluster) => this.fontFor(cluster, 400, null) === null,
    );
  }

  private shape({ text, level }: Run, weight: FontWeight): FontRun[] {
    const parts: { font: string; text: string }[] = [];
    const rightToLeft = level % 2 === 1;
    for (const cluster of graphemesOf(text)) {
      const last = parts.at(-1);
      // The library always places words left to right, so each right-to-left word is a separate piece.
      const stay = last && !(rightToLeft && (cluster === ' ' || last.text === ' '));
      const font = this.fontFor(cluster, weight, last?.font ?? null);
      if (font === null) continue;
      const printable = this.withoutControlCharacters(cluster, font);
      if (stay && last.font === font) last.text += printable;
      else if (printable !== '') parts.push({ font, text: printable });
    }
    const pieces = rightToLeft
      ? parts.reverse().map((part) => (SHAPED_RIGHT_TO_LEFT.test(part.text) ? part : reversed(part)))
      : parts;
    return pieces.map((part) => ({ ...part, width: this.measure(part.font, part.text) }));
  }

  private withoutControlCharacters(cluster: string, font: string): string {
    if (!INVISIBLE.test(cluster)) return cluster;
    const joins = (character: string) =>
      JOINER.test(character) && this.covers(font)(character.codePointAt(0) ?? 0);
    return Array.from(cluster)
      .filter((character) => !INVISIBLE.test(character) || joins(character))
      .join('');
  }

  private measure(font: string, text: string): number {
    // Even if the width is cached, because the text may be drawn next.
    this.register(font);
    const key = `${font} ${text}`;
    const cached = widths.get(key);
    if (cached !== undefined) return cached;
    const width = this.open(font).fontSize(1000).widthOfString(text) / 1000;
    widths.set(key, width);
    return width;
  }

  /** Keeps the previous font if possible, so that a word is shaped as a whole. */
  private fontFor(cluster: string, weight: FontWeight, before: string | null): string | null {
    const needed = this.needed.get(cluster) ?? codePointsOf(cluster);
    this.needed.set(cluster, needed);
    const has = (font: string) => {
      const covers = this.covers(font);
      return needed.every(covers);
    };
    // Except for digits in the emoji font, which are meant for keycaps.
    if (before !== null && before !== `${EMOJI}/${weight}` && has(before)) return before;
    return FONT_FILES.map((face) => `${face}/${weight}`).find(has) ?? null;
  }

  private register(font: string): void {
    if (!this.registered.has(font)) this.doc.registerFont(font, readFontFile(fileOf(font)));
    this.registered.add(font);
  }

  private open(font: string) {
    this.register(font);
    return this.doc.font(font);
  }

  private covers(font: string): (codePoint: number) => boolean {
    const cached = coverage.get(font);
    if (cached) return cached;
    this.open(font);
    // Missing in the types, but otherwise each file would be parsed twice.
    const { _font: open } = this.doc as unknown as { _font: { font: OpenFont & { characterSet: number[] } } };
    tolerateNullAnchors(open.font);
    const set = new Set(open.font.characterSet);
    // Its space is the last glyph of the file, and the library reads beyond the end there, so use another font's space.
    if (font.startsWith(KOREAN)) set.delete(0x20);
    const covers = (codePoint: number) => set.has(codePoint);
    coverage.set(font, covers);
    return covers;
  }
}

const codePointsOf = (cluster: string): number[] =>
  Array.from(cluster)
    .filter((character) => !INVISIBLE.test(character))
    .map((character) => character.codePointAt(0) ?? 0);

function reversed<T extends { text: string }>(part: T): T {
  return { ...part, text: graphemesOf(part.text).reverse().join('') };
}

/**
 * Works around a bug in fontkit (issue 367), which throws if a font has a null anchor (no position for a mark on a letter).
 * Such a mark stays where it is.
 */

/** The parts of an open font that are missing in the library's types. */
interface OpenFont {
  _layoutEngine: { engine: { GPOSProcessor?: object } | null };
}
interface Positions {
  applyAnchor(mark: { markAnchor: object | null }, base: object | null, at: number): void;
}

let isPatched = false;

/** Patches the prototype that all open fonts share, once. */
function tolerateNullAnchors(font: OpenFont): void {
  const processor = font._layoutEngine.engine?.GPOSProcessor;
  if (isPatched || !processor) return;
  const shared = Object.getPrototypeOf(processor) as Positions;
  const { applyAnchor } = shared;
  shared.applyAnchor = function (mark, base, at) {
    if (mark.markAnchor !== null && base !== null) applyAnchor.call(this, mark, base, at);
  };
  isPatched = true;
}
