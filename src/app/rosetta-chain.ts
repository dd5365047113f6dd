import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Tip } from '../cache/tip-queries.ts';
import type { Reads } from '../db/reads.ts';
import { integer, type Json, MessageError, text } from '../node/json.ts';
import type { RpcCall, RpcResponse } from '../node/rpc.ts';
import type { NodePool } from '../proxy/pool/node-pool.ts';
import { findExecutedNonce } from '../read/principals/nonces-queries.ts';
import type { ShownHash } from '../rosetta/block-identifier.ts';
import type { ConstructionChain, Submitted } from '../rosetta/construction/chain.ts';
import { RosettaError, UNAVAILABLE } from '../rosetta/errors.ts';
import { readFromPool } from './node-call.ts';
import type { NodeAccess } from './node-proxy.ts';

export type RosettaChainOptions = {
  nodes: Pick<NodeAccess, 'pool' | 'send'>;
  reads: Pick<Reads, 'run'>;
  tip: { readonly current: Tip | undefined };
  /** Which hash identifies a block. */
  blockHash?: ShownHash | undefined;
};

/** Chain state from the nodes, or from the index if none responds. */
export function rosettaChain(options: RosettaChainOptions): ConstructionChain {
  const { nodes, reads, tip, blockHash } = options;
  const { pool, send } = nodes;
  return {
    async nextNonce(address) {
      const account = await read(pool, { method: 'GET', path: `/v2/accounts/${address}?proof=0` }, json =>
        integer(json, 'nonce'),
      );
      if (account !== undefined) return account;
      const executed = await reads.run(sql => findExecutedNonce(sql, principalToBytes(address), 'tip'));
      return executed?.nonce == null ? 0 : executed.nonce + 1;
    },
    async tipHash() {
      const { current } = tip;
      if (!current || current.height < 0) return undefined;
      return toHex(blockHash === 'index_block_hash' ? current.indexHash : current.hash);
    },
    async stacking() {
      const state = await read(pool, { method: 'GET', path: '/v2/pox' }, json => ({
        contract: text(json, 'contract_id'),
        rewardCycle: integer(json, 'reward_cycle_id'),
        burnHeight: integer(json, 'current_burnchain_block_height'),
      }));
      return state ?? unavailable('the state of stacking');
    },
    async estimateFee(payload, size) {
      const body = { transaction_payload: toHex(payload).slice(2), estimated_len: size };
      const estimate = await read(pool, post('/v2/fees/transaction', body), readEstimate);
      if (estimate !== undefined) return BigInt(estimate);
      // A node without enough samples for an estimate still has a fee rate per byte.
      const rate = await read(pool, { method: 'GET', path: '/v2/fees/transfer' }, json => Number(json));
      return rate !== undefined && rate > 0 && rate < 1e9 ? BigInt(Math.ceil(rate * size)) : unavailable('a fee');
    },
    async submit(raw) {
      return outcomeOf(await send(raw));
    },
  };
}

const post = (path: string, json: object): RpcCall => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(json)),
});

/** Calls the nodes and reads the response; undefined if none sends a valid one. */
async function read<T>(pool: NodePool, call: RpcCall, reader: (json: Json) => T): Promise<T | undefined> {
  return await readFromPool(pool, call, ({ body }) => {
    try {
      return reader(JSON.parse(body.toString('utf8')));
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof MessageError || error instanceof TypeError) return undefined;
      throw error;
    }
  });
}

/** The middle one of three estimates: low, middle and high. */
function readEstimate({ estimations }: Json): number {
  const [low, middle = low] = Array.isArray(estimations) ? (estimations as Json[]) : [];
  return integer(middle ?? {}, 'fee');
}

function unavailable(what: string): never {
  throw new RosettaError(UNAVAILABLE, `no node provides ${what} at the moment`, 503);
}

type Sent = Awaited<ReturnType<NodeAccess['send']>>;

function outcomeOf(sent: Sent): Submitted {
  if ('rejection' in sent) return { refusal: JSON.stringify(sent.rejection) };
  return sent.kind === 'accepted' ? { txId: `0x${sent.txId}` } : { refusal: textOf(sent.response) };
}

/** The body of a node's response, cut to 4000 characters. */
const textOf = ({ body }: RpcResponse) => body.toString('utf8').slice(0, 4000);
