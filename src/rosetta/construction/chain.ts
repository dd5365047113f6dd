/** The active stacking contract, and the position of the chain. */
export type StackingState = { contract: string; rewardCycle: number; burnHeight: number };

/** The result of a broadcast: the id, or the rejection text of a node. */
export type Submitted = { txId: string } | { refusal: string };

/** Chain data for constructing a transaction. The functions throw if no source is available. */
export type ConstructionChain = {
  /** The nonce of the account's next transaction. */
  nextNonce(address: string): Promise<number>;
  /** The hash of the newest block; undefined if there is none. */
  tipHash(): Promise<string | undefined>;
  stacking(): Promise<StackingState>;
  /** A typical fee in micro-STX for a payload and the size of its transaction. */
  estimateFee(payload: Uint8Array, size: number): Promise<bigint>;
  submit(raw: Uint8Array): Promise<Submitted>;
};
