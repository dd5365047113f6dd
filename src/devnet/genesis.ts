import type { ChainEvent } from '../chain/event.ts';
import { bootAddress, type Network } from '../chain/network.ts';
import { bool, ok } from '../codec/clarity-build.ts';
import { encodeClarity } from '../codec/clarity-encode.ts';
import type { Payload } from '../codec/payload.ts';
import { deployPayload, transferPayload } from '../codec/transaction-build.ts';
import { accountAt } from './account.ts';
import { type Executed, freeOfCost } from './executed.ts';
import { emptyInterface } from './token-contract.ts';
import { makeBootTransaction } from './wallet.ts';

const bootContracts = ['pox', 'lockup', 'costs', 'cost-voting', 'bns', 'genesis'];

/** What block 0 does: deploys the boot contracts and gives every account its first STX. */
export function genesisTransactions(network: Network, accounts: readonly number[], allocation: bigint): Executed[] {
  const mints: ChainEvent[] = accounts.map(index => ({
    kind: 'stx_mint',
    recipient: accountAt(index, network.mainnet).address,
    amount: allocation,
  }));
  return [
    ...bootContracts.map(name => bootTransaction(network, deployPayload(name, `;; boot contract ${name}\n`), [], true)),
    bootTransaction(network, transferPayload(bootAddress(network.mainnet), 0n), mints, false),
  ];
}

function bootTransaction(network: Network, payload: Payload, events: ChainEvent[], deploys: boolean): Executed {
  return {
    ...makeBootTransaction(network, payload),
    status: 'success',
    result: encodeClarity(ok(bool(true))),
    events,
    uncommitted: [],
    contractInterface: deploys ? emptyInterface : null,
    burnOperation: null,
    cost: freeOfCost,
    vmError: null,
    fee: 0n,
  };
}
