import type { NakamotoBlock } from '@cairn-stacks/codec/block/nakamoto-block';
import { bareHex } from '@cairn-stacks/codec/hex';
import { TransactionVersion } from '@cairn-stacks/codec/transaction/transaction';
import { type UnknownField, unknownFields } from '../../chain/unknown-field.ts';
import type { Pool } from '../../db/client.ts';
import { type Json, MessageError } from '../../node/json.ts';
import { healedKey, readBlock } from '../../node/messages.ts';
import { type NodeRpc, RpcError } from '../../node/rpc.ts';
import type { Pause } from '../../pause.ts';
import type { EventLog } from '../log/event-log.ts';
import { fetchedSource } from '../tree/fetched-block.ts';
import { type DueReward, findDueRewards } from './due-rewards.ts';
import { findKnownBlock, findMinerTxId, findWaitingChild, type KnownBlock, knownFromMessage } from './known-block.ts';
import { type CycleRules, NodeBlocks } from './node-blocks.ts';
import { deploysOf, messageOf, type Replay, type Sortition, startsTenure } from './replayed-block.ts';
import { findTenureFacts, type TenureStart } from './tenure-start.ts';

export type GapFillerOptions = {
  sql: Pool;
  events: Pick<EventLog, 'append'>;
  nodes: readonly NodeRpc[];
  pause: Pause;
};

/** Ids of a gap that are held; a longer one would take a node more than a day to replay. */
const maxBlocks = 100_000;
/** Bytes of blocks that are cached on the way down, so that they are not fetched twice. */
const maxHeldBytes = 16 << 20;
/** How long the fold may take to reach appended blocks, before rewards of these blocks count as unknown. */
const foldPatienceMs = 30_000;

/** A signed block, and the result of executing it again. */
type Fetched = { id: string; block: NakamotoBlock; replay: Replay; sortition: Sortition };

/** The blocks that were appended to the log for a gap. */
export type Filled = { blocks: number; incomplete: number };

/** Fills one gap of the log: fetches its blocks from nodes and appends the missing messages, lowest first. */
export class GapFiller {
  readonly #sql: Pool;
  readonly #events: GapFillerOptions['events'];
  readonly #nodes: NodeBlocks;
  readonly #pause: Pause;
  readonly #held = new Map<string, NakamotoBlock>();
  #heldBytes = 0;
  #rules: CycleRules | undefined;
  #sortition: { consensusHash: string; sortition: Sortition } | undefined;

  constructor({ sql, events, nodes, pause }: GapFillerOptions) {
    this.#sql = sql;
    this.#events = events;
    this.#nodes = new NodeBlocks(nodes);
    this.#pause = pause;
  }

