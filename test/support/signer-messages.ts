import { fromHex } from '@cairn-stacks/codec/hex';
import type { BlockResponse } from '@cairn-stacks/codec/signer-message/response';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { proposalMessage, pushMessage, responsesMessage } from '@cairn-stacks/devnet/chain/stackerdb-messages';
import type { Random } from '@cairn-stacks/devnet/random';

export type SignerMessage = Message & { at: Date };

/** A response as it was sent; the second one of a slot says something else than the first. */
export type SentResponse = BlockResponse & { slot: number; at: number };

export type SignerMessageOptions = {
  cycle: number;
  /** Number of signers of the cycle. */
  signers: number;
  random: Random;
  /** Arrival of the proposal in Unix milliseconds. */
  start: number;
  /** Called with everything that is sent. */
  onSent?: (sent: { proposal: number } | { response: SentResponse } | { push: number }) => void;
};

/**
 * Messages of miner and signers about a block, each with its time and with how many blocks it comes after it (negative
 * before). Some are lost, doubled or late, and some cross each other.
 */
export function signerMessages(
  block: BuiltBlock,
  { cycle, signers, random, start, onSent = () => {} }: SignerMessageOptions,
): { delay: number; message: SignerMessage }[] {
  const sent: { delay: number; message: SignerMessage }[] = [];
  const send = (message: Message, after: number, delay: number) =>
    sent.push({ delay, message: { ...message, at: new Date(start + after) } });
  const late = () => (random.chance(6) ? 0.3 + random.below(4) : -0.4);
  const twice = (usual: () => void) => {
    usual();
    if (random.chance(5)) usual();
  };
  if (!random.chance(8)) {
    twice(() => {
      const after = random.below(50);
      onSent({ proposal: start + after });
      send(proposalMessage(block, cycle, random.chance(2) ? 'miner 1' : undefined), after, late());
    });
  }
  for (let slot = 0; slot < signers; slot++) {
    if (random.chance(6)) continue;
    twice(() => {
      const after = random.below(9_000) - 20;
      const response = { slot, ...responseTo(fromHex(block.hash), random) };
      // The signature of an acceptance is the one in the block.
      if (response.accepted) response.signature = block.header!.signerSignatures[slot] ?? response.signature;
      onSent({ response: { ...response, at: start + after } });
      send(responsesMessage(cycle, [response]), after, late());
    });
  }
  if (!random.chance(4)) {
    twice(() => {
      const after = random.below(12_000);
      onSent({ push: start + after });
      send(pushMessage(block), after, late());
    });
  }
  return sent;
}

function responseTo(hash: Uint8Array, random: Random): BlockResponse {
  const common = { hash, signature: random.bytes(65), version: random.pick(['', 'signer 1', 'signer 2']) };
  if (!random.chance(4)) return { accepted: true, ...common };
  const detail = { code: random.pick([0, 6, 16]) };
  return {
    accepted: false,
    ...common,
    rejection: {
      text: random.pick(['', 'no', 'never']),
      reason: { code: 4 },
      detail: detail.code === 0 ? { ...detail, validation: 3 } : detail,
    },
  };
}
