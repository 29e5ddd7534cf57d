/** Names that nothing else has. The next number of each is kept: a form may call thousands alike. Browser-safe. */
export class FreeNames {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();
  readonly #fold: (name: string) => string;

  constructor(fold: (name: string) => string = (name) => name.toLowerCase()) {
    this.#fold = fold;
  }

  /** As it stands; where something is called so already, with a number. */
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
