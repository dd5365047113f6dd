import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '@cairn-stacks/devnet/random';
import { type ApiClient, ApiFailure, type ApiResponse, AWAY } from './api-client.ts';
import type { Difference } from './difference.ts';
import { type PinnedBlock, type Query, queriesOf } from './query.ts';
import { judge, type Result } from './result.ts';
import type { Route } from './route.ts';
import {
  at,
  blockSubject,
  CHAIN_SUBJECTS,
  heightSubject,
  type Kind,
  namesSubjects,
  type Subject,
  subjectsIn,
} from './subject.ts';

/** A path whose responses differ, and the differences. */
export type Finding = { route: string; path: string; differences: Difference[] };

export type ComparisonOptions = {
  here: ApiClient;
  there: ApiClient;
  routes: readonly Route[];
  pin: PinnedBlock;
  seed: number;
  /** Only queries whose path or route contains this text are compared. */
  only?: string | undefined;
  mempool: boolean;
  onFinding(finding: Finding): void;
  /** Called after each request that succeeded or finally failed. */
  onResponse(): void;
};

/** Maximum number of subjects of one response that are queried. */
const TAKEN: Partial<Record<Kind, number>> = { transaction: 3, principal: 2, 'transaction of a principal': 2 };
const TAKEN_OTHERWISE = 1;
const SETTLE_ATTEMPTS = 4;
const SETTLE_MS = 250;
/** Number of consecutive failures after which an API counts as gone. */
const FAILURES_IN_A_ROW = 5;
/** Maximum number of recorded queries; beyond it, some are sent twice. */
const MAX_SENT = 200_000;

/** Sends the same requests to two APIs and counts the results of the comparison. */
export class Comparison {
  readonly counts = { same: 0, known: 0, different: 0, moved: 0, failed: 0 };
  readonly reasons = new Map<string, number>();
  readonly notOffered = new Map<string, number>();
  lastFailure = '';
  requests = 0;
  readonly #options: ComparisonOptions;
  readonly #sent = new Set<string>();
  #failuresInARow = 0;

  constructor(options: ComparisonOptions) {
    this.#options = options;
  }

  get compared(): number {
    return this.counts.same + this.counts.known + this.counts.different;
  }

  /** Compares responses about the whole chain and about the subjects that they name. */
  async compareChain(): Promise<void> {
    await this.#compareAll(CHAIN_SUBJECTS, new Random(this.#options.seed));
  }

