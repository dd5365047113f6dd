import { parsePrincipal } from '@cairn-stacks/codec/address/principal';
import { CodecError } from '@cairn-stacks/codec/error';
import type { Network } from '@cairn-stacks/codec/network';
import type { Block } from '../../chain/block.ts';
import { MessageError, UnknownFormatError } from '../../node/json.ts';
import { readBlock } from '../../node/messages.ts';
import { type UnknownItem, unknownInBlock } from '../../node/unknown-items.ts';
import { unresolvedBlock } from '../rows/resolved-block.ts';
import { noNames } from '../rows/used-names.ts';

/** The event is malformed, of another chain, or contradicts what is known: it is quarantined. */
export class InvalidEvent extends Error {
  override name = 'InvalidEvent';
}

/** The event is valid and this program does not support it: the fold halts. */
export class UnsupportedEvent extends Error {
  override name = 'UnsupportedEvent';
}

/** Reads a part of a message; what is wrong with it makes the event invalid. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const invalid = error instanceof MessageError || error instanceof CodecError;
    throw invalid ? new InvalidEvent(error.message, { cause: error }) : error;
  }
}

/**
 * Decodes a block of this network. Unknown formats are worth a halt only where the block has its place in the chain: `placed`.
 */
export function decodeBlock(
  message: unknown,
  network: Network,
  placed: boolean,
): { block: Block; items: readonly UnknownItem[] } {
  return reading(() => {
    try {
      const block = readBlock(message);
      assertNetwork(block, network);
      return { block, items: unknownInBlock(message, block) };
    } catch (error) {
      if (placed && error instanceof UnknownFormatError) throw new UnsupportedEvent(error.message, { cause: error });
      throw error;
    }
  });
}

/** Refuses a block that names a principal or an asset that cannot exist, before it enters the tree. */
export function assertNames(block: Block, network: Network): void {
  reading(() => {
    const used = noNames();
    unresolvedBlock(block, undefined, network.mainnet, used);
    for (const name of used.principals) parsePrincipal(name);
    for (const asset of used.assets) parsePrincipal(asset.slice(0, asset.indexOf('::')));
  });
}

/** Refuses a block of another chain. */
function assertNetwork({ receipts }: Block, { name, chainId, mainnet }: Network): void {
  for (const { transaction } of receipts) {
    if (!transaction || transaction.chainId === chainId) continue;
    // Transactions of the node itself have no chain id, but the version of their network.
    const sameVersion = ((transaction.version & 0x80) === 0) === mainnet;
    if (transaction.chainId === 0 && (sameVersion || name === 'custom' || name === 'signet')) continue;
    const its =
      transaction.chainId === 0 ? `version 0x${transaction.version.toString(16)}` : hexId(transaction.chainId);
    throw new InvalidEvent(
      `it carries transactions of another chain (${its}), this database belongs to ${name} (${hexId(chainId)})`,
    );
  }
}

const hexId = (chainId: number) => `chain id 0x${chainId.toString(16)}`;
