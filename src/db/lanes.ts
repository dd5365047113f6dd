/** A lane with so many statements under way takes more only when all others have as many. */
const DEEP = 8;

/** A statement that has run for so long will probably run on: nobody should wait behind it. */
const LONG_MS = 5;

/** One connection, or several as one driver holds them, and what is under way there. */
type Lane<Driver> = {
  driver: Driver;
  /** Statements that were sent and not answered; the server takes them one after the other. */
  waiting: number;
  /** When the first of them began, as far as can be told: when it was sent or when the one before was answered. */
  since: number;
  /** Transactions that have the connection for themselves, or wait for it. */
  transactions: number;
};

/**
 * Shares connections among statements. Few connections with statements one behind the other cost much less than many with one
 * each: the server goes on without being woken, and statements and answers travel together. So the first lanes are filled
 * first, as many as are `steady`; the others are for transactions and for statements that would have to wait behind a slow one.
 */
export class Lanes<Driver> {
  readonly #lanes: readonly Lane<Driver>[];
  readonly #steady: number;

  constructor(drivers: readonly Driver[], steady: number) {
    this.#lanes = drivers.map(driver => ({ driver, waiting: 0, since: 0, transactions: 0 }));
    this.#steady = steady;
  }

  /** Sends a statement where it will probably be answered first. */
  send<Query extends PromiseLike<unknown>>(statement: (driver: Driver) => Query): Query {
    const now = performance.now();
    const lane = this.#choose(now, index => index < this.#steady);
    const query = statement(lane.driver);
    if (lane.waiting++ === 0) lane.since = now;
    const answered = () => {
      lane.waiting--;
      lane.since = performance.now();
    };
    query.then(answered, answered);
    return query;
  }

  /** Gives a transaction a lane for itself. */
  async begin<T>(work: (driver: Driver) => Promise<T>): Promise<T> {
    const lane = this.#choose(performance.now(), index => index >= this.#steady);
    lane.transactions++;
    try {
      return await work(lane.driver);
    } finally {
      lane.transactions--;
    }
  }

  /** What holds a statement up most counts first: transactions, slow statements, lanes meant for the other kind, the others. */
  #choose(now: number, preferred: (index: number) => boolean): Lane<Driver> {
    let chosen = this.#lanes[0]!;
    let least = Number.POSITIVE_INFINITY;
    for (const [index, lane] of this.#lanes.entries()) {
      const heldUp = lane.waiting >= DEEP || (lane.waiting > 0 && now - lane.since > LONG_MS);
      const wait = lane.transactions * 1e6 + (heldUp ? 1e4 : 0) + (preferred(index) ? 0 : 1e3) + lane.waiting;
      if (wait < least) {
        chosen = lane;
        least = wait;
      }
    }
    return chosen;
  }
}
