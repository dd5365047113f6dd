/** A print of pox-5 as plain values: numbers as bigint, names as text. */
// biome-ignore lint/suspicious/noExplicitAny: each topic has other fields
export type PlainPrint = { topic: string } & Record<string, any>;

/** Burn blocks of a cycle; it begins at every multiple. */
export const cycleBlocks = 2;
export const cycleOf = (burnHeight: number): number => Math.floor(burnHeight / cycleBlocks);

type Held = { signer: string; bond: number; stx: bigint; sats: bigint };
type Account = { settled: bigint; pending: bigint; claimed: bigint; accrued: bigint; since: bigint };

const unit = 10n ** 18n;
const least = 50_000_000_000n;
const endless = 10_000;

/**
 * What stakers have and earned, kept as the contract keeps it: an entry for each cycle, each signer, each pool. It is fed with
 * the raw prints of a chain, and knows nothing of terms.
 */
export class StakingBooks {
  /** Who has what in a cycle, by `cycle staker`. */
  readonly held = new Map<string, Held>();
  readonly #rates = new Map<string, bigint>();
  readonly #signerRates = new Map<string, bigint>();
  readonly #accounts = new Map<string, Account>();
  /** Sum of all that was calculated for STX staked alone, to find the last calculation. */
  calculated: { cycle: number; height: number }[] = [];
  #waiting: PlainPrint[] = [];

  apply(print: PlainPrint, burnHeight: number): void {
    const [first, unlock] = [Number(print['first-reward-cycle'] ?? 0), Number(print['unlock-cycle'] ?? 0)];
    const cycles = Number(print['num-cycles'] ?? 0);
    const { staker, signer } = print;
    switch (print.topic) {
      case 'stake':
        this.#hold(staker, first, unlock, { signer, bond: -1, stx: print['amount-ustx'], sats: 0n });
        break;
      case 'stake-update':
        this.#hold(staker, unlock - cycles, unlock, { signer, bond: -1, stx: print['amount-ustx'], sats: 0n });
        break;
      case 'unstake':
        this.#hold(staker, unlock, unlock, undefined);
        break;
      case 'register-for-bond':
      case 'update-bond-registration': {
        const sats = print['sats-total'] ?? print['amount-sats'];
        const held = { signer, bond: Number(print['bond-index']), stx: print['amount-ustx'], sats };
        this.#hold(staker, first, print.topic === 'register-for-bond' ? unlock : first + cycles, held);
        break;
      }
      case 'unstake-sbtc':
      case 'announce-l1-early-exit':
        this.#exit(staker, Number(print['bond-index']), print['new-amount-sats'] ?? 0n, cycleOf(burnHeight));
        break;
      case 'bond-distribution':
        this.#waiting.push(print);
        break;
      case 'calculate-rewards':
        this.#calculate(print);
        break;
      case 'claim-rewards':
        for (const bond of [-1, ...print['bond-rewards'].map((each: PlainPrint) => Number(each['bond-index']))])
          this.#settle(Number(print['reward-cycle']), bond, print['signer-manager']);
        break;
      case 'claim-staker-rewards-for-signer': {
        const bond = print['bond-index'] === undefined ? -1 : Number(print['bond-index']);
        const cycle = Number(print['reward-cycle']);
        const account = this.#account(cycle, bond, print['signer-manager'], staker);
        account.claimed += print['rewards-claimed'];
        account.pending = 0n;
        account.settled = this.#signerRate(cycle, bond, print['signer-manager']);
        break;
      }
    }
  }

