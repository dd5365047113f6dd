import { buffer, err, list, none, ok, principal, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { callPayload, deployPayload, transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { signHash } from '@cairn-stacks/codec/transaction/signing';
import { cycleLength, isPreparing } from '../contracts/pox/cycle.ts';
import { sbtcDeployer } from '../contracts/sbtc/sbtc-address.ts';
import {
  bondFirstCycle,
  bondGap,
  bondUnlockHeight,
  calculationHeight,
  cycleStart,
  firstStakingCycle,
  isBondActiveAt,
} from '../contracts/staking/bond-period.ts';
import { grantHash } from '../contracts/staking/signer-functions.ts';
import { signerManagerModel } from '../contracts/staking/signer-manager-model.ts';
import { deployer, userAccounts } from './accounts.ts';
import type { Residents } from './residents.ts';
import { depositPayload } from './sbtc-actions.ts';
import { faucetAccount } from './user-accounts.ts';

/** Accounts that stake by pox-5: two with STX alone, one with sBTC, one with bitcoin, and one that comes and goes. */
export const stakers = { steady: 3_000, second: 3_001, sbtc: 3_002, bitcoin: 3_003, changing: 3_004 } as const;
const everyStaker = Object.values(stakers);

/** Signer managers, and the accounts whose keys they use. */
const managers = [
  { name: 'signer-manager', signer: 2_000 },
  { name: 'signer-manager-2', signer: 2_001 },
] as const;

const stx = 1_000_000n;
const fee = 9_000n;
const satsPerDistribution = 3_000_000n;

/** Lets the stakers act: one step of what is due for each account that has nothing pending. */
export function stakeByPox5(residents: Residents): void {
  const { node } = residents;
  if (!node.chain.release.nakamoto || !node.state.contracts.has(residents.contract('signer-manager'))) return;
  const round = new StakingRound(residents);
  round.fund();
  round.setUpBond();
  round.stakeAll();
  round.distribute();
}

/** What the stakers see and send in one round. */
class StakingRound {
  readonly #residents: Residents;
  readonly #pox: string;
  readonly #pending: Set<string>;
  readonly #burnHeight: number;
  readonly #registered: [boolean?, boolean?] = [];

  constructor(residents: Residents) {
    this.#residents = residents;
    this.#pox = residents.bootContract('pox-5');
    this.#pending = new Set(residents.node.mempool.list().map(({ sender }) => sender));
    this.#burnHeight = residents.node.tip.burn.height;
  }

  #isBusy(account: number): boolean {
    return this.#pending.has(this.#residents.address(account));
  }

  /** Sends without a random fee, so that staking does not change the other residents. */
  #send(account: number, ...payloads: Payload[]): void {
    for (const payload of payloads) this.#residents.send(account, payload, { mode: 'allow', fee });
    this.#pending.add(this.#residents.address(account));
  }

  #call(account: number, name: string, args: ClarityValue[], contract = this.#pox): void {
    this.#send(account, callPayload(contract, name, args));
  }

  #read(name: string, args: ClarityValue[]): ClarityValue | undefined {
    return this.#residents.readOnly(this.#pox, name, args);
  }

  #number(name: string, args: ClarityValue[]): bigint {
    const value = this.#read(name, args);
    return value?.type === 'uint' ? value.value : 0n;
  }

  #manager(index: 0 | 1): string {
    return this.#residents.contract(managers[index].name);
  }

  #isRegistered(index: 0 | 1): boolean {
    this.#registered[index] ??= this.#read('get-signer-info', [principal(this.#manager(index))])?.type === 'some';
    return this.#registered[index];
  }

  /** Funds the stakers with STX and sBTC, then deploys and registers the signer managers. */
  fund(): void {
    if (this.#isBusy(deployer)) return;
    const residents = this.#residents;
    const { state, network } = residents.node;
    if ((state.stx.get(residents.address(stakers.steady)) ?? 0n) === 0n) {
      const token = `${sbtcDeployer(network.mainnet)}.sbtc-token`;
      const mint = (address: string, amount: bigint) =>
        callPayload(token, 'protocol-mint', [uint(amount), principal(address), buffer(Uint8Array.of(1))]);
      this.#send(
        deployer,
        deployPayload(managers[1].name, signerManagerModel.source, 3),
        ...everyStaker.map(account => transferPayload(residents.address(account), 5_000_000n * stx, 'for staking')),
        ...[...everyStaker, ...userAccounts].map(account => mint(residents.address(account), 500_000_000n)),
        ...(network.mainnet ? [] : [mint(faucetAccount.address, 10_000_000_000n)]),
      );
      return;
    }
    for (const [index, { name, signer }] of managers.entries()) {
      const contract = residents.contract(name);
      if (!state.contracts.has(contract) || this.#isRegistered(index as 0 | 1)) continue;
      const { key, publicKey } = residents.account(signer);
      const authId = BigInt(residents.round);
      const signature = signHash(grantHash(contract, authId, network.chainId), key.secret);
      const turned = Uint8Array.of(...signature.subarray(1), signature[0]!);
      const args = [principal(contract), buffer(publicKey), uint(authId), buffer(turned)];
      this.#call(deployer, 'register-self', args, contract);
    }
  }

  /** The bond whose setup window is open. */
  get #nextBond(): bigint {
    const cycle = Math.floor(this.#burnHeight / cycleLength);
    return cycle < firstStakingCycle ? 0n : BigInt(Math.floor((cycle - firstStakingCycle) / bondGap) + 1);
  }

  setUpBond(): void {
    const bond = this.#nextBond;
    if (this.#isBusy(deployer) || this.#read('get-protocol-bond', [uint(bond)])?.type === 'some') return;
    if (!this.#isRegistered(0)) return;
    const allowed = [stakers.sbtc, stakers.bitcoin, stakers.changing].map(account =>
      tuple({ 'max-sats': uint(100_000_000), staker: principal(this.#residents.address(account)) }),
    );
    const earlyUnlock = buffer(this.#residents.account(deployer).publicKey);
    // Later bonds have a higher ratio, so that the order of payment is not that of their numbers.
    const args = [uint(bond), uint(500), uint(2_000n + 50n * bond), uint(500), earlyUnlock, list(allowed)];
    this.#call(deployer, 'setup-bond', args);
  }

  stakeAll(): void {
    if (isPreparing(this.#burnHeight) || !this.#isRegistered(0) || !this.#isRegistered(1)) return;
    this.#stakeAlone(stakers.steady, 0);
    this.#stakeAlone(stakers.second, 1);
    this.#joinBond(stakers.sbtc);
    this.#joinBond(stakers.bitcoin);
    this.#comeAndGo();
  }

  #stakeOf(account: number): ClarityValue | undefined {
    const info = this.#read('get-staker-info', [principal(this.#residents.address(account))]);
    return info?.type === 'some' ? info.value : undefined;
  }

  #start(account: number, manager: 0 | 1, cycles: number): void {
    const args = [principal(this.#manager(manager)), uint(200_000n * stx), uint(cycles), uint(this.#burnHeight), none];
    this.#call(account, 'stake', args);
  }

  /** Stakes for some cycles; later, a little more and longer. */
  #stakeAlone(account: number, manager: 0 | 1): void {
    if (this.#isBusy(account)) return;
    if (!this.#stakeOf(account)) this.#start(account, manager, 6);
    else if (this.#residents.round % 24 === 8 + manager) {
      const signer = principal(this.#manager(manager));
      this.#call(account, 'stake-update', [signer, signer, uint(1), uint(1_000n * stx), none]);
    }
  }

  #membershipOf(account: number): Map<string, ClarityValue> | undefined {
    const found = this.#read('get-bond-membership', [principal(this.#residents.address(account))]);
    if (found?.type !== 'some' || found.value.type !== 'tuple') return undefined;
    return new Map(found.value.entries.map(entry => [entry.name, entry.value]));
  }

  /** Joins the next bond; later changes the signer, withdraws sBTC, or announces that the bitcoin leave early. */
  #joinBond(account: number): void {
    if (this.#isBusy(account)) return;
    const membership = this.#membershipOf(account);
    const [first, second] = [principal(this.#manager(0)), principal(this.#manager(1))];
    if (!membership) {
      const bond = this.#nextBond;
      if (this.#read('get-protocol-bond', [uint(bond)])?.type !== 'some') return;
      const lockup = account === stakers.sbtc ? err(uint(20_000_000)) : ok(this.#lockupFor(bond));
      this.#call(account, 'register-for-bond', [uint(bond), first, uint(300_000n * stx), lockup, none]);
      return;
    }
    const signer = membership.get('signer');
    const usesFirst = signer?.type === 'principal' && `${signer.address}.${signer.contract}` === this.#manager(0);
    const { round } = this.#residents;
    if (account === stakers.sbtc && usesFirst) {
      this.#call(account, 'update-bond-registration', [second, first, none]);
    } else if (account === stakers.sbtc && round % 30 === 14) {
      this.#call(account, 'unstake-sbtc', [signer!, uint(50_000)]);
    } else if (account === stakers.bitcoin && round % 100 === 90 && !this.#hasLeft(membership)) {
      this.#call(account, 'announce-l1-early-exit', [principal(this.#residents.address(account)), signer!]);
    }
  }

  #hasLeft(membership: Map<string, ClarityValue>): boolean {
    const sats = membership.get('amount-sats');
    return sats?.type === 'uint' && sats.value === 0n;
  }

  /** A lock-up on Bitcoin, which the devnet does not verify. */
  #lockupFor(bond: bigint): ClarityValue {
    const output = tuple({
      amount: uint(30_000_000),
      header: buffer(new Uint8Array(80)),
      height: uint(this.#burnHeight),
      'leaf-hashes': list([]),
      'output-index': uint(0),
      tx: buffer(Buffer.from(`lock-up for bond ${bond}`)),
      'tx-count': uint(1),
      'tx-index': uint(0),
      'unlock-burn-height': uint(bondUnlockHeight(bond)),
    });
    return tuple({ outputs: list([output]), 'staker-unlock-bytes': buffer(Uint8Array.of(0x51)) });
  }

  /** Stakes for a long time, and unstakes soon. */
  #comeAndGo(): void {
    const account = stakers.changing;
    if (this.#isBusy(account)) return;
    const { round } = this.#residents;
    if (!this.#stakeOf(account)) this.#start(account, 0, 20);
    else if (round % 40 === 12) this.#call(account, 'unstake', [principal(this.#manager(0))]);
  }

  /** Rewards reach pox-5, are calculated at every distribution, claimed by the managers, and paid to the stakers. */
  distribute(): void {
    const height = calculationHeight(this.#burnHeight);
    const due = height > this.#number('get-last-reward-compute-height', []);
    if (!due) this.#claim(height / BigInt(cycleLength));
    else if (this.#number('get-new-rewards', []) === 0n) this.#reward();
    else this.#calculate(height);
  }

  /** What miners paid to stakers arrives as a deposit of sBTC. */
  #reward(): void {
    if (this.#isBusy(deployer) || !this.#isRegistered(0)) return;
    const name = `of rewards ${this.#residents.round}`;
    this.#send(deployer, depositPayload(this.#residents, this.#pox, satsPerDistribution, name));
  }

  #bondsAt(height: bigint): bigint[] {
    const found: bigint[] = [];
    for (let bond = 0n; cycleStart(bondFirstCycle(bond)) < height; bond++) {
      if (isBondActiveAt(bond, height) && this.#read('get-protocol-bond', [uint(bond)])?.type === 'some')
        found.push(bond);
    }
    return found;
  }

  #calculate(height: bigint): void {
    if (this.#isBusy(stakers.steady)) return;
    // The highest ratio first, which is that of the latest bond.
    const bonds = this.#bondsAt(height).reverse();
    this.#call(stakers.steady, 'calculate-rewards', [list(bonds.map(bond => uint(bond)))]);
  }

  /** Fetches and pays the rewards of a cycle; every fourth round is often enough. */
  #claim(cycle: bigint): void {
    if (this.#residents.round % 4 !== 0) return;
    const shared = (pool: ClarityValue) => this.#number('get-total-shares-staked-for-cycle', [uint(cycle), pool]) > 0n;
    const bonds = this.#bondsAt(calculationHeight(this.#burnHeight))
      .reverse()
      .filter(bond => shared(some(uint(bond))));
    const pools = [none, ...bonds.map(bond => some(uint(bond)))];
    for (const index of [0, 1] as const) {
      const manager = principal(this.#manager(index));
      if (!pools.some(pool => this.#number('get-earned', [manager, uint(cycle), pool]) > 0n)) this.#pay(index, cycle);
      else if (!this.#isBusy(deployer)) {
        const args = [list(bonds.map(bond => uint(bond))), uint(cycle)];
        this.#call(deployer, 'claim-rewards', args, this.#manager(index));
      }
    }
  }

  /** Each staker lets its manager pay what is due. */
  #pay(index: 0 | 1, cycle: bigint): void {
    const contract = this.#manager(index);
    for (const account of everyStaker) {
      if (this.#isBusy(account)) continue;
      const bond = this.#membershipOf(account)?.get('bond-index');
      const pool = bond ? some(bond) : none;
      const staker = principal(this.#residents.address(account));
      const due = this.#number('get-earned-staker-rewards', [principal(contract), uint(cycle), pool, staker]);
      if (due > 0n) this.#call(account, 'pay-staker', [staker, uint(cycle), pool], contract);
    }
  }
}
