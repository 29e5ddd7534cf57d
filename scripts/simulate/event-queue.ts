/** A queue of simulated events in order of time, or in order of insertion if times are equal. */
export class EventQueue {
  readonly #acts: { at: number; act: () => Promise<void> }[] = [];

  add(at: number, act: () => Promise<void>): void {
    let [low, high] = [0, this.#acts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      // The next one stands last, so that taking it is cheap.
      if ((this.#acts[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    this.#acts.splice(low, 0, { at, act });
  }

  next(): { at: number; act: () => Promise<void> } | undefined {
    return this.#acts.pop();
  }
}