  #hold(staker: string, from: number, to: number, held: Held | undefined): void {
    for (const key of [...this.held.keys()]) {
      const [cycle, who] = key.split(' ');
      if (who === staker && Number(cycle) >= from) this.held.delete(key);
    }
    for (let cycle = from; held && cycle < Math.min(to, endless); cycle++)
      this.held.set(`${cycle} ${staker}`, { ...held });
  }

  #exit(staker: string, bond: number, sats: bigint, from: number): void {
    for (const [key, held] of this.held) {
      const [cycle, who] = key.split(' ');
      if (who !== staker || held.bond !== bond || Number(cycle) < from) continue;
      this.#settle(Number(cycle), bond, held.signer);
      const account = this.#account(Number(cycle), bond, held.signer, staker);
      const [rate, current] = [this.#rate(Number(cycle), bond), this.#signerRate(Number(cycle), bond, held.signer)];
      account.accrued += (held.sats * (rate - account.since)) / unit;
      account.pending += (held.sats * (current - account.settled)) / unit;
      Object.assign(account, { since: rate, settled: current });
      held.sats = sats;
    }
  }

  #calculate(print: PlainPrint): void {
    const cycle = Number(print['stx-cycle']);
    const add = (bond: number, rewards: bigint, shares: bigint) => {
      if (shares > 0n) this.#rates.set(`${cycle} ${bond}`, this.#rate(cycle, bond) + (rewards * unit) / shares);
    };
    for (const each of this.#waiting) add(Number(each['bond-index']), each['bond-rewards'], each['bond-staked-sats']);
    add(-1, print['total-stx-staker-rewards'], print['cycle-staked-ustx']);
    this.#waiting = [];
    this.calculated.push({ cycle, height: Number(print['calculation-height']) });
  }

  #settle(cycle: number, bond: number, signer: string): void {
    if (this.sharesOfSigner(cycle, bond, signer) > 0n)
      this.#signerRates.set(`${cycle} ${bond} ${signer}`, this.#rate(cycle, bond));
  }

  #rate = (cycle: number, bond: number) => this.#rates.get(`${cycle} ${bond}`) ?? 0n;
  #signerRate = (cycle: number, bond: number, signer: string) =>
    this.#signerRates.get(`${cycle} ${bond} ${signer}`) ?? 0n;

  #account(cycle: number, bond: number, signer: string, staker: string): Account {
    const key = `${cycle} ${bond} ${signer} ${staker}`;
    const account = this.#accounts.get(key) ?? { settled: 0n, pending: 0n, claimed: 0n, accrued: 0n, since: 0n };
    this.#accounts.set(key, account);
    return account;
  }

  /** Everything that is held in a cycle. */
  heldIn(cycle: number): { staker: string; held: Held }[] {
    return [...this.held]
      .filter(([key]) => key.startsWith(`${cycle} `))
      .map(([key, held]) => ({ staker: key.split(' ')[1]!, held }));
  }

  delegated(cycle: number, signer: string): bigint {
    return this.heldIn(cycle).reduce((sum, { held }) => sum + (held.signer === signer ? held.stx : 0n), 0n);
  }

  isEligible = (cycle: number, signer: string): boolean => this.delegated(cycle, signer) >= least;

  /** Shares that earn: satoshis in a bond, or micro-STX of signers that have enough of them. */
  sharesOfSigner(cycle: number, bond: number, signer: string): bigint {
    if (bond < 0 && !this.isEligible(cycle, signer)) return 0n;
    const own = this.heldIn(cycle).filter(({ held }) => held.bond === bond && held.signer === signer);
    return own.reduce((sum, { held }) => sum + (bond < 0 ? held.stx : held.sats), 0n);
  }

  shares(cycle: number, bond: number): bigint {
    const signers = new Set(this.heldIn(cycle).map(({ held }) => held.signer));
    return [...signers].reduce((sum, signer) => sum + this.sharesOfSigner(cycle, bond, signer), 0n);
  }

  /** What a staker has of the rewards of a cycle. */
  rewards(cycle: number, staker: string) {
    const { signer, bond, stx, sats } = this.held.get(`${cycle} ${staker}`)!;
    const shares = bond < 0 ? stx : sats;
    const account = this.#account(cycle, bond, signer, staker);
    const earns = bond >= 0 || this.isEligible(cycle, signer);
    const upTo = (rate: bigint, since: bigint) => (earns ? (shares * (rate - since)) / unit : 0n);
    const accrued = account.accrued + upTo(this.#rate(cycle, bond), account.since);
    const claimable = account.pending + upTo(this.#signerRate(cycle, bond, signer), account.settled);
    return { signer, bond, shares, accrued, claimed: account.claimed, claimable };
  }

  isFinal(cycle: number): boolean {
    const end = (cycle + 1) * cycleBlocks - 1;
    return this.calculated.some(({ height }) => height >= end);
  }
}
