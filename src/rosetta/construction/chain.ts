/** Which contract stacking goes through, and where the chain is. */
export type StackingState = { contract: string; rewardCycle: number; burnHeight: number };

/** What came of a broadcast: the id, or the words in which a node refused. */
export type Submitted = { txId: string } | { refusal: string };

/** What making a transaction asks of the chain. Where nobody can be asked, these throw. */
export type ConstructionChain = {
  /** The nonce of the account's next transaction. */
  nextNonce(address: string): Promise<number>;
  /** The hash of the newest block; undefined while there is none. */
  tipHash(): Promise<string | undefined>;
  stacking(): Promise<StackingState>;
  /** A usual fee in micro-STX for a payload and the size of its transaction. */
  estimateFee(payload: Uint8Array, size: number): Promise<bigint>;
  submit(raw: Uint8Array): Promise<Submitted>;
};
