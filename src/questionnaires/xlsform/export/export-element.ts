/**
 * Reads the properties of a questionnaire's element one by one; whatever remains unread has no counterpart.
 * Browser-safe.
 */

import { isPlainObject } from '../../../platform/lib/objects/plain-object.ts';
import type { TextOrTranslations } from '../languages.ts';
import type { NoteCode, Notes, SheetRowPlace } from '../notes.ts';
import type { XlsformSheetWriter } from '../sheets.ts';
import { RuleWithoutCounterpart } from '../xpath/rule-scope.ts';
import { type ExpressionNameTarget, expressionToXPath, type ReferenceScope } from '../xpath/to-xpath.ts';
import { type ConvertedText, exportPlaceholders } from './html-markdown.ts';

export type JsonObject = Record<string, unknown>;

export const arrayOrEmpty = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export interface XlsformExportContext {
  notes: Notes;
  sheets: XlsformSheetWriter;
  targets: ReadonlyMap<string, ExpressionNameTarget>;
  /** The name of each element in the file. */
  names: ReadonlyMap<object, string>;
  /** Choice lists written so far, by their contents. */
  lists: Map<string, string>;
}

export class ExportedElement {
  readonly json: JsonObject;
  readonly place: SheetRowPlace;
  readonly name: string;
  readonly repeat: string | null;
  readonly #writing: XlsformExportContext;
  readonly #left: Set<string>;

  constructor(
    writing: XlsformExportContext,
    json: JsonObject,
    repeat: string | null,
    place = writing.sheets.next,
  ) {
    this.json = json;
    this.place = place;
    this.repeat = repeat;
    this.name = writing.names.get(json) ?? String(json.name ?? '');
    this.#writing = writing;
    this.#left = new Set(Object.keys(json).filter((key) => json[key] !== undefined));
    this.#left.delete('type');
    this.#left.delete('name');
  }

  tell(code: NoteCode, params: Record<string, string | number> = {}): void {
    this.#writing.notes.add(this.place, code, { name: this.name, ...params });
  }

  /**
   * The take... methods return a property and mark it as read if it has the right type. A property of another type
   * remains unread and is reported.
   */
  take(key: string): unknown {
    this.#left.delete(key);
    return this.json[key];
  }

  takeNumber(key: string): number | undefined {
    return typeof this.json[key] === 'number' ? (this.take(key) as number) : undefined;
  }

  /** True if the property is true; false is the default, so it counts as read. */
  takeFlag(key: string): boolean {
    return typeof this.json[key] === 'boolean' && (this.take(key) as boolean);
  }

  /** A text in its languages, converted for the file. */
  takeWords(
    key: string,
    form: (text: string) => ConvertedText = (text) => ({ text, hasLoss: false }),
  ): TextOrTranslations | undefined {
    const words = this.words(this.json[key], form);
    if (words !== undefined) this.take(key);
    return words;
  }

  /** Undefined if it isn't a text. */
  words(
    value: unknown,
    form: (text: string) => ConvertedText = (text) => ({ text, hasLoss: false }),
  ): TextOrTranslations | undefined {
    if (typeof value === 'string') return this.#exportText(value, form);
    if (!isPlainObject(value) || !Object.values(value).every((text) => typeof text === 'string'))
      return undefined;
    return Object.fromEntries(
      Object.entries(value).map(([language, text]) => [language, this.#exportText(String(text), form)]),
    );
  }

  #reportedIds = new Set<string>();

  #exportText(text: string, form: (text: string) => ConvertedText): string {
    const { text: plain, hasLoss } = form(text);
    if (hasLoss) this.#once('MARKUP_LOST', {});
    return exportPlaceholders(plain, (name) => {
      const plain = name.toLowerCase();
      const target = this.#writing.targets.get(plain.replace(/^panel\./, ''));
      if (target && target.repeat === (plain.startsWith('panel.') ? this.repeat : null)) return target.name;
      if (/^[\p{L}_#][\w.[\]-]*$/u.test(name)) this.#once('PLACE_LEFT', { place: `{${name}}` });
      return null;
    });
  }

  #once(code: NoteCode, params: Record<string, string>): void {
    const id = `${code} ${JSON.stringify(params)}`;
    if (this.#reportedIds.has(id)) return;
    this.#reportedIds.add(id);
    this.tell(code, params);
  }

  /** An expression property, converted for the file; reported if it has no counterpart. */
  takeRule(key: string): string | undefined {
    const text = this.json[key];
    if (typeof text !== 'string') return undefined;
    this.take(key);
    return this.rule(key, text);
  }

  rule(column: string, text: string, self?: string): string | undefined {
    try {
      const names: ReferenceScope = { targets: this.#writing.targets, repeat: this.repeat };
      return expressionToXPath(text, names, self);
    } catch (error) {
      if (!(error instanceof RuleWithoutCounterpart)) throw error;
      this.#writing.notes.add(this.place, error.code, { ...error.params, column: `${this.name}: ${column}` });
      return undefined;
    }
  }

  /** Properties not read so far. */
  get left(): string[] {
    return [...this.#left];
  }

  tellRest(): void {
    for (const property of this.#left) this.tell('PROPERTY_LEFT_OUT', { property });
  }
}
