import { writeBitVector } from '@cairn-stacks/codec/block/bit-vector';
import { blockHash, blockId } from '@cairn-stacks/codec/block/block-header';
import { type MicroblockHeader, microblockHash } from '@cairn-stacks/codec/block/microblock-header';
import { minerSighash, type NakamotoHeader, nakamotoBlockHash } from '@cairn-stacks/codec/block/nakamoto-block';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { signHash } from '@cairn-stacks/codec/transaction/signing';
import { Writer } from '@cairn-stacks/codec/writer';
import type { Random } from '../random.ts';
import { accountAt } from './account.ts';
import type { SealedHeader } from './block-json.ts';
import type { BuiltBlock, BuiltMicroblock, Tenure } from './built-block.ts';
import type { BurnBlock } from './burn-chain.ts';
import type { Executed } from './executed.ts';
import { merkleRoot } from './merkle.ts';

/** The inputs of a header. */
export type HeaderParts = {
  parent: BuiltBlock;
  burn: BurnBlock;
  tenure: Tenure;
  transactions: readonly Executed[];
  random: Random;
  mainnet: boolean;
  sign: boolean;
  /** Accounts that sign the block. Default: two of their own. */
  signers?: readonly number[] | undefined;
  /** Unix seconds; default: five seconds after the previous block. */
  time?: number | undefined;
};

/** Accounts that sign blocks where no signer set is known. */
const defaultSigners = [2_000, 2_001];

/** Seals a Nakamoto block: the miner signs, then the signers. */
export function sealNakamoto(parts: HeaderParts): SealedHeader {
  const { parent, burn, tenure, transactions, random, mainnet, sign } = parts;
  const { signers = defaultSigners } = parts;
  const poxTreatment = { length: 2, bytes: Uint8Array.of(3) };
  const header: NakamotoHeader = {
    version: 0,
    chainLength: BigInt(parent.height + 1),
    burnSpent: BigInt(burn.height) * 1_000n,
    consensusHash: tenure.consensusHash,
    parentBlockId: fromHex(parent.indexHash),
    transactionMerkleRoot: rootOf(transactions),
    stateRoot: random.bytes(32),
    timestamp: BigInt(parts.time ?? burn.time + 5 * tenure.blocks),
    minerSignature: new Uint8Array(65),
    signerSignatures: [],
    poxTreatment,
    problematicTransactions: [],
  };
  const signed = (hash: Uint8Array, account: number) =>
    sign ? signHash(hash, accountAt(account, mainnet).key.secret) : random.bytes(65);
  header.minerSignature = signed(minerSighash(header), tenure.miner);
  const hash = nakamotoBlockHash(header);
  header.signerSignatures = signers.map(signer => signed(hash, signer));
  const bits = new Writer(16);
  writeBitVector(bits, poxTreatment);
  return {
    hash: toHex(hash),
    indexHash: toHex(blockId(hash, tenure.consensusHash)),
    nakamoto: {
      time: Number(header.timestamp),
      minerSignature: header.minerSignature,
      signerSignatures: header.signerSignatures,
      bits: bits.finish(),
      header,
    },
  };
}

/** Seals a block of epochs 2.x, which contains the last microblock it confirms. */
export function sealAnchored(
  { parent, burn, tenure, transactions, random }: HeaderParts,
  confirmed: BuiltMicroblock | undefined,
): SealedHeader {
  const hash = blockHash({
    version: 0,
    burn: BigInt(burn.height) * 1_000n,
    work: BigInt(parent.height + 1),
    vrfProof: random.bytes(80),
    parentBlockHash: fromHex(parent.hash),
    parentMicroblockHash: confirmed ? fromHex(confirmed.hash) : new Uint8Array(32),
    parentMicroblockSequence: confirmed?.sequence ?? 0,
    transactionMerkleRoot: rootOf(transactions),
    stateRoot: random.bytes(32),
    microblockPublicKeyHash: random.bytes(20),
  });
  return {
    hash: toHex(hash),
    indexHash: toHex(blockId(hash, tenure.consensusHash)),
    ...(confirmed && { microblock: { hash: confirmed.hash, sequence: confirmed.sequence } }),
  };
}

/** Seals the next microblock and returns its hash. */
export function sealMicroblock(
  anchor: BuiltBlock,
  previous: BuiltMicroblock | undefined,
  transactions: readonly Executed[],
  { random, mainnet, sign }: Pick<HeaderParts, 'random' | 'mainnet' | 'sign'>,
): string {
  const header: MicroblockHeader = {
    version: 0,
    sequence: previous ? previous.sequence + 1 : 0,
    previousHash: fromHex(previous?.hash ?? anchor.hash),
    transactionMerkleRoot: merkleRoot(transactions.map(t => fromHex(t.txId))),
    signature: new Uint8Array(65),
  };
  const { key } = accountAt(anchor.tenure.miner, mainnet);
  header.signature = sign ? signHash(microblockHash(header), key.secret) : random.bytes(65);
  return toHex(microblockHash(header));
}

/** A block contains neither burn operations nor the transactions of microblocks. */
function rootOf(transactions: readonly Executed[]): Uint8Array {
  const own = transactions.filter(t => t.raw !== '0x00' && !t.microblock);
  return merkleRoot(own.map(t => fromHex(t.txId)));
}
