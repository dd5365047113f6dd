import {
  decodeNakamotoBlock,
  decodeNakamotoHeader,
  encodeNakamotoHeader,
  type NakamotoHeader,
  nakamotoBlockId,
} from '@cairn-stacks/codec/block/nakamoto-block';
import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import { merklePath, merkleRootOf } from '@cairn-stacks/codec/proof/merkle-path';
import { type SignedWeight, signedWeight } from '@cairn-stacks/codec/proof/signed-weight';
import { transactionId } from '@cairn-stacks/codec/transaction/transaction';
import { cycleAt, type PoxGeometry } from '../../chain/pox/geometry.ts';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { PublicError } from '../../errors.ts';
import { findBlock } from '../blocks/blocks-queries.ts';
import { findPoxCycle, listPoxSigners } from '../pox/cycles-queries.ts';
import { findMinedTransaction } from './lookup-queries.ts';
import { findBlockHeader, listOwnTransactions } from './proof-queries.ts';
import type { TransactionProof } from './proof-schema.ts';

/** Reads the bytes of a block from a node; undefined if no node has it. */
export type ReadNodeBlock = (id: string) => Promise<Uint8Array | undefined>;

export type ProofSources = {
  sql: Reader;
  readNodeBlock: ReadNodeBlock | undefined;
  poxGeometry: () => Promise<PoxGeometry | undefined>;
};

/** More signers than a cycle has had. */
const MAX_SIGNERS = 10_000;
const SHADOW = 0x80;

const refusal = (status: number, code: string, message: string) =>
  new PublicError(status, message, { error: message, code });
const unavailable = (message: string) => refusal(404, 'PROOF_UNAVAILABLE', message);

/** A header and the ids of the transactions below it, with the bytes of the one that is proven. */
type Leaves = { header: NakamotoHeader; ids: Uint8Array[]; index: number; raw: Uint8Array | undefined };

/** The proof that a block holds a canonical transaction: from the tables where they have the header, else from a node. */
export async function proveInclusion(sources: ProofSources, id: Uint8Array): Promise<TransactionProof> {
  const geometry = await sources.poxGeometry();
  const { block, mined, consensus, stored } = await inSnapshot(sources.sql, async sql => {
    const mined = await findMinedTransaction(sql, id, undefined);
    const block = mined && (await findBlock(sql, { height: mined.height }));
    if (!mined || !block) throw unavailable('no block of the canonical chain holds this transaction');
    // Headers of 2.x have no time, and nobody signs them.
    if (block.time === 0) throw unavailable('blocks before Nakamoto are not signed: they have no proof');
    const consensus = geometry && (await readConsensus(sql, cycleAt(geometry, block.burn_height)));
    return { block, mined, consensus, stored: await readStored(sql, block, id) };
  });
  const leaves = stored ?? (await readFromNode(sources.readNodeBlock, bareHex(block.index_hash), id));
  const { header, ids, index, raw } = leaves;
  if (!raw) throw unavailable('the block does not hold this transaction itself: the node made it');
  if (!isRootOf(leaves)) {
    throw refusal(503, 'PROOF_TX_SET_INCOMPLETE', 'the transactions that the node sent are not those of the header');
  }
  const isSigned = consensus && (header.version & SHADOW) === 0;
  return {
    txid: toHex(id),
    index_block_hash: toHex(block.index_hash),
    block_height: mined.height,
    tx_index: index,
    raw_tx: toHex(raw),
    raw_header: toHex(encodeNakamotoHeader(header)),
    tx_merkle_path: merklePath(ids, index).map(({ position, hash }) => ({ position, hash: toHex(hash) })),
    canonical: true,
    consensus: consensus ?? null,
    signed: isSigned ? renderSigned(signedWeight(header, consensus.reward_set.signers.map(weighted))) : null,
  };
}

type Consensus = NonNullable<TransactionProof['consensus']>;

const weighted = ({ signing_key, weight }: Consensus['reward_set']['signers'][number]) => ({
  key: signing_key.slice(2),
  weight,
});

const renderSigned = ({ weight, total, threshold, signers }: SignedWeight) => ({
  ...{ weight, total, threshold },
  signers: signers.map(key => `0x${key}`),
});

/** The signers of a cycle; undefined if the index has not seen their set. */
async function readConsensus(sql: Parameters<typeof findPoxCycle>[0], number: number): Promise<Consensus | undefined> {
  const cycle = await findPoxCycle(sql, number);
  if (!cycle) return undefined;
  const rows = await listPoxSigners(sql, cycle, { limit: MAX_SIGNERS, offset: 0 });
  const signers = rows
    .map(({ key, weight }) => ({ signing_key: toHex(key), weight }))
    .sort((a, b) => (a.signing_key < b.signing_key ? -1 : 1));
  const total_weight = signers.reduce((sum, { weight }) => sum + weight, 0);
  return { reward_cycle: number, reward_set: { signers, total_weight } };
}

const isRootOf = ({ header, ids }: Leaves) =>
  ids.length > 0 && bareHex(merkleRootOf(ids)) === bareHex(header.transactionMerkleRoot);

const leavesOf = (
  header: NakamotoHeader,
  transactions: { id: Uint8Array; raw: Uint8Array | null }[],
  id: Uint8Array,
) => {
  const ids = transactions.map(each => each.id);
  const index = ids.findIndex(each => bareHex(each) === bareHex(id));
  return { header, ids, index, raw: transactions[index]?.raw ?? undefined };
};

/** From the tables; undefined without the header, or if they do not hold all transactions of the block. */
async function readStored(
  sql: Sql,
  { index_hash, height }: { index_hash: Buffer; height: number },
  id: Uint8Array,
): Promise<Leaves | undefined> {
  const bytes = await findBlockHeader(sql, index_hash);
  if (!bytes) return undefined;
  const transactions = await listOwnTransactions(sql, height, id);
  const own = transactions.map(({ tx_id, raw }) => ({ id: tx_id, raw }));
  const leaves = leavesOf(decodeNakamotoHeader(bytes), own, id);
  return isRootOf(leaves) ? leaves : undefined;
}

/** From a node; the bytes prove that it is the block that was asked for. */
async function readFromNode(read: ReadNodeBlock | undefined, block: string, id: Uint8Array): Promise<Leaves> {
  const { header, transactions } = await readNodeBlock(read, block);
  return leavesOf(
    header,
    transactions.map(({ bytes }) => ({ id: transactionId(bytes), raw: bytes })),
    id,
  );
}

async function readNodeBlock(read: ReadNodeBlock | undefined, id: string) {
  const bytes = await read?.(id);
  if (!bytes) throw refusal(503, 'PROOF_NODE_UNAVAILABLE', 'no node gives the header of this block: try again later');
  try {
    const block = decodeNakamotoBlock(bytes);
    if (bareHex(nakamotoBlockId(block.header)) === id) return block;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
  throw refusal(503, 'PROOF_NODE_UNAVAILABLE', 'a node sent something else than the block');
}
