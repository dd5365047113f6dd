import { Cancellation } from '../db/pool/cancellation.ts';
import { RecentlyUsed, textBytes } from './recently-used.ts';

/** A client that waits for a response. */
export type Client = {
  /** Calls back when the connection of the client ends before the response was written. */
  onGone(callback: () => void): void;
};

/** A rendered answer, ready for the wire: right as long as its class stands at `version`. */
export type Answer = {
  version: number;
  /** Bytes from the second time on: text that is sent once leaves no buffer behind for the collector to look for. */
  body: string | Buffer;
  /** Its bytes on the wire. */
  length: number;
  etag: string | undefined;
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[];
};

/** What the headers of an answer cost. */
const HEADERS = 768;

const sizeOf = ({ body, length }: Answer) => (typeof body === 'string' ? textBytes(body, length) : length);

/**
 * An answer that is being rendered; emptied when it is there. The tables that a Map outgrew hold on to what was in them, and
 * each to the next one: every answer would live until the next collection of everything.
 */
type Flight = {
  answer: Promise<Answer | undefined> | undefined;
  /** How many clients wait for it. */
  clients: number;
  cancellation: Cancellation;
};

/** All answers lie on one shelf, by their URL. */
const SHELF = 'answers';

/**
 * Rendered answers by URL, within a bound of bytes.
 *
 * Equal questions that arrive while one is being answered share its answer.
 */
export class AnswerCache {
  readonly #answers: RecentlyUsed<Answer>;
  readonly #flights = new Map<string, Flight>();
  hits = 0;
  misses = 0;

  constructor(maxBytes: number) {
    this.#answers = new RecentlyUsed(maxBytes);
  }

  get bytes(): number {
    return this.#answers.bytes;
  }

  /** The answer to this URL, if it is of this version. */
  get(url: string, version: number): Answer | undefined {
    const answer = this.#answers.get(SHELF, url);
    if (answer?.version !== version) return undefined;
    if (typeof answer.body === 'string') answer.body = Buffer.from(answer.body);
    this.hits++;
    return answer;
  }

  /**
   * Renders and keeps an answer, or waits for the one that is being rendered; `render` may decline with undefined. When all
   * clients that wait for it are gone, it is cancelled.
   */
  async share(
    url: string,
    version: number,
    render: (cancellation: Cancellation) => Promise<Answer | undefined>,
    client?: Client,
  ): Promise<Answer | undefined> {
    const key = `${version} ${url}`;
    const other = this.#flights.get(key);
    if (other) {
      this.#follow(key, other, client);
      return other.answer;
    }
    this.misses++;
    const flight: Flight = { answer: undefined, clients: 0, cancellation: new Cancellation() };
    flight.answer = render(flight.cancellation).then(answer => {
      if (answer) this.#answers.set(SHELF, url, answer, sizeOf(answer) + HEADERS);
      return answer;
    });
    this.#flights.set(key, flight);
    this.#follow(key, flight, client);
    try {
      return await flight.answer;
    } finally {
      this.#leave(key, flight);
      flight.answer = undefined;
    }
  }

  #follow(key: string, flight: Flight, client: Client | undefined): void {
    flight.clients++;
    client?.onGone(() => {
      if (--flight.clients > 0) return;
      // Who asks from now on is not to fail with those who left.
      this.#leave(key, flight);
      flight.cancellation.cancel();
    });
  }

  #leave(key: string, flight: Flight): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
