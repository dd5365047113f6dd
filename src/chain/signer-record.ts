/** The first arrival of a block proposal at the observer, without the block itself. */
export type ProposalRecord = {
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
export type ResponseRecord = {
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

/** What one post of StackerDB chunks says about proposals. */
export type SignerRecords = {
  proposals: ProposalRecord[];
  responses: ResponseRecord[];
  /** Hashes of blocks that were pushed with enough signatures. */
  pushes: Uint8Array[];
};

export const isEmpty = ({ proposals, responses, pushes }: SignerRecords): boolean =>
  proposals.length === 0 && responses.length === 0 && pushes.length === 0;

/** The part of a 65-byte signature that a response record has: the first 8 bytes after the recovery id. */
export const signatureMark = (signature: Uint8Array): Uint8Array => signature.subarray(1, 9);
