import { bool, ok } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { bootAddress, type Network } from '@cairn-stacks/codec/network';
import { deployPayload, transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { type ContractInterface, emptyInterface } from '../contracts/token-contract.ts';
import { makeBootTransaction } from '../residents/wallet.ts';
import type { ChainEvent } from './event.ts';
import { type Executed, freeOfCost } from './executed.ts';

/** A contract that exists from genesis. */
export type BootContract = {
  name: string;
  source: string;
  contractInterface: ContractInterface;
  /** Its deployer, if it is not the boot address. */
  deployer?: string;
};

const initialContracts: BootContract[] = ['pox', 'lockup', 'costs', 'cost-voting', 'bns', 'genesis'].map(name => ({
  name,
  source: `;; boot contract ${name}\n`,
  contractInterface: emptyInterface,
}));

/** The transactions of block 0: deploy the boot contracts and give every account its first STX. */
export function genesisTransactions(
  network: Network,
  recipients: readonly string[],
  allocation: bigint,
  further: readonly BootContract[] = [],
): Executed[] {
  const contracts = [...initialContracts.filter(({ name }) => further.every(f => f.name !== name)), ...further];
  const mints: ChainEvent[] = recipients.map(recipient => ({ kind: 'stx_mint', recipient, amount: allocation }));
  return [
    ...contracts.map(({ name, source, contractInterface, deployer }) =>
      bootTransaction(network, deployPayload(name, source), [], contractInterface, deployer),
    ),
    bootTransaction(network, transferPayload(bootAddress(network.mainnet), 0n), mints, null),
  ];
}

function bootTransaction(
  network: Network,
  payload: Payload,
  events: ChainEvent[],
  contractInterface: ContractInterface | null,
  sender?: string,
): Executed {
  return {
    ...makeBootTransaction(network, payload, sender),
    status: 'success',
    result: encodeClarity(ok(bool(true))),
    events,
    uncommitted: [],
    contractInterface,
    burnOperation: null,
    cost: freeOfCost,
    vmError: null,
    fee: 0n,
  };
}
