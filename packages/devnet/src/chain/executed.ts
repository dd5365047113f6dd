import type { ContractInterface } from '../contracts/token-contract.ts';
import type { ChainEvent } from './event.ts';

/** The five dimensions of execution cost, with the names of the node. */
export type CostJson = {
  runtime: number;
  read_count: number;
  read_length: number;
  write_count: number;
  write_length: number;
};

export const freeOfCost: CostJson = { runtime: 0, read_count: 0, read_length: 0, write_count: 0, write_length: 0 };

export type Status = 'success' | 'abort_by_response' | 'abort_by_post_condition';

/** A transaction with its receipt. */
export type Executed = {
  txId: string;
  /** Consensus bytes as hex; `0x00` for a burn operation. */
  raw: string;
  status: Status;
  result: Uint8Array;
  events: ChainEvent[];
  /** Events that its post-conditions rolled back. */
  uncommitted: ChainEvent[];
  contractInterface: ContractInterface | null;
  burnOperation: object | null;
  cost: CostJson;
  vmError: string | null;
  fee: bigint;
  microblock?: { hash: string; sequence: number; parentHash: string };
};

/** The sum of execution costs. */
export function sumCosts(transactions: readonly Executed[]): CostJson {
  const sum = { ...freeOfCost };
  for (const { cost } of transactions) {
    sum.runtime += cost.runtime;
    sum.read_count += cost.read_count;
    sum.read_length += cost.read_length;
    sum.write_count += cost.write_count;
    sum.write_length += cost.write_length;
  }
  return sum;
}
