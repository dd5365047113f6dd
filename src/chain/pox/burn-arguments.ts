import { bitcoinToPoxAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { buffer, none, principal, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { BurnOperation } from '../transaction.ts';

/** The serialized arguments of the call that corresponds to a burn operation; a transfer has none. */
export function burnArguments(operation: BurnOperation, burnHeight: number): Uint8Array[] {
  return argumentValues(operation, burnHeight).map(encodeClarity);
}

function argumentValues(operation: BurnOperation, burnHeight: number): ClarityValue[] {
  switch (operation.kind) {
    case 'transfer_stx':
      return [];
    case 'stack_stx': {
      const { amount, rewardAddress, cycles, signerKey, maxAmount, authId } = operation;
      const values = [uint(amount), rewardTuple(rewardAddress), uint(burnHeight), uint(cycles)];
      // pox-4 needs the consent of a signer, which an operation gives by its key alone.
      if (signerKey) values.push(none, buffer(signerKey), uint(maxAmount ?? amount), uint(authId ?? 0n));
      return values;
    }
    case 'delegate_stx': {
      const { amount, delegateTo, untilBurnHeight, rewardAddress } = operation;
      return [
        uint(amount),
        principal(delegateTo),
        untilBurnHeight === undefined ? none : some(uint(untilBurnHeight)),
        rewardAddress === undefined ? none : some(rewardTuple(rewardAddress)),
      ];
    }
    case 'vote_for_aggregate_key': {
      const { signerIndex, aggregateKey, round, rewardCycle } = operation;
      return [uint(signerIndex), buffer(aggregateKey), uint(round), uint(rewardCycle)];
    }
  }
}

/** The address in the form of PoX contracts; empty if an old node did not report it. */
function rewardTuple(address: string): ClarityValue {
  if (address === '') return tuple({ version: buffer(new Uint8Array(0)), hashbytes: buffer(new Uint8Array(0)) });
  const { version, hash } = bitcoinToPoxAddress(address);
  return tuple({ version: buffer(Uint8Array.of(version)), hashbytes: buffer(hash) });
}