  /** Walks down from a missing block to one that is known, and then up again. */
  async fill(hash: string): Promise<Filled> {
    this.#held.clear();
    this.#heldBytes = 0;
    const child = await findWaitingChild(this.#sql, hash);
    const path: string[] = [];
    let below: KnownBlock | undefined;
    let height = 0;
    for (let wanted = hash; !below; ) {
      if (this.#pause.over) return { blocks: 0, incomplete: 0 };
      if (path.length >= maxBlocks) {
        throw new RpcError(`more than ${maxBlocks} blocks are missing below ${hash}: replay an archive`);
      }
      const block = await this.#nodes.block(wanted);
      this.#hold(wanted, block);
      const { header } = block;
      path.push(wanted);
      height = Number(header.chainLength) - 1;
      wanted = bareHex(header.parentBlockId);
      below = await findKnownBlock(this.#sql, wanted);
    }
    this.#rules = await this.#nodes.cycleRules();
    // The gap below this one may just have been filled: the tables have to get here first.
    await this.#untilReached(height);
    const filled = { blocks: 0, incomplete: 0 };
    path.reverse();
    // The next block is fetched while this one is composed, and appended while the one after it is.
    let fetching = this.#fetch(path[0]!);
    let appending: Promise<unknown> = Promise.resolve();
    for (const [i] of path.entries()) {
      if (this.#pause.over) break;
      const fetched = await fetching;
      const next = path[i + 1];
      if (next !== undefined) fetching = this.#fetch(next);
      fetching.catch(() => {});
      const { message, unknown } = await this.#compose(fetched, below, child);
      message[healedKey] = { unknown };
      await appending;
      appending = this.#append(message);
      appending.catch(() => {});
      below = knownFromMessage(message);
      height++;
      filled.blocks++;
      if (unknown.length > 0) filled.incomplete++;
    }
    await appending;
    await this.#untilReached(height);
    return filled;
  }

  async #fetch(id: string): Promise<Fetched> {
    const block = this.#held.get(id) ?? (await this.#nodes.block(id));
    this.#held.delete(id);
    const replay = await this.#nodes.replay(id);
    checkSame(id, block.transactions, replay);
    return { id, block, replay, sortition: await this.#findSortition(bareHex(block.header.consensusHash)) };
  }

  /** Caches a block for the way up; the oldest are dropped, since the lowest are used first. */
  #hold(id: string, block: NakamotoBlock): void {
    this.#held.set(id, block);
    this.#heldBytes += sizeOf(block);
    for (const [oldest, held] of this.#held) {
      if (this.#heldBytes <= maxHeldBytes) break;
      this.#held.delete(oldest);
      this.#heldBytes -= sizeOf(held);
    }
  }

  async #append(message: Json): Promise<void> {
    const body = Buffer.from(JSON.stringify(message));
    await this.#events.append({ path: '/new_block', source: fetchedSource, at: new Date(), body });
  }

  /** The message of a block, and the fields that stay unknown. */
  async #compose(
    { id, block: { header, transactions }, replay, sortition }: Fetched,
    below: KnownBlock,
    child: KnownBlock | undefined,
  ): Promise<{ message: Json; unknown: UnknownField[] }> {
    const consensusHash = bareHex(header.consensusHash);
    const starts = startsTenure(transactions);
    const tenureHeight = below.tenureHeight === undefined ? undefined : below.tenureHeight + (starts ? 1 : 0);
    const minerTxId = await this.#findMinerTxId(consensusHash, sortition, below, child);
    const unlockHeights = [0, 1, 2, 3].map(i => child?.unlockHeights[i] ?? below.unlockHeights[i]);
    const around = {
      ...{ sortition, tenureHeight, minerTxId, unlockHeights },
      ...{ parentBlockHash: below.blockHash, parentSortition: below.sortition },
    };
    const message = messageOf(header, replay, around, await this.#findInterfaces(replay));

    const unknown: UnknownField[] = [];
    if (starts) {
      const start: TenureStart = {
        id,
        parentId: bareHex(header.parentBlockId),
        burnHeight: sortition.burnHeight,
        parentBurnHeight: below.sortition.burnHeight,
        mainnet: transactions[0]?.transaction.version === TransactionVersion.mainnet,
        block: readBlock(message),
      };
      unknown.push(...(await this.#addTenureFacts(message, start, tenureHeight)));
    }
    if (minerTxId === undefined) unknown.push('miner_txid');
    if (unlockHeights.every(height => height === undefined)) unknown.push('unlock_heights');
    return { message, unknown: unknownFields.filter(field => unknown.includes(field)) };
  }

  async #addTenureFacts(message: Json, start: TenureStart, tenureHeight: number | undefined): Promise<UnknownField[]> {
    const due = tenureHeight === undefined ? undefined : await this.#findDueRewards(start, tenureHeight);
    const { rewards, emission, rewardSet, unknown } = await findTenureFacts(this.#nodes, start, due, this.#rules);
    message.matured_miner_rewards = rewards;
    if (rewardSet) Object.assign(message, { reward_set: rewardSet.set, cycle_number: rewardSet.cycle });
    if (emission) addEmission(message, emission);
    return unknown;
  }

  /** The tables lag behind the log: a tenure of the same gap is waited for. */
  async #findDueRewards({ block }: TenureStart, tenureHeight: number): Promise<DueReward[] | undefined> {
    const due = await findDueRewards(this.#sql, tenureHeight);
    if (due) return due;
    await this.#untilReached(block.height - 1);
    return await findDueRewards(this.#sql, tenureHeight);
  }

  /** Waits until the tables reach a height, with a time limit: a losing branch never gets there. */
  async #untilReached(height: number): Promise<void> {
    for (const deadline = performance.now() + foldPatienceMs; !this.#pause.over && performance.now() < deadline; ) {
      const [row] = await this.#sql<{ height: number }[]>`select p.height from fold_position p`;
      if (row!.height >= height) break;
      await this.#pause.for(20);
    }
  }

  async #findSortition(consensusHash: string): Promise<Sortition> {
    if (this.#sortition?.consensusHash !== consensusHash) {
      this.#sortition = { consensusHash, sortition: await this.#nodes.sortition(consensusHash) };
    }
    return this.#sortition.sortition;
  }

  /** All blocks of a tenure name the same Bitcoin transaction. */
  async #findMinerTxId(
    consensusHash: string,
    sortition: Sortition,
    below: KnownBlock,
    child: KnownBlock | undefined,
  ): Promise<string | undefined> {
    for (const known of [below, child]) {
      if (known?.consensusHash === consensusHash && !/^0*$/.test(known.minerTxId)) return known.minerTxId;
    }
    // Where no other block of the tenure is known, the next one of the same tenure need not look again.
    if (below.consensusHash === consensusHash) return undefined;
    return await findMinerTxId(this.#sql, consensusHash, sortition);
  }

  /** Where no node responds about a contract, the block has to wait. */
  async #findInterfaces(replay: Replay): Promise<Map<string, unknown>> {
    const found = new Map<string, unknown>();
    for (const { txid, address, name } of deploysOf(replay)) {
      found.set(txid, await this.#nodes.contractInterface(address, name));
    }
    return found;
  }
}

/** The approximate size of a block in memory. */
const sizeOf = ({ header, transactions }: NakamotoBlock) =>
  transactions.reduce((sum, { bytes }) => sum + 2 * bytes.length, 1_000 + 65 * header.signerSignatures.length);

/** The replay has to be one of the very transactions that the block carries. */
function checkSame(id: string, own: readonly { bytes: Uint8Array }[], { transactions }: Replay): void {
  const same =
    own.length === transactions.length &&
    own.every(({ bytes }, i) => bareHex(bytes) === String(transactions[i]!.json.hex).replace(/^0x/, '').toLowerCase());
  if (!same) throw new MessageError(`a node replayed other transactions than block ${id} has`);
}

/** An emission is part of the coinbase of the tenure. */
function addEmission(message: Json, { recipient, amount }: { recipient: string; amount: bigint }): void {
  const block = readBlock(message);
  const coinbase = block.receipts.find(({ transaction }) => transaction?.payload.type === 'nakamoto_coinbase');
  if (!coinbase) throw new MessageError('a block that starts a tenure has no coinbase');
  const txid = `0x${bareHex(coinbase.txId)}`;
  const events = message.events as Json[];
  const after = (message.transactions as Json[]).slice(coinbase.index + 1).map(({ txid }) => txid);
  const place = events.findIndex(event => after.includes(event.txid));
  const event = {
    txid,
    committed: true,
    type: 'stx_mint_event',
    stx_mint_event: { recipient, amount: String(amount) },
  };
  const all = place < 0 ? [...events, event] : [...events.slice(0, place), event, ...events.slice(place)];
  message.events = all.map((each, event_index) => ({ ...each, event_index }));
}
