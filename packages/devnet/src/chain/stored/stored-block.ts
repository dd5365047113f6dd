import { decodeNakamotoBlock, type NakamotoHeader, nakamotoBlockHash } from '@cairn-stacks/codec/block/nakamoto-block';
import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import type { BuiltBlock } from '../built-block.ts';
import { type BlockRecord, type SortitionJson, sortitionJson } from './block-record.ts';

/** A block of this process or of the archive. */
export type StoredBlock = {
  id: string;
  hash: string;
  height: number;
  parentId: string | undefined;
  /** 40 hex digits. */
  consensusHash: string;
  burn: { hash: string; height: number };
  sortition(): SortitionJson;
  /** Only of a Nakamoto block. */
  header(): NakamotoHeader | undefined;
};

export const storedBlock = (block: BuiltBlock, mainnet: boolean): StoredBlock => ({
  id: block.indexHash,
  hash: block.hash,
  height: block.height,
  parentId: block.header ? toHex(block.header.parentBlockId) : block.parent?.indexHash,
  consensusHash: bareHex(block.tenure.consensusHash),
  burn: block.burn,
  sortition: () => sortitionJson(block, mainnet),
  header: () => block.header,
});

export function storedRecord(record: BlockRecord | undefined): StoredBlock | undefined {
  if (!record) return undefined;
  const { id, height, parentId, consensusHash, sortition, bytes } = record;
  const header = bytes === undefined ? undefined : decodeNakamotoBlock(fromHex(bytes)).header;
  return {
    ...{ id, height, parentId, consensusHash },
    hash: header ? toHex(nakamotoBlockHash(header)) : id,
    burn: { hash: sortition.burn_block_hash, height: sortition.burn_block_height },
    sortition: () => sortition,
    header: () => header,
  };
}