  /** Compares a block, its transactions, and the subjects that they name. */
  async compareBlock(height: number): Promise<void> {
    const random = new Random(this.#options.seed ^ Math.imul(height, 0x9e3779b1));
    const block = await this.#orFailed(this.#getHere(`/extended/v2/blocks/${height}`));
    if (!block) return;
    const [found = heightSubject(height)] = blockSubject(block.body);
    await this.#compareAll([found], random);
  }

  /** Depth first, so that only subjects of one block are pending. */
  async #compareAll(subjects: readonly Subject[], random: Random): Promise<void> {
    const stack = [...subjects];
    for (let subject = stack.pop(); subject; subject = stack.pop()) {
      if (this.#isAsked(subject)) continue;
      for (const query of queriesOf(this.#options.routes, subject, this.#options)) {
        const response = await this.#orFailed(this.#compare(query));
        this.#options.onResponse();
        if (response?.status === 200) stack.push(...take(subjectsIn(query.route, response.body, subject), random));
      }
    }
  }

  #isAsked({ kind, values }: Subject): boolean {
    const key = `${kind} ${Object.values(values).join(' ')}`;
    if (this.#sent.has(key)) return true;
    if (this.#sent.size < MAX_SENT) this.#sent.add(key);
    return false;
  }

  /** Compares the responses to one query and returns that of this API. */
  async #compare(query: Query): Promise<ApiResponse | undefined> {
    const { only } = this.#options;
    if (only !== undefined && !query.path.includes(only) && !query.route.includes(only)) {
      return namesSubjects(query.route) ? await this.#getHere(query.path) : undefined;
    }
    const { here, there } = await this.#getBoth(query.path);
    const first = judge(query, here, there);
    this.#count(query, query.pinned || first.verdict !== 'different' ? first : await this.#settle(query));
    return here;
  }

  /** Repeats until both are at the same tip or the response is final; undefined if that does not happen. */
  async #settle(query: Query): Promise<Result | undefined> {
    for (let attempt = 1; attempt <= SETTLE_ATTEMPTS; attempt++) {
      const before = await this.#tips();
      const { here, there } = await this.#getBoth(query.path);
      const result = judge(query, here, there);
      if (result.verdict !== 'different') return result;
      if (before !== undefined && before === (await this.#tips())) return result;
      if (await this.#isQuiet(query.subject)) return judge(query, here, there, { sameTip: false });
      await sleep(SETTLE_MS * attempt);
    }
    return undefined;
  }

  /** The common tip of both APIs; undefined if they differ. */
  async #tips(): Promise<string | undefined> {
    const { here, there } = await this.#getBoth('/extended');
    const [ours, theirs] = [here, there].map(({ body }) => at(body, 'chain_tip', 'index_block_hash'));
    return typeof ours === 'string' && ours === theirs ? ours : undefined;
  }

  /** True if an account has no newer transaction than the pinned block, on either side. */
  async #isQuiet({ kind, values }: Subject): Promise<boolean> {
    if (kind !== 'principal' && kind !== 'token of a principal') return false;
    const { here, there } = await this.#getBoth(`/extended/v2/addresses/${values.principal}/transactions?limit=1`);
    return [here, there].every(({ status, body }) => {
      const results = at(body, 'results');
      const newest = Array.isArray(results) ? at(results[0], 'tx', 'block_height') : undefined;
      return status === 200 && typeof newest === 'number' && newest <= this.#options.pin.height;
    });
  }

  #count(query: Query, result: Result | undefined): void {
    if (!result) {
      this.counts.moved++;
    } else if (result.verdict === 'not offered there') {
      this.notOffered.set(query.route, (this.notOffered.get(query.route) ?? 0) + 1);
    } else {
      this.counts[result.verdict]++;
      if (result.verdict === 'same') return;
      for (const reason of result.reasons) this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
      if (result.verdict === 'known') return;
      this.#options.onFinding({ route: query.route, path: query.path, differences: result.differences });
    }
  }

  async #getBoth(path: string): Promise<{ here: ApiResponse; there: ApiResponse }> {
    const { here, there } = this.#options;
    this.requests += 2;
    const [ours, theirs] = await Promise.all([here.get(path), there.get(path)]);
    // Both may lack something, such as data that only a node has; a single missing side is a failure.
    if (AWAY.has(ours.status) !== AWAY.has(theirs.status)) {
      const [client, { status }] = AWAY.has(ours.status) ? [here, ours] : [there, theirs];
      throw new ApiFailure(`${client.url}${path}: status ${status}`);
    }
    this.#failuresInARow = 0;
    return { here: ours, there: theirs };
  }

  async #getHere(path: string): Promise<ApiResponse> {
    this.requests++;
    return await this.#options.here.get(path);
  }

  /** Counts a failure and continues, unless an API is gone. */
  async #orFailed<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      this.counts.failed++;
      this.lastFailure = error.message;
      if (++this.#failuresInARow >= FAILURES_IN_A_ROW) throw error;
      return undefined;
    }
  }
}

/** Some random subjects of each kind. */
function take(subjects: readonly Subject[], random: Random): Subject[] {
  const rest = [...subjects];
  const taken = new Map<Kind, number>();
  const chosen: Subject[] = [];
  while (rest.length > 0) {
    const [subject] = rest.splice(random.below(rest.length), 1);
    const { kind } = subject!;
    const already = taken.get(kind) ?? 0;
    if (already >= (TAKEN[kind] ?? TAKEN_OTHERWISE)) continue;
    taken.set(kind, already + 1);
    chosen.push(subject!);
  }
  return chosen;
}
