import type { Pool } from '../db/client.ts';
import { MessageError, object, optionalInteger, text } from '../node/json.ts';
import { type NodeRpc, RpcError } from '../node/rpc.ts';
import { Pause } from '../pause.ts';
import type { EventLog } from './event-log.ts';
import {
  type Below,
  deploysOf,
  fetchedSource,
  messageOf,
  type Replay,
  readReplay,
  type Sortition,
} from './replayed-block.ts';
import type { FoldLog } from './step.ts';

export type HealerOptions = {
  sql: Pool;
  events: Pick<EventLog, 'append'>;
  /** Nodes to ask, best first; those whose secret is not known refuse. */
  nodes: readonly NodeRpc[];
  log: FoldLog;
  /** How often to look for gaps. */
  everyMs?: number;
  /** How long a block may be waited for before it is asked of a node: its event may only be late. */
  patienceMs?: number;
};

/** A replay executes the block again, which takes tens of seconds for a heavy one. */
const replayTimeoutMs = 60_000;
const mostBytes = 512 << 20;
/** Blocks fetched before they are handed to the log, so that memory stays bounded. */
const mostHeld = 200;
const longestPauseMs = 300_000;

/** Asks nodes for blocks that parked ones wait for, and puts them into the log as if their events had come. */
export class Healer {
  readonly #options: HealerOptions;
  readonly #seen = new Map<string, number>();
  readonly #pause = new Pause();
  #loop: Promise<void> | undefined;
  #failures = 0;
  #complaint = '';

  constructor(options: HealerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#pause.end();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { everyMs = 5_000 } = this.#options;
    while (!this.#pause.over) {
      try {
        await this.#heal();
        this.#failures = 0;
      } catch (error) {
        this.#failures++;
        this.#complain((error as Error).message);
      }
      await this.#pause.for(Math.min(everyMs * 2 ** Math.min(this.#failures, 6), longestPauseMs));
    }
  }

  /** Fills every gap that has been there for a while. */
  async #heal(): Promise<void> {
    const { sql, patienceMs = 10_000 } = this.#options;
    const gaps = await sql<{ parent: Buffer; height: number }[]>`
      select t.parent, min(t.height)::int as height
      from block_tree t
      where t.parked and not exists (select 1 from block_tree p where p.index_hash = t.parent)
      group by t.parent
      limit 20
    `;
    const now = Date.now();
    const missing = new Set(gaps.map(gap => gap.parent.toString('hex')));
    for (const hash of this.#seen.keys()) if (!missing.has(hash)) this.#seen.delete(hash);
    for (const { parent } of gaps) {
      const hash = parent.toString('hex');
      const since = this.#seen.get(hash) ?? now;
      this.#seen.set(hash, since);
      if (now - since >= patienceMs) await this.#fill(hash);
    }
  }

  /** Walks down from a missing block to one that is known, and hands what it found to the log, lowest first. */
  async #fill(hash: string): Promise<void> {
    const held: Replay[] = [];
    let total = 0;
    let wanted = hash;
    while (!this.#pause.over) {
      const replay = readReplay(await this.#ask(`/v3/blocks/replay/${wanted}`, true));
      if (replay.id !== wanted) throw new MessageError(`a node answered block ${replay.id} when asked for ${wanted}`);
      held.push(replay);
      total++;
      const below = await this.#known(replay.parentId);
      if (below || held.length >= mostHeld) {
        await this.#hand(held.reverse(), below);
        held.length = 0;
      }
      if (below) break;
      wanted = replay.parentId;
    }
    if (total > 0) this.#options.log.info({ blocks: total }, 'a gap in the log was filled from a node');
  }

  async #hand(replays: Replay[], known: Below | undefined): Promise<void> {
    let below = known;
    for (const replay of replays) {
      const sortition = await this.#sortition(replay.consensusHash);
      const interfaces = await this.#interfaces(replay);
      below ??= {
        blockHash: zeroHash,
        sortition: { burnHash: zeroHash, burnHeight: 0, burnTime: 0 },
        tenureHeight: undefined,
      };
      const message = messageOf(replay, sortition, below, interfaces);
      await this.#options.events.append({
        path: '/new_block',
        source: fetchedSource,
        at: new Date(),
        body: Buffer.from(JSON.stringify(message)),
      });
      below = {
        blockHash: String(message.block_hash),
        sortition,
        tenureHeight: message.tenure_height as number | undefined,
      };
    }
  }

  /** A block of the tree that the fold knows, canonical or not. */
  async #known(hash: string): Promise<Below | undefined> {
    const { sql } = this.#options;
    const [row] = await sql<
      { block_hash: Buffer; burn_hash: Buffer | null; burn_height: number; burn_time: number; tenure: number }[]
    >`
      select t.block_hash, b.burn_hash, coalesce(b.burn_height, 0) as burn_height, coalesce(b.burn_time, 0) as burn_time,
        coalesce(b.tenure, -1) as tenure
      from block_tree t
      left join blocks b on b.height = t.height and b.index_hash = t.index_hash
      where t.index_hash = decode(${hash}, 'hex')
    `;
    if (!row) return undefined;
    return {
      blockHash: `0x${row.block_hash.toString('hex')}`,
      sortition: {
        burnHash: row.burn_hash?.toString('hex') ?? zeroHash,
        burnHeight: row.burn_height,
        burnTime: row.burn_time,
      },
      tenureHeight: row.tenure < 0 ? undefined : row.tenure,
    };
  }

  async #sortition(consensusHash: string): Promise<Sortition> {
    const answer = await this.#ask(`/v3/sortitions/consensus/${consensusHash}`, false);
    const json = object(Array.isArray(answer) ? answer[0] : answer, 'sortition');
    return {
      burnHash: text(json, 'burn_block_hash'),
      burnHeight: optionalInteger(json, 'burn_block_height') ?? 0,
      burnTime: optionalInteger(json, 'burn_header_timestamp') ?? 0,
    };
  }

  async #interfaces({ json }: Replay): Promise<Map<string, unknown>> {
    const found = new Map<string, unknown>();
    for (const { txid, address, name } of deploysOf(json)) {
      found.set(txid, await this.#ask(`/v2/contracts/interface/${address}/${name}`, false).catch(() => null));
    }
    return found;
  }

  /** The first good answer of a node. */
  async #ask(path: string, guarded: boolean): Promise<unknown> {
    const reasons: string[] = [];
    for (const node of this.#options.nodes) {
      try {
        const limits = { timeoutMs: replayTimeoutMs, maxBytes: mostBytes, guarded };
        const { status, body } = await node.ask({ method: 'GET', path }, limits);
        if (status === 200) return JSON.parse(body.toString('utf8'));
        reasons.push(
          status === 401 ? 'it wants the auth_token of the node: add |auth=TOKEN to its address' : `status ${status}`,
        );
      } catch (error) {
        reasons.push((error as Error).message);
      }
    }
    throw new RpcError(`no node gave ${path}: ${[...new Set(reasons)].join('; ')}`);
  }

  #complain(message: string): void {
    if (message === this.#complaint) return;
    this.#complaint = message;
    this.#options.log.warn(
      { reason: message },
      'blocks are missing and could not be asked of a node; those of epochs 2.x cannot be had this way: replay an archive',
    );
  }
}

const zeroHash = `0x${'0'.repeat(64)}`;
