import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { Network } from '@cairn-stacks/codec/network';
import type { Pool, Sql } from '../db/client.ts';
import { inSnapshot } from '../db/pool/snapshot.ts';
import {
  type BlockRow,
  findBlock,
  findBlockByHash,
  findFirstBlock,
  listBlocksFrom,
} from '../read/blocks/blocks-queries.ts';
import { listStxBalances, type StxBalanceRow } from '../read/principals/stx-balances-queries.ts';
import { spendableOf } from './balances.ts';
import { readBlock, readPart } from './blocks.ts';
import { isStx } from './operations/currency.ts';
import { isSuccessful } from './operations/operation-types.ts';
import type { RosettaBlock } from './schemas/block.ts';
import type { RosettaTransaction } from './schemas/rosetta.ts';
import type { Bounds } from './transaction-parts.ts';

/** A disagreement of operations and balances. */
export type Disagreement = {
  check: 'balance' | 'negative balance' | 'parent' | 'hash' | 'operations';
  height: number;
  subject: string;
  message: string;
};

export type ReconciliationOptions = {
  sql: Pool;
  network: Network;
  /** Number of untouched accounts that are checked at each block. */
  sample?: number;
  /** Number of blocks read at once, in one snapshot. */
  together?: number;
  /** Called after each block. */
  onBlock?: (progress: { height: number; tip: number }) => void | Promise<void>;
  /** How many events one response shows; only tests set it. */
  bounds?: Bounds;
};

export type Reconciliation = {
  blocks: number;
  operations: number;
  accounts: number;
  /** Number of blocks that were undone because the chain changed meanwhile. */
  removed: number;
  disagreements: Disagreement[];
};

/** Number of blocks that can be undone; deeper than any known fork. */
const MAX_APPLIED = 1000;
/** Number of accounts whose balances one statement reads. */
const READ_AT_ONCE = 10_000;
/** Maximum number of reported disagreements. */
const MAX_DISAGREEMENTS = 1000;

type Applied = { height: number; hash: string; moves: Map<string, bigint> };

/** A block with the changes of its operations and the balances after it. */
type Look = Applied & {
  parent: RosettaBlock['parent_block_identifier'];
  accounts: string[];
  /** The balances of the accounts, in their order. */
  balances: StxBalanceRow[];
};

type Page = { looks: Look[]; tip: number };

/**
 * Walks the chain from its first block as a client does: applies every operation, and compares the resulting balances with
 * those of the balance endpoint at that block, until it has reached the tip.
 */
