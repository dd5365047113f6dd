import { toHex } from '@cairn-stacks/codec/hex';
import { isPreparing } from '../contracts/pox/cycle.ts';
import type { Random } from '../random.ts';
import type { Release } from './release.ts';

/** A block of the simulated Bitcoin. */
export type BurnBlock = {
  height: number;
  hash: string;
  /** Unix seconds. */
  time: number;
  consensusHash: Uint8Array;
  parent: BurnBlock | undefined;
  /** True if its message contains its parent; nodes before 3.1.0.0.9 do not send it. */
  namesParent: boolean;
  /** Its `/new_burn_block` message. */
  message: object;
};

/** True if a burn block is on the branch that ends in `tip`; so is one below the part of the branch that is in memory. */
export function isOnBranch(block: BurnBlock, tip: BurnBlock): boolean {
  let at = tip;
  while (at.height > block.height && at.parent) at = at.parent;
  return at.height > block.height || at.hash === block.hash;
}

/** Seconds between burn blocks. */
const interval = 600;
const rewardAddresses = ['mqVnk6NPRdhntvfm4hh9vvjiRkFDUuSYsH', 'mr1iPkD9N3RJZZxXRk7xF9d36gffa6exNC'];

/** A simulated Bitcoin: mines on its tip, and can roll back to an older block. */
export class BurnChain {
  readonly #random: Random;
  readonly #release: Release;
  tip: BurnBlock;

  constructor(random: Random, release: Release, start: { height: number; time: number }) {
    this.#random = random;
    this.#release = release;
    this.tip = this.#block(start.height, start.time, undefined);
  }

  /** Mines the next block on the tip, after the default interval or at the given time. */
  mine(time = this.tip.time + interval): BurnBlock {
    this.tip = this.#block(this.tip.height + 1, time, this.tip);
    return this.tip;
  }

  /** Drops the newest blocks: the next block is mined on an older one. */
  goBack(blocks: number): void {
    for (let i = 0; i < blocks && this.tip.parent; i++) this.tip = this.tip.parent;
  }

  #block(height: number, time: number, parent: BurnBlock | undefined): BurnBlock {
    const hash = toHex(this.#random.bytes(32));
    const consensusHash = this.#random.bytes(20);
    const paid = rewardAddresses.map(recipient => ({ recipient, amt: 10_000 + this.#random.below(10_000) }));
    const holders = isPreparing(height) ? [] : rewardAddresses;
    // Some reward slots stay unfilled.
    const unfilled = Number.parseInt(hash.slice(-2), 16) < 64;
    const recipients = holders.length === 0 || unfilled ? [] : paid;
    const message: Record<string, unknown> = {
      burn_block_hash: hash,
      burn_block_height: height,
      burn_amount: this.#random.below(5_000),
      reward_recipients: recipients,
      reward_slot_holders: holders,
    };
    if (this.#release.nakamoto) message.consensus_hash = toHex(consensusHash);
    if (this.#release.sendsPoxTransactions) {
      message.parent_burn_block_hash = parent?.hash ?? `0x${'00'.repeat(32)}`;
      const txid = toHex(this.#random.bytes(32));
      const reward_recipients = recipients.map((r, i) => ({ ...r, utxo_idx: i + 1 }));
      message.pox_transactions = recipients.length > 0 ? [{ txid, reward_recipients }] : [];
    }
    return { height, hash, time, consensusHash, parent, namesParent: this.#release.sendsPoxTransactions, message };
  }
}
