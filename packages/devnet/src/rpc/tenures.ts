import { writeBitVector } from '@cairn-stacks/codec/block/bit-vector';
import { encodeNakamotoHeader, nakamotoBlockHash } from '@cairn-stacks/codec/block/nakamoto-block';
import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import { recoverKey } from '@cairn-stacks/codec/transaction/verification';
import { Writer } from '@cairn-stacks/codec/writer';
import type { StoredBlock } from '../chain/stored/stored-block.ts';
import { cycleOf } from '../contracts/pox/cycle.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import { notFound, type RpcResponse, type RpcRoute } from './route.ts';

/** Headers that one request may read: a reward cycle of mainnet. */
const maxHeaders = 2_100;
const bare = (id: string | undefined) => (id ?? '').replace(/^0x/, '');

/** Tenures and sortitions of the canonical chain, headers, and the blocks that a signer signed. */
export function tenureRoutes(node: DevnetNode): RpcRoute[] {
  const get = (path: RegExp, respond: (params: string[], query: URLSearchParams) => RpcResponse): RpcRoute => ({
    method: 'GET',
    path,
    respond: ({ params, query }) => respond(params, query),
  });
  /** The blocks of the tenure to which the first block that matches belongs, newest first. */
  const tenureOf = (matches: (block: StoredBlock) => boolean): StoredBlock[] => {
    const blocks: StoredBlock[] = [];
    for (const block of node.canonical()) {
      const last = blocks.at(-1);
      if (last ? block.consensusHash === last.consensusHash : matches(block)) blocks.push(block);
      else if (last) break;
    }
    return blocks;
  };
  const sortition = (matches: (block: StoredBlock) => boolean): RpcResponse => {
    for (const block of node.canonical()) if (matches(block)) return { json: [block.sortition()] };
    return notFound('No such sortition');
  };
  const listed = (blocks: StoredBlock[]): RpcResponse =>
    blocks.length === 0 ? notFound('No such tenure') : { json: tenureBlocksJson(blocks) };
  return [
    get(/^\/v3\/tenures\/info$/, () => ({ json: tenureJson(node) })),
    get(/^\/v3\/tenures\/blocks\/(?:0x)?([0-9a-f]{40})$/, ([hash]) => listed(tenureOf(b => b.consensusHash === hash))),
    get(/^\/v3\/tenures\/blocks\/hash\/(?:0x)?([0-9a-f]{64})$/, ([hash]) =>
      listed(tenureOf(b => bare(b.burn.hash) === hash)),
    ),
    get(/^\/v3\/tenures\/blocks\/height\/(\d{1,10})$/, ([height]) =>
      listed(tenureOf(b => b.burn.height === Number(height))),
    ),
    get(/^\/v3\/tenures\/tip\/(?:0x)?([0-9a-f]{40})$/, ([hash]) => {
      const [tip] = tenureOf(b => b.consensusHash === hash);
      const json = tip && headerJson(tip);
      return json ? { json } : notFound('No such tenure');
    }),
    get(/^\/v3\/tenures\/fork_info\/(?:0x)?([0-9a-f]{40})\/(?:0x)?([0-9a-f]{40})$/, ([start = '', stop = '']) =>
      forkInfo(node, start, stop),
    ),
    get(/^\/v3\/tenures\/(?:0x)?([0-9a-f]{64})$/, ([id], query) =>
      tenureBytes(node, id!, bare(query.get('stop') ?? '')),
    ),
    get(/^\/v3\/sortitions$/, () => sortition(() => true)),
    get(/^\/v3\/sortitions\/latest_and_last$/, () => {
      const latest = tenureOf(() => true)[0];
      const last = latest && tenureOf(b => b.consensusHash !== latest.consensusHash)[0];
      return latest && last ? { json: [latest.sortition(), last.sortition()] } : notFound('No such sortition');
    }),
    get(/^\/v3\/sortitions\/burn\/(?:0x)?([0-9a-f]{64})$/, ([hash]) => sortition(b => bare(b.burn.hash) === hash)),
    get(/^\/v3\/sortitions\/burn_height\/(\d{1,10})$/, ([height]) => sortition(b => b.burn.height === Number(height))),
    get(/^\/v3\/sortitions\/consensus\/(?:0x)?([0-9a-f]{40})$/, ([hash]) => {
      const found = node.sortition(hash!);
      return found ? { json: [found] } : notFound('No such sortition');
    }),
    get(/^\/v2\/headers\/(\d{1,10})$/, ([quantity]) => headers(node, Number(quantity))),
    get(/^\/v3\/signer\/(?:0x)?(0[23][0-9a-f]{64})\/(\d{1,10})$/, ([key, cycle]) => ({
      json: { blocks_signed: countSigned(node, key!, Number(cycle)) },
    })),
  ];
}