export async function reconcile(options: ReconciliationOptions): Promise<Reconciliation> {
  const { sql, network, sample = 5, together = 25, onBlock, bounds } = options;
  const result: Reconciliation = { blocks: 0, operations: 0, accounts: 0, removed: 0, disagreements: [] };
  const books = new Map<string, bigint>();
  const applied: Applied[] = [];
  const watched = new Watch(sample);
  let next = (await findFirstBlock(sql))?.height ?? 0;

  while (result.disagreements.length < MAX_DISAGREEMENTS) {
    const page = await inSnapshot(sql, sql => readPage(sql, next));
    if (page === 'moved') {
      takeBack();
      continue;
    }
    if (page.looks.length === 0) break;
    for (const look of page.looks) {
      apply(look);
      await onBlock?.({ height: look.height, tip: page.tip });
    }
    next += page.looks.length;
  }
  return { ...result, accounts: books.size };

  /** The next blocks with the balances of all accounts that they touch and of some others. */
  async function readPage(sql: Sql, from: number): Promise<Page | 'moved'> {
    const before = applied.at(-1);
    const [rows, tip, gone] = await Promise.all([
      listBlocksFrom(sql, from, together),
      findBlock(sql, 'latest'),
      before && isGone(sql, before),
    ]);
    if (gone) return 'moved';
    const looks = await Promise.all(rows.map(row => look(sql, row)));
    return { looks, tip: tip?.height ?? 0 };
  }

  async function look(sql: Sql, row: BlockRow): Promise<Look> {
    const { height } = row;
    const options = { network, compat: false, bounds };
    const [{ block, others }, found] = await Promise.all([
      readBlock(sql, row, options),
      findBlockByHash(sql, row.hash),
    ]);
    const { hash } = block.block_identifier;
    if (found?.height !== height) report('hash', height, hash, `its hash leads to block ${found?.height}`);
    const sums = new BlockSums();
    sums.add(block.transactions);
    for (const identifier of others) {
      const part = await readPart(sql, identifier, options, mined => mined.height === height);
      if (part) sums.add([part]);
      else report('hash', height, identifier, 'the block names this transaction and does not hold it');
    }
    for (const [subject, check, message] of sums.faults) report(check, height, subject, message);
    result.operations += sums.operations;
    const { moves } = sums;
    const accounts = [...new Set([...moves.keys(), ...watched.next()])];
    watched.add(moves.keys());
    const balances: StxBalanceRow[] = [];
    for (let i = 0; i < accounts.length; i += READ_AT_ONCE) {
      const some = accounts.slice(i, i + READ_AT_ONCE).map(principalToBytes);
      balances.push(...(await listStxBalances(sql, some, { height })));
    }
    return { height, hash, parent: block.parent_block_identifier, moves, accounts, balances };
  }

  function apply({ height, hash, parent, moves, accounts, balances }: Look): void {
    const before = applied.at(-1);
    const expected = before ? { index: before.height, hash: before.hash } : { index: height, hash };
    if (parent.hash !== expected.hash || parent.index !== expected.index) {
      report('parent', height, hash, `its parent is ${parent.hash}, the block before it ${expected.hash}`);
    }
    for (const [account, amount] of moves) books.set(account, (books.get(account) ?? 0n) + amount);
    applied.push({ height, hash, moves });
    if (applied.length > MAX_APPLIED) applied.shift();
    result.blocks++;
    for (const [i, account] of accounts.entries()) {
      const shown = spendableOf(balances[i]!, false);
      const summed = books.get(account) ?? 0n;
      if (shown !== summed)
        report('balance', height, account, `operations add up to ${summed}, the balance is ${shown}`);
      else if (shown < 0n) report('negative balance', height, account, `${shown}`);
      // A disagreement is reported once, not at every later block.
      if (shown !== summed) books.set(account, shown);
    }
  }

  /** Undoes the newest block. */
  function takeBack(): void {
    const gone = applied.pop();
    if (!gone) throw new Error('the chain changed more deeply than can be taken back');
    for (const [account, amount] of gone.moves) books.set(account, (books.get(account) ?? 0n) - amount);
    next = gone.height;
    result.removed++;
  }

  function report(check: Disagreement['check'], height: number, subject: string, message: string): void {
    result.disagreements.push({ check, height, subject, message });
  }
}

/** The net change of each account by the operations of a block, which may come in parts. */
class BlockSums {
  readonly moves = new Map<string, bigint>();
  readonly faults: [subject: string, check: Disagreement['check'], message: string][] = [];
  operations = 0;
  readonly #seen = new Set<string>();

  add(transactions: readonly RosettaTransaction[]): void {
    for (const { transaction_identifier, operations } of transactions) {
      const { hash } = transaction_identifier;
      if (this.#seen.has(hash)) this.faults.push([hash, 'hash', 'the block has this transaction twice']);
      this.#seen.add(hash);
      for (const [i, { operation_identifier, status, account, amount }] of operations.entries()) {
        this.operations++;
        if (operation_identifier.index !== i)
          this.faults.push([hash, 'operations', `operation ${i} has another number`]);
        if (!isSuccessful(status) || !amount || !isStx(amount.currency)) continue;
        if (!account) this.faults.push([hash, 'operations', `operation ${i} moves STX of nobody`]);
        else this.moves.set(account.address, (this.moves.get(account.address) ?? 0n) + BigInt(amount.value));
      }
    }
  }
}

/** True if a block that was applied is no longer canonical. */
async function isGone(sql: Sql, { height, hash }: Applied): Promise<boolean> {
  const row = await findBlock(sql, { height });
  return row === undefined || `0x${row.hash.toString('hex')}` !== hash;
}

/** Cycles through all accounts that ever moved STX, some at each block, so that idle ones are checked too. */
class Watch {
  readonly #size: number;
  readonly #known = new Set<string>();
  readonly #list: string[] = [];
  #at = 0;

  constructor(size: number) {
    this.#size = size;
  }

  add(accounts: Iterable<string>): void {
    for (const account of accounts) {
      if (this.#known.has(account)) continue;
      this.#known.add(account);
      this.#list.push(account);
    }
  }

  next(): string[] {
    const count = Math.min(this.#size, this.#list.length);
    return Array.from({ length: count }, () => this.#list[this.#at++ % this.#list.length]!);
  }
}
