/** The state of an import: the form's names, lists and the notes so far. Browser-safe. */

import {
  type ConvertedText,
  htmlOfMarkdown,
  importPlaceholders,
  plainTextOf,
} from '../export/html-markdown.ts';
import type { TextOrTranslations } from '../languages.ts';
import { type NoteCode, Notes, type SheetRowPlace, type XlsformNote } from '../notes.ts';
import { UniqueNames } from '../unique-names.ts';
import {
  type ExpressionScope,
  type KnownName,
  questionReferenceTo,
  RuleWithoutCounterpart,
} from '../xpath/rule-scope.ts';
import { conditionFromXPath, parseXPathRule, writeValueExpression } from '../xpath/to-survey.ts';
import { PossibleTexts } from '../xpath/to-survey-text.ts';
import type { XPathNode } from '../xpath/xpath.ts';
import { isXlsformTextColumn } from './misspelled.ts';
import { isKnownColumn, isMediaColumn, isNo, type SheetRow, textInLanguages } from './table.ts';

type Form = (text: string) => ConvertedText;

export type JsonObject = Record<string, unknown>;

export interface ImportedChoice {
  row: SheetRow;
  /** Further rows with the same name, which a filter shows for other answers. */
  again: SheetRow[];
  name: string;
  words: ReadonlyMap<string, string>;
}

export class XlsformImportContext {
  readonly notes = new Notes();
  readonly faults = new Notes();
  readonly names = new Map<string, KnownName>();
  readonly freeNames = new UniqueNames();
  readonly lists = new Map<string, ImportedChoice[]>();
  readonly usedLists = new Set<string>();
  readonly #values = new Map<string, PossibleTexts>();
  /** The cell of each piece of the definition. */
  readonly places = new Map<object, SheetRowPlace>();
  /** The languages of all texts; `default` if a column names no language. */
  languages: string[] = [];
  /** The language whose texts are used where the form has no text for a language. */
  fallback: string | null = null;
  readonly unknownColumns = new Set<string>();
  /** Columns of the choices sheet that a filter may use. Empty cells count too. */
  choiceColumns: string[] = [];
  /** Columns of the choices sheet that a filter uses. */
  readonly filterColumns = new Set<string>();
  /** Pages created for questions outside of groups. */
  readonly loose = new Set<object>();

  /** All values that an answer from this list can have. */
  valuesOf({ list, orOther }: { list: string; orOther: boolean }): PossibleTexts {
    const key = orOther ? `${list} or_other` : list;
    const cached = this.#values.get(key);
    if (cached) return cached;
    const names = (this.lists.get(list) ?? []).map(({ name }) => name);
    const values = new PossibleTexts(orOther ? [...names, 'other'] : names);
    this.#values.set(key, values);
    return values;
  }

  tell(row: SheetRow, code: NoteCode, params?: XlsformNote['params']): void {
    this.notes.add(row.place, code, params);
  }

  refuse(row: SheetRow, code: NoteCode, params?: XlsformNote['params']): void {
    this.faults.add(row.place, code, params);
  }

