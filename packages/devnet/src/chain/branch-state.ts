import type { ChainEvent } from './event.ts';

/** One tenure of a branch: its miner, first block and fees. */
export type TenureRecord = {
  miner: number;
  blockHash: string;
  indexHash: string;
  feesAnchored: bigint;
  feesStreamed: bigint;
};

/** The state at a block of a branch: enough for plausible transactions without negative balances. */
export class BranchState {
  readonly nonces = new Map<string, bigint>();
  readonly stx = new Map<string, bigint>();
  /** Locked STX by principal. */
  readonly locked = new Map<string, bigint>();
  /** `principal asset` → amount. */
  readonly ft = new Map<string, bigint>();
  /** `asset number` → owner. */
  readonly nft = new Map<string, string>();
  /** Unlock burn height by principal. */
  readonly unlocks = new Map<string, number>();
  /** Contract data: the key of a variable or map entry → the value as hex. */
  readonly data = new Map<string, string>();
  /** Deployed contracts, oldest first. */
  readonly contracts = new Set<string>();
  readonly tenures: TenureRecord[] = [];
  /** The total STX supply. */
  supply = 0n;

  clone(): BranchState {
    const copy = new BranchState();
    copy.supply = this.supply;
    for (const [key, value] of this.nonces) copy.nonces.set(key, value);
    for (const [key, value] of this.stx) copy.stx.set(key, value);
    for (const [key, value] of this.locked) copy.locked.set(key, value);
    for (const [key, value] of this.ft) copy.ft.set(key, value);
    for (const [key, value] of this.nft) copy.nft.set(key, value);
    for (const [key, value] of this.unlocks) copy.unlocks.set(key, value);
    for (const [key, value] of this.data) copy.data.set(key, value);
    for (const contract of this.contracts) copy.contracts.add(contract);
    // Only the newest tenure still changes; the others are shared.
    const newest = this.tenures.at(-1);
    for (const tenure of this.tenures) copy.tenures.push(tenure === newest ? { ...tenure } : tenure);
    return copy;
  }

  nonce(address: string): bigint {
    return this.nonces.get(address) ?? 0n;
  }

  /** The unlocked part of a balance. */
  spendable(address: string): bigint {
    return (this.stx.get(address) ?? 0n) - (this.locked.get(address) ?? 0n);
  }

  held(principal: string, asset: string): bigint {
    return this.ft.get(`${principal} ${asset}`) ?? 0n;
  }

  owner(asset: string, number: number): string | undefined {
    return this.nft.get(`${asset} ${number}`);
  }

  credit(principal: string, amount: bigint): void {
    this.stx.set(principal, (this.stx.get(principal) ?? 0n) + amount);
  }

  debit(principal: string, amount: bigint): void {
    const left = (this.stx.get(principal) ?? 0n) - amount;
    if (left < 0n) throw new Error(`${principal} would have ${left} micro-STX`);
    this.stx.set(principal, left);
  }

  /** Unlocks STX whose unlock height is reached. */
  unlock(burnHeight: number): void {
    for (const [principal, height] of this.unlocks) {
      if (height > burnHeight) continue;
      this.unlocks.delete(principal);
      this.locked.delete(principal);
    }
  }

  /** Applies committed events. */
  apply(events: readonly ChainEvent[], numberOf: (value: Uint8Array) => number): void {
    for (const event of events) {
      switch (event.kind) {
        case 'stx_transfer':
          this.debit(event.sender, event.amount);
          this.credit(event.recipient, event.amount);
          break;
        case 'stx_mint':
          this.credit(event.recipient, event.amount);
          this.supply += event.amount;
          break;
        case 'stx_burn':
          this.debit(event.sender, event.amount);
          this.supply -= event.amount;
          break;
        case 'stx_lock':
          this.locked.set(event.principal, event.amount);
          this.unlocks.set(event.principal, event.unlockHeight);
          break;
        case 'ft_transfer':
          this.#moveToken(event.sender, event.asset, -event.amount);
          this.#moveToken(event.recipient, event.asset, event.amount);
          break;
        case 'ft_mint':
          this.#moveToken(event.recipient, event.asset, event.amount);
          break;
        case 'ft_burn':
          this.#moveToken(event.sender, event.asset, -event.amount);
          break;
        case 'nft_transfer':
        case 'nft_mint':
          this.nft.set(`${event.asset} ${numberOf(event.value)}`, event.recipient);
          break;
        case 'nft_burn':
          this.nft.delete(`${event.asset} ${numberOf(event.value)}`);
          break;
      }
    }
  }

  #moveToken(principal: string, asset: string, change: bigint): void {
    const left = this.held(principal, asset) + change;
    if (left < 0n) throw new Error(`${principal} would have ${left} of ${asset}`);
    this.ft.set(`${principal} ${asset}`, left);
  }
}
