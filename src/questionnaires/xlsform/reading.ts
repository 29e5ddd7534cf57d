/** What is known while a form is read: its names, its lists, what was said against it so far. Browser-safe. */
import { FreeNames } from './free-names.ts';
import type { Words } from './languages.ts';
import { placesIn, plainOf } from './markup.ts';
import { type Note, type NoteCode, Notes, type Place } from './notes.ts';
import { isKnownColumn, isMedia, type Row, wordsOf } from './table.ts';
import {
  type Around,
  conditionOf,
  type KnownName,
  NoCounterpart,
  readRule,
  referenceTo,
  valueIn,
} from './to-survey.ts';
import type { Node } from './xpath.ts';

export type Json = Record<string, unknown>;

export interface Choice {
  row: Row;
  /** Further rows of the same name, which a filter shows by other answers. */
  again: Row[];
  name: string;
  words: ReadonlyMap<string, string>;
}

export class Reading {
  readonly notes = new Notes();
  readonly faults = new Notes();
  readonly names = new Map<string, KnownName>();
  readonly freeNames = new FreeNames();
  readonly lists = new Map<string, Choice[]>();
  readonly usedLists = new Set<string>();
  /** Where each piece of the definition stood. */
  readonly places = new Map<object, Place>();
  /** Of all texts, `default` where a column names none. */
  languages: string[] = [];
  /** In whose words the form stands for a language that it lacks. */
  fallback: string | null = null;
  readonly unknownColumns = new Set<string>();
  /** Columns of the choices that a filter asks for. */
  readonly filterColumns = new Set<string>();
  /** Pages made for what stands outside of groups. */
  readonly loose = new Set<object>();

  tell(row: Row, code: NoteCode, params?: Note['params']): void {
    this.notes.add(row.place, code, params);
  }

  refuse(row: Row, code: NoteCode, params?: Note['params']): void {
    this.faults.add(row.place, code, params);
  }

  /** A text of a question, as SurveyJS has it. */
  words(
    row: Row,
    column: string,
    around: Around | null,
    form: (text: string) => { text: string; lost: boolean } = plainOf,
  ): Words | undefined {
    return this.inAll(this.#texts(row, column, around, form));
  }

  /** What stands below a question: its hint, and after that what guides the interviewer. */
  explanation(row: Row, around: Around): Words | undefined {
    const hint = this.#texts(row, 'hint', around, plainOf);
    const guidance = this.#texts(row, 'guidance_hint', around, plainOf);
    if (guidance.size > 0) this.tell(row, 'GUIDANCE_SHOWN');
    // Whoever speaks a language that the hint lacks is shown this one.
    const shown = hint.get(this.fallback ?? 'default') ?? hint.get('en');
    for (const [language, text] of guidance)
      hint.set(language, [hint.get(language) ?? shown, text].filter(Boolean).join(' '));
    return this.inAll(hint);
  }

  #texts(
    row: Row,
    column: string,
    around: Around | null,
    form: (text: string) => { text: string; lost: boolean },
  ): Map<string, string> {
    const name = row.take('name') || '?';
    let lost = false;
    const said = [...row.takeWords(column)].map(([language, text]): [string, string] => {
      const told = form(text);
      lost ||= told.lost;
      return [language, around ? this.#places(row, told.text, around, column) : told.text];
    });
    if (lost) this.tell(row, 'MARKUP_LOST', { name });
    return new Map(said);
  }

  /** Where a form has no words for whoever speaks another language, those of its own stand for them. */
  inAll(words: ReadonlyMap<string, string>): Words | undefined {
    const fallback = this.fallback === null ? undefined : words.get(this.fallback);
    if (fallback === undefined || words.has('default') || words.has('en')) return wordsOf(words);
    return wordsOf(new Map([['default', fallback], ...words]));
  }

  #places(row: Row, text: string, around: Around, column: string): string {
    return placesIn(text, (name) => {
      try {
        return referenceTo(name, around);
      } catch (error) {
        return this.#leftOut(row, column, error);
      }
    });
  }

  /** A cell as an expression; null, and told, where it has no counterpart. */
  rule(row: Row, column: string, around: Around, as: 'condition' | 'value' = 'condition'): string | null {
    const text = row.take(column);
    return text === '' ? null : this.expression(row, column, text, around, as);
  }

  expression(
    row: Row,
    column: string,
    text: string,
    around: Around,
    as: 'condition' | 'value',
  ): string | null {
    const node = this.node(row, column, text);
    return node && this.said(row, column, () => (as === 'condition' ? conditionOf : valueIn)(node, around));
  }

  node(row: Row, column: string, text: string): Node | null {
    return this.said(row, column, () => readRule(text));
  }

  said<T>(row: Row, column: string, say: () => T): T | null {
    try {
      return say();
    } catch (error) {
      return this.#leftOut(row, column, error);
    }
  }

  /** Null where it has no counterpart, without a word. */
  quietly<T>(say: () => T): T | null {
    try {
      return say();
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error;
      return null;
    }
  }

  #leftOut(row: Row, column: string, error: unknown): null {
    if (!(error instanceof NoCounterpart)) throw error;
    this.tell(row, error.code, { column, ...error.params });
    return null;
  }

  readonly #unread = new Set<string>();

  /** Whether a filter of choices can still be read: it is told once where it can not, and not for each choice. */
  readsFilter(row: Row, filter: string): boolean {
    return !this.#unread.has(`${row.place.row} ${filter}`);
  }

  refuseFilter(row: Row, filter: string): void {
    this.#unread.add(`${row.place.row} ${filter}`);
  }

  /** What a row has that nobody asked for. */
  tellRest(row: Row): void {
    for (const { key, head } of row.left) {
      if (isMedia(key)) this.tell(row, 'MEDIA', { column: head });
      else if (isKnownColumn(key)) this.tell(row, 'CELL_LEFT_OUT', { column: head });
      else if (!this.unknownColumns.has(`${row.place.sheet} ${key}`)) {
        this.unknownColumns.add(`${row.place.sheet} ${key}`);
        this.tell(row, 'COLUMN_UNKNOWN', { column: head });
      }
    }
  }
}