function tenureJson({ tip }: DevnetNode): object {
  let start = tip;
  while (start.parent && start.parent.tenure.number === tip.tenure.number) start = start.parent;
  const before = start.parent ?? start;
  let parentStart = before;
  while (parentStart.parent && parentStart.parent.tenure.number === before.tenure.number)
    parentStart = parentStart.parent;
  return {
    consensus_hash: bareHex(tip.tenure.consensusHash),
    tenure_start_block_id: start.indexHash.slice(2),
    parent_consensus_hash: bareHex(before.tenure.consensusHash),
    parent_tenure_start_block_id: parentStart.indexHash.slice(2),
    tip_block_id: tip.indexHash.slice(2),
    tip_height: tip.height,
    reward_cycle: cycleOf(tip.burn.height),
  };
}

const tenureBlocksJson = (blocks: StoredBlock[]): object => ({
  consensus_hash: blocks[0]!.consensusHash,
  burn_block_height: blocks[0]!.burn.height,
  burn_block_hash: bare(blocks[0]!.burn.hash),
  stacks_blocks: blocks.map(block => ({
    block_id: bare(block.id),
    block_hash: bare(block.hash),
    header_type: block.header() ? 'nakamoto' : 'epoch2',
    height: block.height,
    parent_block_id: bare(block.parentId),
  })),
});

/** The header of the highest block of a tenure; undefined for a block of 2.x. */
function headerJson(block: StoredBlock): object | undefined {
  const header = block.header();
  if (!header) return undefined;
  const bits = new Writer(16);
  writeBitVector(bits, header.poxTreatment);
  return {
    Nakamoto: {
      version: header.version,
      chain_length: Number(header.chainLength),
      burn_spent: Number(header.burnSpent),
      consensus_hash: bareHex(header.consensusHash),
      parent_block_id: bareHex(header.parentBlockId),
      tx_merkle_root: bareHex(header.transactionMerkleRoot),
      state_index_root: bareHex(header.stateRoot),
      timestamp: Number(header.timestamp),
      miner_signature: bareHex(header.minerSignature),
      signer_signature: header.signerSignatures.map(bareHex),
      pox_treatment: bareHex(bits.finish()),
    },
  };
}

/** The tenures from one consensus hash down to another. */
function forkInfo(node: DevnetNode, start: string, stop: string): RpcResponse {
  const tenures: object[] = [];
  let current = '';
  for (const block of node.canonical()) {
    if (tenures.length === 0 && block.consensusHash !== start) continue;
    if (block.consensusHash === current) continue;
    current = block.consensusHash;
    const { burn_block_hash, burn_block_height, sortition_id, parent_sortition_id, was_sortition } = block.sortition();
    tenures.push({
      ...{ burn_block_hash, burn_block_height, sortition_id, parent_sortition_id },
      consensus_hash: `0x${current}`,
      was_sortition,
      first_block_mined: firstOf(node, current),
      nakamoto_blocks: null,
    });
    if (current === stop) return { json: tenures };
  }
  return notFound('No such tenures');
}

function firstOf(node: DevnetNode, consensusHash: string): string | null {
  let first: string | null = null;
  for (const block of node.canonical()) {
    if (block.consensusHash === consensusHash) first = block.id;
    else if (first !== null) break;
  }
  return first;
}

/** The blocks of a tenure from a block down, as bytes, without the block `stop` and those below. */
function tenureBytes(node: DevnetNode, id: string, stop: string): RpcResponse {
  const parts: Uint8Array[] = [];
  let record = node.record(`0x${id}`);
  const tenure = record?.consensusHash;
  if (record?.bytes === undefined) return notFound('No such block');
  while (record?.bytes !== undefined && record.consensusHash === tenure && bare(record.id) !== stop) {
    parts.push(fromHex(record.bytes));
    record = node.record(record.parentId);
  }
  return { bytes: Buffer.concat(parts) };
}

/** The newest headers, newest first. */
function headers(node: DevnetNode, quantity: number): RpcResponse {
  if (quantity === 0 || quantity > maxHeaders)
    return { status: 400, text: `quantity is a number from 1 to ${maxHeaders}` };
  const found: object[] = [];
  for (const block of node.canonical()) {
    const header = block.header();
    if (!header || found.length >= quantity) break;
    found.push({
      consensus_hash: block.consensusHash,
      header: bareHex(encodeNakamotoHeader(header)),
      parent_block_id: bareHex(header.parentBlockId),
    });
  }
  return { json: found };
}

/** The number of stored blocks of a reward cycle that a key has signed. */
function countSigned(node: DevnetNode, key: string, cycle: number): number {
  let count = 0;
  for (const block of node.canonical()) {
    const header = cycleOf(block.burn.height) === cycle ? block.header() : undefined;
    if (!header) continue;
    const hash = nakamotoBlockHash(header);
    if (header.signerSignatures.some(signature => signerOf(hash, signature) === key)) count++;
  }
  return count;
}

function signerOf(hash: Uint8Array, signature: Uint8Array): string | undefined {
  try {
    return bareHex(recoverKey(hash, signature, 'compressed'));
  } catch {
    // Without signing, signatures of the devnet are random bytes.
    return undefined;
  }
}
