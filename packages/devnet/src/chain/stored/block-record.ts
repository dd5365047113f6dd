import { encodeNakamotoBlock } from '@cairn-stacks/codec/block/nakamoto-block';
import { hash160 } from '@cairn-stacks/codec/hash';
import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { decodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { accountAt } from '../account.ts';
import type { BuiltBlock } from '../built-block.ts';
import { eventJson } from '../event-json.ts';
import type { Release } from '../release.ts';

/** The data of one block that the RPC serves: plain JSON, which can be stored. */
export type BlockRecord = {
  id: string;
  height: number;
  parentId: string | undefined;
  consensusHash: string;
  /** The sortition of its tenure, in the form of `/v3/sortitions`. */
  sortition: SortitionJson;
  /** Bytes as hex, and the result of a replay; only for a Nakamoto block. */
  bytes?: string;
  replay?: object;
};

/** A sortition in the form of `/v3/sortitions`, as far as other parts read it. */
export type SortitionJson = {
  burn_block_hash: string;
  burn_block_height: number;
  consensus_hash: string;
  [field: string]: unknown;
};

export function recordOf(block: BuiltBlock, release: Release, mainnet: boolean): BlockRecord {
  const bytes = blockBytes(block);
  return {
    id: block.indexHash,
    height: block.height,
    parentId: block.header ? toHex(block.header.parentBlockId) : block.parent?.indexHash,
    consensusHash: bareHex(block.tenure.consensusHash),
    sortition: sortitionJson(block, mainnet),
    ...(bytes && { bytes: bareHex(bytes), replay: replayJson(block, release) }),
  };
}

/** The bytes of a Nakamoto block; undefined for others. */
export function blockBytes(block: BuiltBlock): Uint8Array | undefined {
  const { header } = block;
  if (!header) return undefined;
  const own = signedOf(block).map(({ raw }) => fromHex(raw));
  return encodeNakamotoBlock({
    header,
    transactions: own.map(bytes => ({ bytes, transaction: decodeTransaction(bytes) })),
  });
}

const signedOf = ({ transactions }: BuiltBlock) => transactions.filter(({ raw }) => raw !== '0x00');

export function sortitionJson(block: BuiltBlock, mainnet: boolean): SortitionJson {
  const { burn, tenure } = block;
  const parentHash = tenure.previous?.consensusHash ?? null;
  return {
    burn_block_hash: burn.hash,
    burn_block_height: burn.height,
    burn_header_timestamp: burn.time,
    sortition_id: burn.hash,
    parent_sortition_id: (burn.message as { parent_burn_block_hash?: string }).parent_burn_block_hash ?? burn.hash,
    consensus_hash: toHex(tenure.consensusHash),
    was_sortition: true,
    miner_pk_hash160: toHex(hash160(accountAt(tenure.miner, mainnet).publicKey)),
    stacks_parent_ch: parentHash,
    last_sortition_ch: parentHash,
    committed_block_hash: tenure.previous?.blockId ?? null,
    vrf_seed: null,
  };
}

function replayJson(block: BuiltBlock, release: Release): object {
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
    // Burn operations are not part of the block itself.
    transactions: signedOf(block).map((executed, txIndex) => {
      const undone = executed.status === 'abort_by_post_condition';
      return {
        tx_index: txIndex,
        txid: executed.txId.slice(2),
        hex: executed.raw.slice(2),
        result_hex: toHex(executed.result),
        data: null,
        events: (undone ? executed.uncommitted : executed.events).map(event => {
          const { type, body } = eventJson(event, release);
          return { txid: executed.txId, event_index: index++, committed: !undone, type, [type]: body };
        }),
        execution_cost: executed.cost,
        post_condition_aborted: undone,
        stx_burned: Number(
          executed.events.reduce((sum, event) => sum + (event.kind === 'stx_burn' ? event.amount : 0n), 0n),
        ),
        vm_error: executed.vmError,
        profiler: null,
        execution_stats: null,
      };
    }),
  };
}