  /** A question's text as in SurveyJS. */
  words(
    row: SheetRow,
    column: string,
    scope: ExpressionScope | null,
    form: Form = plainTextOf,
  ): TextOrTranslations | undefined {
    return this.inAll(this.#texts(row, column, scope, form));
  }

  /** The text below a question: its hint, followed by the guidance for the interviewer. */
  explanation(row: SheetRow, scope: ExpressionScope): TextOrTranslations | undefined {
    return this.inAll(this.#explained(row, scope, plainTextOf, ' '));
  }

  /** The text of an informational item: its label, followed by what would be below a question. */
  information(row: SheetRow, scope: ExpressionScope): TextOrTranslations | undefined {
    const label = this.#texts(row, 'label', scope, htmlOfMarkdown);
    return this.inAll(this.#after(label, this.#explained(row, scope, htmlOfMarkdown, ''), ''));
  }

  #explained(row: SheetRow, scope: ExpressionScope, form: Form, between: string): Map<string, string> {
    const hint = this.#texts(row, 'hint', scope, form);
    const guidance = this.#texts(row, 'guidance_hint', scope, form);
    if (guidance.size > 0) this.tell(row, 'GUIDANCE_SHOWN');
    return this.#after(hint, guidance, between);
  }

  /** Joins two texts. If the first lacks a language, its fallback text is used there. */
  #after(first: Map<string, string>, second: Map<string, string>, between: string): Map<string, string> {
    const shared = (texts: Map<string, string>) => texts.get(this.fallback ?? 'default') ?? texts.get('en');
    const languages = first.size === 0 ? second.keys() : [...first.keys(), ...second.keys()];
    return new Map(
      [...new Set(languages)].map((language) => {
        const texts = [first.get(language) ?? shared(first), second.get(language)];
        return [language, texts.filter(Boolean).join(between)];
      }),
    );
  }

  /** A choice's text, with placeholders resolved for the question that offers it. */
  choiceWords({ row, words }: ImportedChoice, scope: ExpressionScope): TextOrTranslations | undefined {
    const placed = [...words].map(
      ([language, text]) => [language, this.#places(row, text, scope, 'label')] as const,
    );
    return this.inAll(new Map(placed));
  }

  #texts(row: SheetRow, column: string, scope: ExpressionScope | null, form: Form): Map<string, string> {
    const name = row.take('name') || '?';
    let hasLoss = false;
    const texts = [...row.takeWords(column)].map(([language, text]): [string, string] => {
      const result = form(text);
      hasLoss ||= result.hasLoss;
      return [language, scope ? this.#places(row, result.text, scope, column) : result.text];
    });
    if (hasLoss) this.tell(row, 'MARKUP_LOST', { name });
    return new Map(texts);
  }

  /** Adds the text in the fallback language as the default if the form has no default. */
  inAll(words: ReadonlyMap<string, string>): TextOrTranslations | undefined {
    const fallback = this.fallback === null ? undefined : words.get(this.fallback);
    if (fallback === undefined || words.has('default') || words.has('en')) return textInLanguages(words);
    return textInLanguages(new Map([['default', fallback], ...words]));
  }

  readonly #unquoted = new Set<string>();

  #places(row: SheetRow, text: string, scope: ExpressionScope, column: string): string {
    return importPlaceholders(text, (name) => {
      const reference = this.quietly(() => questionReferenceTo(name, scope));
      // Reported once, even for a text in six languages or a choice of many questions.
      const id = `${row.place.sheet} ${row.place.row} ${column} ${name}`;
      if (reference === null && !this.#unquoted.has(id)) {
        this.#unquoted.add(id);
        this.tell(row, 'PLACE_EMPTY', { column, name });
      }
      return reference;
    });
  }

  /** A cell as an expression; null, with a note, if it has no counterpart. */
  rule(
    row: SheetRow,
    column: string,
    scope: ExpressionScope,
    as: 'condition' | 'value' = 'condition',
  ): string | null {
    const text = row.take(column);
    return text === '' ? null : this.expression(row, column, text, scope, as);
  }

  expression(
    row: SheetRow,
    column: string,
    text: string,
    scope: ExpressionScope,
    as: 'condition' | 'value',
  ): string | null {
    const node = this.node(row, column, text);
    return (
      node &&
      this.said(row, column, () =>
        (as === 'condition' ? conditionFromXPath : writeValueExpression)(node, scope),
      )
    );
  }

  node(row: SheetRow, column: string, text: string): XPathNode | null {
    return this.said(row, column, () => parseXPathRule(text));
  }

  said<T>(row: SheetRow, column: string, say: () => T): T | null {
    try {
      return say();
    } catch (error) {
      return this.#leftOut(row, column, error);
    }
  }

  /** Null if there is no counterpart, without adding a note. */
  quietly<T>(say: () => T): T | null {
    try {
      return say();
    } catch (error) {
      if (!(error instanceof RuleWithoutCounterpart)) throw error;
      return null;
    }
  }

  #leftOut(row: SheetRow, column: string, error: unknown): null {
    if (!(error instanceof RuleWithoutCounterpart)) throw error;
    this.tell(row, error.code, { column, ...error.params });
    return null;
  }

  readonly #unread = new Set<string>();

  /**
   * Whether a filter of choices is readable, as far as known: an unreadable one is reported once, not for each choice.
   */
  readsFilter(row: SheetRow, filter: string): boolean {
    return !this.#unread.has(`${row.place.row} ${filter}`);
  }

  refuseFilter(row: SheetRow, filter: string): void {
    this.#unread.add(`${row.place.row} ${filter}`);
  }

  /** Reports all cells of a row that nothing has read. */
  tellRest(row: SheetRow): void {
    for (const { key, head } of row.left) {
      if (['required', 'read_only'].includes(key) && isNo(row.take(key))) continue;
      if (isMediaColumn(key)) this.tell(row, 'MEDIA', { column: head });
      else if (isKnownColumn(key, row.place.sheet)) this.tell(row, 'CELL_LEFT_OUT', { column: head });
      else if (!this.unknownColumns.has(`${row.place.sheet} ${key}`)) {
        this.unknownColumns.add(`${row.place.sheet} ${key}`);
        if (!this.tellMisspelled(row, key, head)) this.tell(row, 'COLUMN_UNKNOWN', { column: head });
      }
    }
  }

  /** Whether the column name is close to a known one, so that it was probably misspelled, not left out on purpose. */
  tellMisspelled(row: SheetRow, key: string, head: string, knownWords?: readonly string[]): boolean {
    const suggestion = row.meantBy(key, head, knownWords);
    if (suggestion === null) return false;
    const code = isXlsformTextColumn(suggestion) ? 'TEXT_COLUMN' : 'RULE_COLUMN';
    this.notes.add(row.headPlace, code, { column: head, known: suggestion });
    return true;
  }
}
