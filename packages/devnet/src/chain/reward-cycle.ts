import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import { bootAddress, type Network } from '@cairn-stacks/codec/network';
import { cycleOf, isPreparing, signerPrefix, slotThreshold } from '../contracts/pox/cycle.ts';
import { totalStacked } from '../contracts/pox/reward-slots.ts';
import { stakedBySigners } from '../contracts/staking/signer-set.ts';
import type { BranchState } from './branch-state.ts';
import type { BuiltBlock } from './built-block.ts';

/** The signers of the next cycle, in the first block of its prepare phase; undefined in all others. */
export function rewardSetOf(block: BuiltBlock, network: Network) {
  const { parent, burn, state } = block;
  if (!parent || !isPreparing(burn.height)) return undefined;
  if (isPreparing(parent.burn.height) && cycleOf(parent.burn.height) === cycleOf(burn.height)) return undefined;
  const cycle = cycleOf(burn.height) + 1;
  const signers = signersOf(state, cycle, network);
  const slots = signers.reduce((sum, { weight }) => sum + weight, 0);
  const reward_set = {
    rewarded_addresses: Array.from({ length: Math.min(slots, 30) }, () => 'mqVnk6NPRdhntvfm4hh9vvjiRkFDUuSYsH'),
    start_cycle_state: { missed_reward_slots: [] },
    signers,
    pox_ustx_threshold: String(slotThreshold),
  };
  return { reward_set, cycle_number: cycle };
}

/** Micro-STX that are stacked or staked in a cycle, as far as the state has it. */
export function stackedIn(state: BranchState, cycle: number, { mainnet }: Network): bigint {
  const stacked = totalStacked({ state, contract: `${bootAddress(mainnet)}.pox-4` }, BigInt(cycle));
  return stakedBySigners(state, mainnet, cycle).reduce((sum, { amount }) => sum + amount, stacked);
}

/** The signers of a cycle as far as the state has them, ordered by key. */
export function signersOf(state: BranchState, cycle: number, network: Network) {
  const stackedBy = new Map<string, bigint>();
  const add = (key: string, amount: bigint) => stackedBy.set(key, (stackedBy.get(key) ?? 0n) + amount);
  const prefix = signerPrefix(`${bootAddress(network.mainnet)}.pox-4`, cycle);
  for (const [key, hex] of state.data) {
    if (!key.startsWith(prefix)) continue;
    const value = decodeClarity(fromHex(hex));
    add(key.slice(prefix.length), value.type === 'uint' ? value.value : 0n);
  }
  for (const { key, amount } of stakedBySigners(state, network.mainnet, cycle)) add(bareHex(key), amount);
  return [...stackedBy]
    .map(([signing_key, stacked]) => ({
      signing_key,
      stacked_amt: String(stacked),
      weight: Number(stacked / slotThreshold),
    }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => (a.signing_key < b.signing_key ? -1 : 1));
}
