import { principal, uint } from '@cairn-stacks/codec/clarity/build';
import { bootAddress } from '@cairn-stacks/codec/network';
import type { BranchState } from '../../chain/branch-state.ts';
import { bytesArg, principalArg } from '../contract-model.ts';
import { Draft } from '../draft.ts';
import { linksOf } from './positions.ts';

/** The signers of a cycle by pox-5: their keys, and the micro-STX that are staked with them. */
export function stakedBySigners(state: BranchState, mainnet: boolean, cycle: number) {
  const draft = new Draft(state, `${bootAddress(mainnet)}.pox-5`);
  const found: { key: Uint8Array; amount: bigint }[] = [];
  const first = draft.entry('signer-set-ll-first-for-cycle', uint(cycle));
  let signer = first && principalArg([first], 0);
  while (signer !== undefined) {
    const key = draft.entry('signers', principal(signer));
    const amount = draft.number('signer-delegated-per-cycle', { cycle: uint(cycle), signer: principal(signer) });
    if (key) found.push({ key: bytesArg([key], 0), amount });
    signer = linksOf(draft, BigInt(cycle), signer)?.next;
  }
  return found;
}
