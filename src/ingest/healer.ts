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
  /** Nodes to ask, best first, and to close at the end; those whose secret is not known refuse. */
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

/** A block that is missing: when to ask for it next, and how often that was in vain. */
type Gap = { dueAt: number; failures: number };

/** Asks nodes for blocks that parked ones wait for, and puts them into the log as if their events had come. */
export class Healer {
  readonly #options: HealerOptions;
  readonly #gaps = new Map<string, Gap>();
  readonly #pause = new Pause();
  #loop: Promise<void> | undefined;
  #complaint = '';

  constructor(options: HealerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Ends calls under way: a node may think about a block for a minute. */
  async stop(): Promise<void> {
    this.#pause.end();
    await Promise.all(this.#options.nodes.map(node => node.close()));
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { everyMs = 5_000 } = this.#options;
    while (!this.#pause.over) {
      try {
        await this.#heal(everyMs);
      } catch (error) {
        this.#complain((error as Error).message, 'cannot look for missing blocks; it is tried again');
      }
      await this.#pause.for(everyMs);
    }
  }

  /** Asks for every block that has been missing for a while; one that nobody has is asked for more and more rarely. */
  async #heal(everyMs: number): Promise<void> {
    const { patienceMs = 10_000 } = this.#options;
    const missing = await this.#missing();
    for (const hash of this.#gaps.keys()) if (!missing.includes(hash)) this.#gaps.delete(hash);
    for (const hash of missing) {
      const gap = this.#gaps.get(hash) ?? { dueAt: Date.now() + patienceMs, failures: 0 };
      this.#gaps.set(hash, gap);
      if (this.#pause.over || Date.now() < gap.dueAt) continue;
      try {
        await this.#fill(hash);
      } catch (error) {
        if (this.#pause.over) return;
        if (gap.failures++ === 0) this.#complain((error as Error).message, cannotBeHad);
      }
      // What was found has to be folded first; what was not may be there later.
      const pauseMs = Math.min(everyMs * 2 ** Math.min(gap.failures, 6), longestPauseMs);
      gap.dueAt = Date.now() + Math.max(pauseMs, patienceMs);
    }
  }

  /** Parents of parked blocks that the tree has not, the newest first. */
  async #missing(): Promise<string[]> {
    const { sql } = this.#options;
    const rows = await sql<{ parent: Buffer }[]>`
      select t.parent
      from block_tree t
      where t.parked and not exists (select 1 from block_tree p where p.index_hash = t.parent)
      group by t.parent
      order by max(t.height) desc
      limit 200
    `;
    return rows.map(({ parent }) => parent.toString('hex'));
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

  /** A deploy that failed has none, which a node says by 404; where none says anything the block has to wait. */
  async #interfaces({ json }: Replay): Promise<Map<string, unknown>> {
    const found = new Map<string, unknown>();
    for (const { txid, address, name } of deploysOf(json)) {
      const path = `/v2/contracts/interface/${address}/${name}`;
      const told = await this.#ask(path, false).catch((error: unknown) => {
        if (error instanceof NotFoundError) return null;
        throw error;
      });
      found.set(txid, told);
    }
    return found;
  }

  /** The first good answer of a node. */
  async #ask(path: string, guarded: boolean): Promise<unknown> {
    const reasons: string[] = [];
    let unknown = false;
    for (const node of this.#options.nodes) {
      try {
        const limits = { timeoutMs: replayTimeoutMs, maxBytes: mostBytes, guarded };
        const { status, body } = await node.ask({ method: 'GET', path }, limits);
        if (status === 200) return JSON.parse(body.toString('utf8'));
        unknown ||= status === 404;
        reasons.push(
          status === 401 ? 'it wants the auth_token of the node: add |auth=TOKEN to its address' : `status ${status}`,
        );
      } catch (error) {
        reasons.push((error as Error).message);
      }
    }
    const message = `no node gave ${path}: ${[...new Set(reasons)].join('; ')}`;
    throw unknown ? new NotFoundError(message) : new RpcError(message);
  }

  #complain(reason: string, message: string): void {
    if (reason === this.#complaint) return;
    this.#complaint = reason;
    this.#options.log.warn({ reason }, message);
  }
}

/** A node answered that there is no such thing. */
class NotFoundError extends RpcError {}

const cannotBeHad =
  'blocks are missing and could not be asked of a node; those of epochs 2.x cannot be had this way: replay an archive';

const zeroHash = `0x${'0'.repeat(64)}`;
