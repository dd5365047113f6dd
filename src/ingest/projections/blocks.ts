import type { Block } from '../../chain/block.ts';
import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';
import type { FirstTable } from '../rows/table-kinds.ts';

const none = new Uint8Array(0);

const blocksTable: Table = {
  name: 'blocks',
  columns: {
    height: 'int4',
    time: 'int4',
    burn_height: 'int4',
    burn_time: 'int4',
    parent_burn_height: 'int4',
    parent_burn_time: 'int4',
    tenure: 'int4',
    tx_count: 'int4',
    tx_total: 'int4',
    microblock_sequence: 'int4',
    read_count: 'int4',
    write_count: 'int4',
    read_length: 'int8',
    write_length: 'int8',
    runtime: 'int8',
    supply: 'numeric',
    hash: 'bytea',
    index_hash: 'bytea',
    parent_hash: 'bytea',
    parent_index_hash: 'bytea',
    burn_hash: 'bytea',
    parent_burn_hash: 'bytea',
    miner_tx_id: 'bytea',
    microblock: 'bytea',
    consensus_hash: 'bytea',
    signer_bitvec: 'bytea',
    signatures: 'bytea',
    miner_signature: 'bytea',
    state_hash: 'bytea',
    type_totals: 'int4[]',
    unlock_heights: 'int8[]',
  },
};

/** The first block of each burn height stays; later ones of the same height change nothing. */
const burnBlockHeightsTable: FirstTable = {
  name: 'burn_block_heights',
  columns: { burn_height: 'int4', height: 'int4' },
  key: ['burn_height'],
};

const blockExtrasTable: Table = {
  name: 'block_extras',
  columns: { height: 'int4', name: 'text', body: 'text' },
};

/** Fields that few blocks have. */
function extrasOf({ rewardSet, signerSignatureHash, hash }: Block): Record<string, string | undefined> {
  const own = signerSignatureHash && !Buffer.from(signerSignatureHash).equals(hash) ? signerSignatureHash : undefined;
  return {
    rewarded_addresses: rewardSet?.rewardedAddresses,
    start_cycle_state: rewardSet?.startCycleState,
    signer_signature_hash: own && `0x${Buffer.from(own).toString('hex')}`,
  };
}

/** Block headers with the running figures of the chain. Applied last: it reads the totals the others moved. */
export const blocks: Projection = {
  tables: [blocksTable, burnBlockHeightsTable, blockExtrasTable],

  apply({ block, height }, _totals, chain, rows) {
    for (const [name, body] of Object.entries(extrasOf(block))) {
      if (body !== undefined) rows.add(blockExtrasTable, [height, name, body]);
    }
    rows.first(burnBlockHeightsTable, String(block.burn.height), [block.burn.height, height]);
    rows.add(blocksTable, [
      height,
      block.time,
      block.burn.height,
      block.burn.time,
      block.parentBurn.height,
      block.parentBurn.time,
      block.tenureHeight ?? -1,
      block.receipts.length,
      chain.transactions,
      block.parentMicroblock?.sequence ?? -1,
      block.cost.readCount,
      block.cost.writeCount,
      block.cost.readLength,
      block.cost.writeLength,
      block.cost.runtime,
      chain.supply,
      block.hash,
      block.indexHash,
      block.parentHash,
      block.parentIndexHash,
      block.burn.hash,
      block.parentBurn.hash,
      block.minerTxId,
      block.parentMicroblock?.hash ?? none,
      block.consensusHash ?? none,
      block.signerBitvec ?? none,
      Buffer.concat(block.signerSignatures),
      block.minerSignature ?? none,
      chain.stateHash,
      [...chain.byType],
      block.unlockHeights.flatMap(h => (h === undefined ? [] : [BigInt(h)])),
    ]);
  },
};
