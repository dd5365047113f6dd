import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { bareHex } from '@cairn-stacks/codec/hex';
import { type EventKind, eventKind } from '../chain/event.ts';
import { payloadIdsOf } from '../chain/transaction.ts';
import type { Pool, Sql } from '../db/client.ts';
import { inSnapshot } from '../db/pool/snapshot.ts';
import { InterfaceCache } from '../read/contracts/interface-cache.ts';
import { assetId } from '../read/events/event-schema.ts';
import type { EventRow } from '../read/events/events-queries.ts';
import { renderTransaction, type Transaction } from '../read/transactions/transaction-schema.ts';
import { listTransactionsOf, type TransactionRow, withFunctions } from '../read/transactions/transactions-queries.ts';
import { listEventsOf } from '../stream/feed-queries.ts';
import { findHookBlock, type HookBlockRow, listAbis } from './block-queries.ts';

/** An event in the words of the chain. */
export type HookEvent = {
  index: number;
  kind: EventKind;
  /** `CONTRACT_ID::ASSET_NAME`; undefined for STX and prints. */
  asset: string | undefined;
  /** The contract that printed or locked. */
  contract: string | undefined;
  sender: string | undefined;
  recipient: string | undefined;
  amount: string;
  /** The id of a token, what was printed, the memo of a transfer, or the text of the height of unlocking. */
  value: Buffer;
};

/** A transaction with its events, as the API shows it and as it was signed. */
export type HookTransaction = {
  body: Transaction;
  raw: Buffer;
  result: Buffer;
  abi: string | undefined;
  events: HookEvent[];
};

/** All that payloads are made of. */
export type HookBlock = { row: HookBlockRow; transactions: HookTransaction[] };

/** Blocks that are kept for hooks that read the same one. */
const KEPT = 8;
const ALL_EVENTS = { from: 0, limit: 2_147_483_647 };
const deployIds: readonly number[] = payloadIdsOf('smart_contract');

/** Reads blocks whole, once for all hooks at the same place. */
export class HookBlocks {
  readonly #sql: Pool;
  readonly #interfaces = new InterfaceCache();
  readonly #kept = new Map<string, Promise<HookBlock | undefined>>();

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  /** Undefined if the block is not canonical any more. `seq` tells a block from the same one with other contents. */
  async find(height: number, indexHash: Buffer, seq: number): Promise<HookBlock | undefined> {
    const key = `${seq} ${bareHex(indexHash)}`;
    const known = this.#kept.get(key);
    if (known) return await known;
    const reading = inSnapshot(this.#sql, sql => this.#read(sql, height, indexHash));
    this.#kept.set(key, reading);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    reading.catch(() => this.#kept.delete(key));
    return await reading;
  }

  async #read(sql: Sql, height: number, indexHash: Buffer): Promise<HookBlock | undefined> {
    const row = await findHookBlock(sql, height, indexHash);
    if (!row) return undefined;
    const all = await listTransactionsOf(sql, height);
    // What the chain began with is no transaction of anybody.
    const mined = all.filter(({ extras }) => extras?.genesis === undefined);
    const rows = await withFunctions(sql, mined, this.#interfaces);
    const events = new Map<number, HookEvent[]>();
    for (const event of rows.length > 0 ? await listEventsOf(sql, rows, ALL_EVENTS) : []) {
      const list = events.get(event.place) ?? [];
      events.set(event.place, list);
      list.push(eventOf(event));
    }
    const abis = await listAbis(
      sql,
      mined.filter(isDeploy).map(({ target }) => target),
    );
    return {
      row,
      transactions: rows.map(each => ({
        body: renderTransaction(each),
        raw: each.raw,
        result: each.result,
        abi: isDeploy(each) ? abis.get(each.target) : undefined,
        events: events.get(each.place) ?? [],
      })),
    };
  }
}

const isDeploy = ({ type }: TransactionRow) => deployIds.includes(type);

const nameOf = (bytes: Buffer | null) => (bytes === null ? undefined : principalFromBytes(bytes));

function eventOf(row: EventRow): HookEvent {
  const kind = eventKind(row.kind);
  const isToken = kind.startsWith('ft_') || kind.startsWith('nft_');
  return {
    index: row.event_index,
    kind,
    asset: isToken ? assetId(row) : undefined,
    contract: nameOf(row.contract),
    sender: nameOf(row.sender),
    recipient: nameOf(row.recipient),
    amount: row.amount,
    value: row.value,
  };
}
