import {
  decodeNakamotoBlock,
  type NakamotoBlock,
  type NakamotoHeader,
  nakamotoBlockId,
  readNakamotoHeader,
} from '@cairn-stacks/codec/block/nakamoto-block';
import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex } from '@cairn-stacks/codec/hex';
import { Reader } from '@cairn-stacks/codec/reader';
import { type Json, MessageError, object, optionalInteger, text } from '../../node/json.ts';
import { type NodeRpc, RpcError } from '../../node/rpc.ts';
import { type Replay, readReplay, type Sortition } from './replayed-block.ts';

/** A replay executes the block again, which takes tens of seconds for a heavy one. */
const replayTimeoutMs = 60_000;
const timeoutMs = 20_000;
const maxReplayBytes = 512 << 20;
/** More than the largest block. */
const maxBlockBytes = 8 << 20;

/** Every node responded, and none had the requested item. */
class RefusedError extends RpcError {}

/** A node responded that there is no such item. */
class NotFoundError extends RefusedError {}

/** A node responded that it does not have this yet. */
class NotAvailableError extends RefusedError {}

/** How a network counts reward cycles, and the burn heights at which its epochs begin. */
export type CycleRules = { firstBurnHeight: number; cycleLength: number; epochStarts: number[] };

/** Reads old blocks and the state after them from nodes. Nodes are tried in order; the first good response counts. */
export class NodeBlocks {
  readonly #nodes: readonly NodeRpc[];

  constructor(nodes: readonly NodeRpc[]) {
    this.#nodes = nodes;
  }

  /** A block as it was signed; its bytes prove that it is the requested block. */
  async block(id: string): Promise<NakamotoBlock> {
    const block = readAs(id, await this.#request(`/v3/blocks/${id}`, { timeoutMs }), decodeNakamotoBlock);
    assertId(block.header, id);
    return block;
  }

  /** The header of a block, whatever its transactions are; undefined where every node responds without it. */
  async header(id: string): Promise<NakamotoHeader | undefined> {
    const bytes = await this.#request(`/v3/blocks/${id}`, { timeoutMs, maxBytes: maxBlockBytes }).catch(ifRefused);
    if (!bytes) return undefined;
    const header = readAs(id, bytes, block => readNakamotoHeader(new Reader(block)));
    assertId(header, id);
    return header;
  }

  /** The result of executing a block again; only a node whose secret is known responds. */
  async replay(id: string): Promise<Replay> {
    const replay = readReplay(
      await this.#json(`/v3/blocks/replay/${id}`, { timeoutMs: replayTimeoutMs, guarded: true }),
    );
    if (replay.id !== id) throw new MessageError(`a node sent block ${replay.id} instead of ${id}`);
    return replay;
  }

  async sortition(consensusHash: string): Promise<Sortition> {
    const response = await this.#json(`/v3/sortitions/consensus/${consensusHash}`, { timeoutMs });
    const json = object(Array.isArray(response) ? response[0] : response, 'sortition');
    return {
      burnHash: text(json, 'burn_block_hash'),
      burnHeight: optionalInteger(json, 'burn_block_height') ?? 0,
      burnTime: optionalInteger(json, 'burn_header_timestamp') ?? 0,
    };
  }

  /** The interface of a contract; a failed deploy has none, and a node responds 404. */
  async contractInterface(address: string, name: string): Promise<unknown> {
    return await this.#json(`/v2/contracts/interface/${address}/${name}`, { timeoutMs }).catch(absent(null));
  }

  /** All STX of an account after a block, locked or not; undefined where no node responds with it. */
  async balance(principal: string, blockId: string): Promise<bigint | undefined> {
    const response = await this.#json(`/v2/accounts/${principal}?proof=0&tip=${blockId}`, { timeoutMs }).catch(
      ifRefused,
    );
    if (response === undefined) return undefined;
    const json = object(response, 'account');
    return BigInt(text(json, 'balance')) + BigInt(text(json, 'locked'));
  }

