import { principalToBytes } from '../codec/principal.ts';
import type { Pool, Sql } from '../db/client.ts';
import { inSnapshot } from '../db/snapshot.ts';
import type { Network } from '../network.ts';
import { findBlock, findBlockByHash, findFirstBlock } from '../queries/blocks.ts';
import { listStxBalances } from '../queries/stx-balances.ts';
import type { RosettaBlock } from '../schemas/rosetta-block.ts';
import { spendableOf } from './balances.ts';
import { readBlock } from './blocks.ts';
import { STX } from './currency.ts';
import { isSuccessful } from './operation-types.ts';

/** Something that operations and balances do not agree on. */
export type Disagreement = {
  check: 'balance' | 'negative balance' | 'parent' | 'hash' | 'operations';
  height: number;
  subject: string;
  message: string;
};

export type ReconciliationOptions = {
  sql: Pool;
  network: Network;
  /** Accounts that a block did not touch and that are looked at all the same. */
  sample?: number;
  /** Told after each block. */
  onBlock?: (progress: { height: number; tip: number }) => void | Promise<void>;
};

export type Reconciliation = {
  blocks: number;
  operations: number;
  accounts: number;
  /** Blocks that were taken back because the chain changed meanwhile. */
  removed: number;
  disagreements: Disagreement[];
};

/** Blocks that can be taken back; deeper than any fork that was ever seen. */
const KEPT = 1000;
/** Beyond so many nothing new is learnt. */
const MOST_DISAGREEMENTS = 1000;

type Applied = { height: number; hash: string; moves: Map<string, bigint> };

/**
 * Walks the chain from its first block as a client does: applies every operation, and holds what accounts then have
 * against what the balance endpoint says at that block. Follows the tip until it has reached it.
 */
export async function reconcile({ sql, network, sample = 5, onBlock }: ReconciliationOptions): Promise<Reconciliation> {
  const result: Reconciliation = { blocks: 0, operations: 0, accounts: 0, removed: 0, disagreements: [] };
  const books = new Map<string, bigint>();
  const applied: Applied[] = [];
  const watched = new Watch(sample);
  const first = await findFirstBlock(sql);
  let next = first?.height ?? 0;

  for (;;) {
    const step = await inSnapshot(sql, sql => look(sql, next));
    if (step === undefined || result.disagreements.length >= MOST_DISAGREEMENTS) break;
    if (step === 'moved') {
      const gone = applied.pop();
      // Taken back as it was added; with nothing left to take back, the first block itself is another one now.
      for (const [account, amount] of gone?.moves ?? []) books.set(account, (books.get(account) ?? 0n) - amount);
      next = gone?.height ?? next;
      result.removed++;
      continue;
    }
    next++;
    await onBlock?.({ height: step.height, tip: step.tip });
  }
  return { ...result, accounts: books.size };

  /** One block: read, checked, applied, and compared. */
  async function look(sql: Sql, height: number): Promise<{ height: number; tip: number } | 'moved' | undefined> {
    const before = applied.at(-1);
    if (before && (await isGone(sql, before))) return 'moved';
    const [row, tip] = await Promise.all([findBlock(sql, { height }), findBlock(sql, 'latest')]);
    if (!row || !tip) return undefined;
    const block = await readBlock(sql, row, { network, compat: false });
    const { hash } = block.block_identifier;
    const parent = before ? { index: before.height, hash: before.hash } : block.block_identifier;
    if (parent.hash !== block.parent_block_identifier.hash || parent.index !== block.parent_block_identifier.index) {
      tell(
        'parent',
        height,
        hash,
        `its parent is ${block.parent_block_identifier.hash}, the block before ${parent.hash}`,
      );
    }
    const found = await findBlockByHash(sql, row.hash);
    if (found?.height !== height) tell('hash', height, hash, `its hash leads to block ${found?.height}`);
    const moves = sumOf(block);
    for (const [account, amount] of moves) books.set(account, (books.get(account) ?? 0n) + amount);
    applied.push({ height, hash, moves });
    if (applied.length > KEPT) applied.shift();
    result.blocks++;
    await compare(sql, height, [...new Set([...moves.keys(), ...watched.next()])]);
    watched.add(moves.keys());
    return { height, tip: tip.height };
  }

  /** What each account gains and loses by the operations of a block. */
  function sumOf(block: RosettaBlock): Map<string, bigint> {
    const { index: height } = block.block_identifier;
    const moves = new Map<string, bigint>();
    const seen = new Set<string>();
    for (const { transaction_identifier, operations } of block.transactions) {
      const { hash } = transaction_identifier;
      if (seen.has(hash)) tell('hash', height, hash, 'the block has this transaction twice');
      seen.add(hash);
      for (const [i, { operation_identifier, status, account, amount }] of operations.entries()) {
        result.operations++;
        if (operation_identifier.index !== i) tell('operations', height, hash, `operation ${i} has another number`);
        if (!isSuccessful(status) || !amount || amount.currency.symbol !== STX.symbol) continue;
        if (!account) tell('operations', height, hash, `operation ${i} moves STX of nobody`);
        else moves.set(account.address, (moves.get(account.address) ?? 0n) + BigInt(amount.value));
      }
    }
    return moves;
  }

  async function compare(sql: Sql, height: number, accounts: string[]): Promise<void> {
    if (accounts.length === 0) return;
    const rows = await listStxBalances(sql, accounts.map(principalToBytes), { height });
    for (const [i, account] of accounts.entries()) {
      const told = spendableOf(rows[i]!, false);
      const summed = books.get(account) ?? 0n;
      if (told !== summed) tell('balance', height, account, `operations add up to ${summed}, the balance is ${told}`);
      else if (told < 0n) tell('negative balance', height, account, `${told}`);
      // What was told once shall not be told again at every block.
      if (told !== summed) books.set(account, told);
    }
  }

  function tell(check: Disagreement['check'], height: number, subject: string, message: string): void {
    result.disagreements.push({ check, height, subject, message });
  }
}

/** Whether the chain no longer holds a block that was applied. */
async function isGone(sql: Sql, { height, hash }: Applied): Promise<boolean> {
  const row = await findBlock(sql, { height });
  return row === undefined || `0x${row.hash.toString('hex')}` !== hash;
}

/** Goes round all accounts that ever moved, some at each block, so that each is looked at while it rests. */
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
