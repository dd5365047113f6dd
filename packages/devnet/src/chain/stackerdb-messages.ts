import { bareHex } from '@cairn-stacks/codec/hex';
import { encodePreCommit, encodeProposal, encodePush, encodeResponse } from '@cairn-stacks/codec/signer-message/encode';
import type { BlockResponse } from '@cairn-stacks/codec/signer-message/response';
import type { BuiltBlock } from './built-block.ts';
import type { Message } from './message-text.ts';
import { blockBytes } from './stored/block-record.ts';

/** A message of a signer and the slot that it is in. */
export type SignerChunk = { slot: number; data: Uint8Array };

/** Channels of the StackerDB contracts of signers. */
const RESPONSES = 1;
const PRE_COMMITS = 3;

/** `/stackerdb_chunks` in the form that nodes send; a devnet does not sign chunks. */
export function chunksMessage(contract: string, chunks: readonly SignerChunk[], mainnet = false): Message {
  return {
    path: '/stackerdb_chunks',
    body: {
      contract_id: { issuer: [mainnet ? 22 : 26, new Array<number>(20).fill(0)], name: contract },
      modified_slots: chunks.map(({ slot, data }) => ({
        slot_id: slot,
        slot_version: 1,
        sig: '00'.repeat(65),
        data: bareHex(data),
      })),
    },
  };
}

/** The miner proposes a Nakamoto block to the signers of a cycle. */
export function proposalMessage(block: BuiltBlock, cycle: number, version?: string): Message {
  const header = { ...block.header!, signerSignatures: [] };
  const data = encodeProposal(blockBytes({ ...block, header })!, block.burn.height, cycle, version);
  return chunksMessage('miners', [{ slot: 0, data }]);
}

/** The miner pushes a block that enough signers have signed. */
export const pushMessage = (block: BuiltBlock): Message =>
  chunksMessage('miners', [{ slot: 1, data: encodePush(blockBytes(block)!) }]);

/** Responses of signers of a cycle. */
export const responsesMessage = (cycle: number, responses: readonly (BlockResponse & { slot: number })[]): Message =>
  chunksMessage(
    `signers-${cycle % 2}-${RESPONSES}`,
    responses.map(response => ({ slot: response.slot, data: encodeResponse(response) })),
  );

/** Signers of a cycle announce that they will sign a block. */
export const preCommitMessage = (cycle: number, slots: readonly number[], hash: Uint8Array): Message =>
  chunksMessage(
    `signers-${cycle % 2}-${PRE_COMMITS}`,
    slots.map(slot => ({ slot, data: encodePreCommit(hash) })),
  );
