/**
 * Creates unique names. Remembers the next number of each, because a form may have thousands of identical names.
 * Browser-safe.
 */
export class UniqueNames {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();
  readonly #fold: (name: string) => string;

  constructor(fold: (name: string) => string = (name) => name.toLowerCase()) {
    this.#fold = fold;
  }

  /** The name itself, or with a number if it is taken. */
  of(name: string, mark = '_'): string {
    return this.#take(name) ? name : this.numbered(`${name}${mark}`, 2);
  }

  numbered(stem: string, first = 1): string {
    const key = this.#fold(stem);
    let at = this.#next.get(key) ?? first;
    while (!this.#take(`${stem}${at}`)) at += 1;
    this.#next.set(key, at + 1);
    return `${stem}${at}`;
  }

  #take(name: string): boolean {
    const key = this.#fold(name);
    if (this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }
}
