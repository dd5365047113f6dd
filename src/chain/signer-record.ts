/** When a message arrived, in Unix milliseconds; without it, when its event did. */
type Arrival = { received?: number };

/** A block proposal, without the block itself. */
export type ProposalRecord = Arrival & {
  /** The hash of the block, which its signers sign. */
  hash: Uint8Array;
  indexHash: Uint8Array;
  height: number;
  burnHeight: number;
  cycle: number;
  /** Unix seconds, from the header. */
  time: number;
};

/** The response of a signer to a proposal. */
export type ResponseRecord = Arrival & {
  hash: Uint8Array;
  /** Position of the signer in the signer set of its cycle, whose number is even or odd: `parity` 0 or 1. */
  slot: number;
  parity: number;
  accepted: boolean;
  /** 8 bytes of the signature: enough to find it among those of a block. */
  signature: Uint8Array;
  /** Version of the signer's program; empty where the message had none. */
  version: string;
  /** Of a rejection: free text, the legacy code, the finer code and the validation code; -1 where there is none. */
  reason: string;
  code: number;
  detail: number;
  validation: number;
};

/** A block that was pushed with enough signatures. */
export type PushRecord = Arrival & { hash: Uint8Array };

/** What StackerDB chunks say about proposals. */
export type SignerRecords = {
  proposals: ProposalRecord[];
  responses: ResponseRecord[];
  pushes: PushRecord[];
};

export const isEmpty = ({ proposals, responses, pushes }: SignerRecords): boolean =>
  proposals.length === 0 && responses.length === 0 && pushes.length === 0;

/** The part of a 65-byte signature that a response record has: the first 8 bytes after the recovery id. */
export const signatureMark = (signature: Uint8Array): Uint8Array => signature.subarray(1, 9);
