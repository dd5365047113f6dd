import type { ChainEvent } from '../../chain/event.ts';
import type { AbiType } from '../../codec/clarity/abi.ts';
import { err, uint } from '../../codec/clarity/build.ts';
import { encodeClarity } from '../../codec/clarity/encode.ts';
import type { ClarityValue } from '../../codec/clarity/value.ts';
import { decodeClarity } from '../../codec/clarity/value.ts';
import { fromHex, toHex } from '../../codec/hex.ts';
import type { Network } from '../../network.ts';
import type { BranchState } from '../chain/branch-state.ts';
import type { BuiltBlock } from '../chain/built-block.ts';
import type { ContractInterface } from './token-contract.ts';

/** Where a function runs. */
export type Visit = {
  state: BranchState;
  /** The contract itself. */
  contract: string;
  sender: string;
  height: number;
  burnHeight: number;
  mainnet: boolean;
  chainId: number;
  /** Whether signatures that are arguments are checked. */
  verify: boolean;
};

/** What a function comes to; nothing is changed before its post-conditions are checked. */
export type Outcome = { result: ClarityValue; events?: ChainEvent[]; writes?: Write[] };

/** A variable or map entry with its new value; undefined removes it. */
export type Write = { key: string; value: ClarityValue | undefined };

export type ModelFunction = {
  access: 'public' | 'read_only';
  args: readonly (readonly [string, AbiType])[];
  returns: AbiType;
  run(visit: Visit, args: readonly ClarityValue[]): Outcome;
};

/** A visit to a contract at the tip of a node, by somebody who only reads. */
export const readingVisit = (
  { state, tip, network }: { state: BranchState; tip: BuiltBlock; network: Network },
  contract: string,
  sender: string,
): Visit => ({
  ...{ state, contract, sender, height: tip.height, burnHeight: tip.burn.height },
  ...{ mainnet: network.mainnet, chainId: network.chainId, verify: true },
});

/** A contract written in TypeScript: its source is what is deployed, its functions are what runs. */
export type ContractModel = {
  name: string;
  source: string;
  functions: Record<string, ModelFunction>;
  variables?: ContractInterface['variables'];
  maps?: ContractInterface['maps'];
  fungibleTokens?: readonly string[];
  nonFungibleTokens?: ContractInterface['non_fungible_tokens'];
  /** What a deploy writes at first. */
  initial?: Record<string, ClarityValue>;
};

export const variableKey = (contract: string, name: string) => `${contract} var ${name}`;
export const entryKey = (contract: string, map: string, key: ClarityValue) =>
  `${contract} map ${map} ${toHex(encodeClarity(key))}`;

/** What a contract remembers under a key. */
export function recall(state: BranchState, key: string): ClarityValue | undefined {
  const hex = state.data.get(key);
  return hex === undefined ? undefined : decodeClarity(fromHex(hex));
}

/** Takes over what a function wrote. */
export function commitWrites(state: BranchState, writes: readonly Write[]): void {
  for (const { key, value } of writes) {
    if (value === undefined) state.data.delete(key);
    else state.data.set(key, toHex(encodeClarity(value)));
  }
}

/** A refusal with the contract's own code. */
export const refuse = (code: number): Outcome => ({ result: err(uint(code)) });

export function uintArg(args: readonly ClarityValue[], index: number): bigint {
  const value = args[index];
  return value?.type === 'uint' ? value.value : 0n;
}

export function principalArg(args: readonly ClarityValue[], index: number): string {
  const value = args[index];
  if (value?.type !== 'principal') return '';
  return value.contract === undefined ? value.address : `${value.address}.${value.contract}`;
}

export function bytesArg(args: readonly ClarityValue[], index: number): Uint8Array {
  const value = args[index]?.type === 'some' ? (args[index] as { value: ClarityValue }).value : args[index];
  return value?.type === 'buffer' ? value.bytes : new Uint8Array(0);
}

/** Entries of a tuple by name. */
export function fieldsIn(value: ClarityValue | undefined): Map<string, ClarityValue> | undefined {
  return value?.type === 'tuple' ? new Map(value.entries.map(entry => [entry.name, entry.value])) : undefined;
}

/** A variable of the visited contract that holds a uint. */
export function uintVariable({ state, contract }: Visit, name: string): bigint {
  const value = recall(state, variableKey(contract, name));
  return value?.type === 'uint' ? value.value : 0n;
}

/** The interface of a model as a node sends it. */
export function interfaceOf(model: ContractModel, nakamoto: boolean): ContractInterface {
  return {
    functions: Object.entries(model.functions).map(([name, { access, args, returns }]) => ({
      name,
      access,
      args: args.map(([argument, type]) => ({ name: argument, type })),
      outputs: { type: returns },
    })),
    variables: model.variables ?? [],
    maps: model.maps ?? [],
    fungible_tokens: (model.fungibleTokens ?? []).map(name => ({ name })),
    non_fungible_tokens: model.nonFungibleTokens ?? [],
    epoch: nakamoto ? 'Epoch33' : 'Epoch24',
    clarity_version: nakamoto ? 'Clarity3' : 'Clarity2',
  };
}
