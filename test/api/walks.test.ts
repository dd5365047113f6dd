import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { Random } from '@cairn-stacks/devnet/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messagesOf, testChain } from '../support/chain.ts';
import { historiesOf, historyTimeout, playHistories } from '../support/seed.ts';
import { addressOf, type ServedChain, serveChain } from '../support/served-chain.ts';
import { foldAll, until } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a result of any shape
type Json = any;

const account = addressOf(0);

/** Lists that are walked, each with a name for its rows; the plain list is what a walk has to be equal to. */
const lists: { url: string; keyOf?: (row: Json) => string; heightOf?: (row: Json) => number }[] = [
  { url: '/extended/v1/tx' },
  { url: '/extended/v1/tx?type=token_transfer' },
  { url: `/extended/v1/tx?from_address=${account}` },
  { url: `/extended/v1/tx/events?address=${account}`, keyOf: ({ tx_id, event_index }) => `${tx_id} ${event_index}` },
  { url: `/extended/v1/address/${account}/transactions` },
  { url: `/extended/v1/address/${account}/transactions_with_transfers`, keyOf: ({ tx }) => tx.tx_id },
  { url: `/extended/v1/address/${account}/assets`, keyOf: ({ tx_id, event_index }) => `${tx_id} ${event_index}` },
  { url: '/extended/v1/block', keyOf: row => row.hash, heightOf: row => row.height },
  { url: '/signer-metrics/v1/blocks', keyOf: row => row.block_hash, heightOf: row => row.block_height },
];

const rowsOf = (page: Json): Json[] => page.results ?? page.events;

/** The chain as a test builds it: which blocks are canonical. */
class Growth {
  readonly chain;
  readonly random;
  tip: BuiltBlock;

  constructor(seed: number) {
    this.chain = testChain({ seed, accounts: 3 });
    this.random = new Random(seed);
    this.tip = this.chain.genesis;
  }

  grow(length: number): BuiltBlock[] {
    return Array.from({ length }, () => {
      this.tip = this.chain.mine(this.tip, { transactions: 3 });
      return this.tip;
    });
  }

  /** Leaves some blocks for a longer branch. */
  fork(depth: number): BuiltBlock[] {
    for (let i = 0; i < depth && this.tip.parent?.parent; i++) this.tip = this.tip.parent;
    return this.grow(depth + 1);
  }

  /** The highest block of the chain at or below another one. */
  commonHeight(block: BuiltBlock): number {
    const hashes = new Set<string>();
    for (let at: BuiltBlock | undefined = this.tip; at; at = at.parent) hashes.add(at.indexHash);
    let own: BuiltBlock = block;
    while (!hashes.has(own.indexHash)) own = own.parent!;
    return own.height;
  }
}

type Row = { key: string; height: number };

/** A client that walks one list. */
class Walker {
  readonly #served: ServedChain;
  readonly #list: (typeof lists)[number];
  /** The list as it was when the walk began, and the tip then. */
  whole: Row[] = [];
  pin: BuiltBlock | undefined;
  rows: Row[] = [];
  cursor: string | null = '';

  constructor(served: ServedChain, list: (typeof lists)[number]) {
    this.#served = served;
    this.#list = list;
  }

  get isDone(): boolean {
    return this.cursor === null;
  }

  async step(growth: Growth, heights: ReadonlyMap<string, number>, limit: number): Promise<void> {
    const { url } = this.#list;
    const read = (page: Json) => rowsOf(page).map(row => this.#row(row, heights));
    if (this.cursor === '') {
      this.pin = growth.tip;
      this.whole = [];
      for (let last = -1; this.whole.length > last; ) {
        last = this.whole.length;
        this.whole.push(...read(await this.#served.get(this.#with(`limit=30&offset=${last}`))));
      }
    }
    const { status, body } = await this.#served.ask(this.#with(`limit=${limit}&cursor=${this.cursor}`));
    const common = growth.commonHeight(this.pin!);
    if (common < this.pin!.height) {
      expect([url, status, body.resume_height]).toEqual([url, 409, common]);
      // What lies below the fork stays right: the new list has it in the same place.
      const kept = this.rows.filter(row => row.height <= common);
      this.rows = [];
      this.cursor = '';
      await this.step(growth, heights, limit);
      expect([url, this.whole.filter(row => row.height <= common).slice(0, kept.length)]).toEqual([url, kept]);
      return;
    }
    expect([url, status, status === 200 ? '' : body]).toEqual([url, 200, '']);
    this.rows.push(...read(body));
    this.cursor = body.next_cursor;
    if (this.isDone) expect([url, this.rows]).toEqual([url, this.whole]);
  }

  #with(query: string): string {
    const { url } = this.#list;
    return `${url}${url.includes('?') ? '&' : '?'}${query}`;
  }

  #row(row: Json, heights: ReadonlyMap<string, number>): Row {
    const key = this.#list.keyOf?.(row) ?? row.tx_id;
    return { key, height: this.#list.heightOf?.(row) ?? heights.get(key.split(' ')[0]!) ?? 0 };
  }
}

async function post(served: ServedChain, blocks: readonly BuiltBlock[]): Promise<void> {
  const position = await foldAll(served.database, blocks.flatMap(messagesOf));
  await until(() => served.tip.current?.seq === Number(position.journal_seq));
}

/** The block of each transaction of the chain. */
async function heightsOf({ get }: ServedChain): Promise<Map<string, number>> {
  const heights = new Map<string, number>();
  for (let total = 1; heights.size < total; ) {
    const page = await get(`/extended/v1/tx?limit=50&offset=${heights.size}`);
    total = page.total;
    for (const { tx_id, block_height } of page.results) heights.set(tx_id, block_height);
  }
  return heights;
}

test('a walk gives the list at one state, or says from which height to begin again', {
  timeout: historyTimeout,
}, async () => {
  let [walked, taken] = [0, 0];
  const property = fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async seed => {
    const ends: (() => Promise<void>)[] = [];
    const growth = new Growth(seed);
    const { random } = growth;
    try {
      const served = await serveChain({ onTestFinished: end => void ends.unshift(end) }, [
        growth.tip,
        ...growth.grow(7),
      ]);
      const walkers = lists.map(list => new Walker(served, list));
      for (let round = 0; walkers.some(walker => !walker.isDone) && round < 40; round++) {
        const heights = await heightsOf(served);
        for (const walker of walkers.filter(each => !each.isDone)) {
          const { pin, cursor } = walker;
          await walker.step(growth, heights, 3 + random.below(9));
          if (cursor !== '' && walker.pin !== pin) taken++;
        }
        // Later walks are left alone, so that they come to an end.
        if (round < 5) await post(served, random.chance(3) ? growth.fork(1 + random.below(3)) : growth.grow(1));
      }
      expect(walkers.filter(walker => !walker.isDone)).toEqual([]);
      walked += walkers.length;
    } finally {
      for (const end of ends) await end();
    }
  });
  await playHistories('walks', property, historiesOf(0.02));
  expect(walked).toBeGreaterThan(0);
  expect(taken).toBeGreaterThan(0);
});
