import { bootAddress } from '@cairn-stacks/codec/network';
import type { ChainEvent } from '../event.ts';
import type { BurnOperation } from '../transaction.ts';

/** The contract and function that correspond to a burn operation; a transfer has none. */
export function burnCall(
  operation: BurnOperation,
  events: ChainEvent[],
  mainnet: boolean,
): { contract: string; functionName: string } | undefined {
  const boot = bootAddress(mainnet);
  switch (operation.kind) {
    case 'transfer_stx':
      return undefined;
    case 'stack_stx':
      return { contract: poxContract(events) ?? `${boot}.pox`, functionName: 'stack-stx' };
    case 'delegate_stx':
      return { contract: poxContract(events) ?? `${boot}.pox`, functionName: 'delegate-stx' };
    case 'vote_for_aggregate_key':
      return { contract: `${boot}.signers-voting`, functionName: 'vote-for-aggregate-public-key' };
  }
}

/** The PoX contract in force is the one that spoke in the events. */
function poxContract(events: ChainEvent[]): string | undefined {
  for (const event of events) {
    if (event.kind === 'stx_lock' && event.contract !== '') return event.contract;
    if (event.kind === 'print') return event.contract;
  }
  return undefined;
}