  /** The liquid supply after a block; undefined where no node responds with it. */
  async supply(blockId: string): Promise<bigint | undefined> {
    const bytes = await this.#request(`/v2/pox?tip=${blockId}`, { timeoutMs }).catch(ifRefused);
    // A supply may exceed the precision of a JSON number.
    const digits = bytes && /"total_liquid_supply_ustx":\s*(\d+)/.exec(bytes.toString('utf8'))?.[1];
    return digits === undefined ? undefined : BigInt(digits);
  }

  async cycleRules(): Promise<CycleRules | undefined> {
    const response = await this.#json('/v2/pox', { timeoutMs }).catch(ifRefused);
    if (response === undefined) return undefined;
    const json = object(response, 'pox');
    const firstBurnHeight = optionalInteger(json, 'first_burnchain_block_height');
    const cycleLength = optionalInteger(json, 'reward_cycle_length');
    if (firstBurnHeight === undefined || !cycleLength || !Array.isArray(json.epochs)) return undefined;
    const epochs = json.epochs.map(epoch => optionalInteger(object(epoch, 'epoch'), 'start_height') ?? 0);
    return { firstBurnHeight, cycleLength, epochStarts: epochs };
  }

  /** The reward set of a cycle as of a block: 'none' before it was computed, undefined where no node responds with it. */
  async rewardSet(cycle: number, blockId: string): Promise<Json | 'none' | undefined> {
    const path = `/v3/stacker_set/${cycle}?tip=${blockId}`;
    const bytes = await this.#request(path, { timeoutMs }).catch((error: unknown) => {
      if (error instanceof NotAvailableError) return 'none' as const;
      return ifRefused(error);
    });
    if (bytes === undefined || bytes === 'none') return bytes;
    // Amounts are numbers here and text in events.
    const safe = bytes.toString('utf8').replace(/"(stacked_amt|pox_ustx_threshold)":\s*(\d+)/g, '"$1":"$2"');
    return object(object(JSON.parse(safe), 'stacker set').stacker_set, 'stacker_set');
  }

  async #json(path: string, options: RequestOptions): Promise<unknown> {
    const body = await this.#request(path, options);
    try {
      return JSON.parse(body.toString('utf8'));
    } catch {
      throw new RpcError(`${path}: no JSON`);
    }
  }

  /** The first good response of a node. */
  async #request(
    path: string,
    { timeoutMs, maxBytes = maxReplayBytes, guarded = false }: RequestOptions,
  ): Promise<Buffer> {
    const reasons: string[] = [];
    let refused = this.#nodes.length > 0;
    let unknown = false;
    let unavailable = false;
    for (const node of this.#nodes) {
      try {
        const { status, body } = await node.call({ method: 'GET', path }, { timeoutMs, maxBytes, guarded });
        if (status === 200) return body;
        refused &&= status >= 400 && status < 500 && status !== 429;
        unknown ||= status === 404;
        unavailable ||= status === 400 && body.includes('not_available_try_again');
        reasons.push(
          status === 401 ? 'it wants the auth_token of the node: add |auth=TOKEN to its address' : `status ${status}`,
        );
      } catch (error) {
        refused = false;
        reasons.push((error as Error).message);
      }
    }
    const message = `no node gave ${path}: ${[...new Set(reasons)].join('; ')}`;
    // A node that is down may have it: the caller must try again later.
    if (!refused) throw new RpcError(message);
    throw unavailable
      ? new NotAvailableError(message)
      : unknown
        ? new NotFoundError(message)
        : new RefusedError(message);
  }
}

function readAs<T>(id: string, bytes: Uint8Array, read: (bytes: Uint8Array) => T): T {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof CodecError) throw new MessageError(`a node's block ${id} cannot be read: ${error.message}`);
    throw error;
  }
}

function assertId(header: NakamotoHeader, id: string): void {
  const found = bareHex(nakamotoBlockId(header));
  if (found !== id) throw new MessageError(`a node sent block ${found} instead of ${id}`);
}

type RequestOptions = { timeoutMs: number; maxBytes?: number; guarded?: boolean };

const absent =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof NotFoundError) return value;
    throw error;
  };

/** An item that all nodes refuse stays unknown; a block need not wait for it. */
function ifRefused(error: unknown): undefined {
  if (error instanceof RefusedError) return undefined;
  throw error;
}
