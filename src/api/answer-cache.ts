/** A rendered answer, ready for the wire: right as long as its class stands at `version`. */
export type Answer = {
  version: number;
  body: Buffer;
  etag: string | undefined;
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[];
};

/** What an entry costs beside its bytes and its key. */
const OVERHEAD = 1024;

/**
 * Rendered answers by URL, the least recently used dropped first when the bytes run out.
 *
 * Equal questions that arrive while one is being answered share its answer.
 */
export class AnswerCache {
  readonly #answers = new Map<string, Answer>();
  readonly #flights = new Map<string, Promise<Answer | undefined>>();
  readonly #maxBytes: number;
  #bytes = 0;
  hits = 0;
  misses = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#answers.size;
  }

  /** The answer to this URL, if it is of this version. */
  get(url: string, version: number): Answer | undefined {
    const answer = this.#answers.get(url);
    if (answer === undefined || answer.version !== version) return undefined;
    // Map keeps insertion order: taking the entry out and in again makes it the youngest.
    this.#answers.delete(url);
    this.#answers.set(url, answer);
    this.hits++;
    return answer;
  }

  /** Renders and keeps an answer, or waits for the one that is being rendered; `render` may decline with undefined. */
  async share(url: string, version: number, render: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
    const key = `${version} ${url}`;
    const flight = this.#flights.get(key);
    if (flight) return flight;
    this.misses++;
    const rendering = render().then(answer => {
      if (answer) this.#keep(url, answer);
      return answer;
    });
    this.#flights.set(key, rendering);
    try {
      return await rendering;
    } finally {
      this.#flights.delete(key);
    }
  }

  #keep(url: string, answer: Answer): void {
    const size = cost(url, answer);
    // One answer never pushes out more than an eighth of the others.
    if (size > this.#maxBytes / 8) return;
    this.#drop(url);
    this.#answers.set(url, answer);
    this.#bytes += size;
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    const answer = this.#answers.get(url);
    if (!answer) return;
    this.#answers.delete(url);
    this.#bytes -= cost(url, answer);
  }
}

const cost = (url: string, answer: Answer) => answer.body.length + url.length * 2 + OVERHEAD;
