import { bareHex, fromHex, toHex } from '../codec/hex.ts';
import { encodeNakamotoBlock } from '../codec/nakamoto-block.ts';
import { decodeTransaction } from '../codec/transaction.ts';
import type { BuiltBlock } from './built-block.ts';
import type { DevnetNode } from './devnet-node.ts';
import { eventJson } from './event-json.ts';
import { notFound, type RpcRoute } from './rpc-server.ts';

/** Blocks as bytes, and as what came of running them again. */
export function blockRoutes(node: DevnetNode): RpcRoute[] {
  const byId = (id = '') => node.blocks.get(`0x${id}`);
  const raw = (block: BuiltBlock | undefined) => {
    const bytes = block && blockBytes(block);
    return bytes ? { bytes } : notFound('No such block');
  };
  return [
    {
      method: 'GET',
      path: /^\/v3\/blocks\/height\/(\d+)$/,
      answer({ parts: [height] }) {
        let block: BuiltBlock | undefined = node.tip;
        while (block && block.height > Number(height)) block = block.parent;
        return raw(block?.height === Number(height) ? block : undefined);
      },
    },
    {
      method: 'GET',
      path: /^\/v3\/blocks\/replay\/(?:0x)?([0-9a-f]{64})$/,
      answer({ parts: [id] }) {
        const block = byId(id);
        return block?.header ? { json: replayJson(block, node) } : notFound('No such block');
      },
    },
    { method: 'GET', path: /^\/v3\/blocks\/(?:0x)?([0-9a-f]{64})$/, answer: ({ parts: [id] }) => raw(byId(id)) },
  ];
}

/** The bytes of a Nakamoto block; undefined for others. */
export function blockBytes({ header, transactions }: BuiltBlock): Uint8Array | undefined {
  if (!header) return undefined;
  const own = transactions.filter(({ raw }) => raw !== '0x00').map(({ raw }) => fromHex(raw));
  return encodeNakamotoBlock({
    header,
    transactions: own.map(bytes => ({ bytes, transaction: decodeTransaction(bytes) })),
  });
}

function replayJson(block: BuiltBlock, { chain }: DevnetNode): object {
  const header = block.header!;
  let index = 0;
  return {
    block_hash: block.hash.slice(2),
    block_id: block.indexHash.slice(2),
    parent_block_id: bareHex(header.parentBlockId),
    block_height: block.height,
    timestamp: Number(header.timestamp),
    consensus_hash: bareHex(header.consensusHash),
    fees: Number(block.transactions.reduce((sum, { fee }) => sum + fee, 0n)),
    tx_merkle_root: bareHex(header.transactionMerkleRoot),
    state_index_root: bareHex(header.stateRoot),
    miner_signature: bareHex(header.minerSignature),
    signer_signature: header.signerSignatures.map(bareHex),
    valid_merkle_root: true,
    transactions: block.transactions.map((executed, txIndex) => ({
      tx_index: txIndex,
      txid: executed.txId.slice(2),
      hex: executed.raw.slice(2),
      result_hex: toHex(executed.result),
      data: null,
      events: executed.events.map(event => {
        const { type, body } = eventJson(event, chain.release);
        return { txid: executed.txId, event_index: index++, committed: true, type, [type]: body };
      }),
      execution_cost: executed.cost,
      post_condition_aborted: executed.status === 'abort_by_post_condition',
      stx_burned: Number(
        executed.events.reduce((sum, event) => sum + (event.kind === 'stx_burn' ? event.amount : 0n), 0n),
      ),
      vm_error: executed.vmError,
      profiler: null,
      execution_stats: null,
    })),
  };
}
