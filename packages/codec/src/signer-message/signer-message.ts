import { Reader } from '../reader.ts';
import { type BlockProposal, type ProposedBlock, readProposal, readProposedBlock } from './proposal.ts';
import { type BlockResponse, readResponse } from './response.ts';

/**
 * A message that miners and signers exchange (libsigner, version 0). Only proposals, responses and pushes are decoded; `other`
 * is a known type that says nothing about a vote, `unknown` one of a newer version.
 */
export type SignerMessage =
  | ({ type: 'proposal' } & BlockProposal)
  | ({ type: 'response' } & BlockResponse)
  | { type: 'push'; block: ProposedBlock }
  | { type: 'other'; code: number }
  | { type: 'unknown'; code: number };

/** The first byte of each type of message. */
export const messageTypes = {
  proposal: 0,
  response: 1,
  push: 2,
  mockProposal: 3,
  mockSignature: 4,
  mockBlock: 5,
  stateMachineUpdate: 6,
  preCommit: 7,
} as const;

/** Decodes a message; bytes after the known fields are ignored, since newer versions append fields. */
export function decodeSignerMessage(bytes: Uint8Array): SignerMessage {
  const reader = new Reader(bytes);
  const code = reader.u8();
  switch (code) {
    case messageTypes.proposal:
      return { type: 'proposal', ...readProposal(reader) };
    case messageTypes.response:
      return { type: 'response', ...readResponse(reader) };
    case messageTypes.push:
      return { type: 'push', block: readProposedBlock(reader) };
    default:
      return { type: code <= messageTypes.preCommit ? 'other' : 'unknown', code };
  }
}
