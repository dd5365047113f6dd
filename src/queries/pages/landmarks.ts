/** A row of a long list, and how many rows there are up to it. */
export type Landmark<Key> = { passed: number; key: Key };

/** Rows between two landmarks, at least: what lies closer is walked to. */
const STRIDE = 50;

const MOST_MARKS = 1_000;

/**
 * Rows of a long list whose number is known, as long as the list stays in the state in which they were met. A page is walked to
 * from the last one before it, so that whoever reads page after page walks nowhere.
 */
export class Landmarks<Key> {
  #state = '';
  #marks: Landmark<Key>[] = [];

  /** The last row before so many are passed, and the state in which that is so. */
  before(offset: number): (Landmark<Key> & { state: string }) | undefined {
    const mark = this.#marks[this.#countUpTo(offset) - 1];
    return mark && { ...mark, state: this.#state };
  }

  learn(state: string, mark: Landmark<Key>): void {
    if (state !== this.#state) {
      this.#state = state;
      this.#marks = [];
    }
    const count = this.#countUpTo(mark.passed);
    const last = this.#marks[count - 1]?.passed ?? 0;
    if (mark.passed - last < STRIDE || this.#marks.length === MOST_MARKS) return;
    this.#marks.splice(count, 0, mark);
  }

  /** How many landmarks have passed no more than so many rows. */
  #countUpTo(passed: number): number {
    let low = 0;
    let high = this.#marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#marks[middle]!.passed <= passed) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
