/** Steps of work in one turn of the event loop; the requests of others come in between. */
const STEPS_A_TURN = 100;

/** Does pieces of work one after the other, a limited number of steps in each turn of the event loop. */
export class Turns {
  readonly #waiting: Iterator<unknown>[] = [];
  #isWorking = false;

  /** Begins at once if nothing else is going on. */
  add(work: Iterator<unknown>): void {
    this.#waiting.push(work);
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#go();
  }

  #go(): void {
    for (let steps = 0; steps < STEPS_A_TURN; steps++) {
      const [work] = this.#waiting;
      if (!work) {
        this.#isWorking = false;
        return;
      }
      if (work.next().done) this.#waiting.shift();
    }
    setImmediate(() => this.#go());
  }
}
