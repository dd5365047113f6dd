import { type AbiType, functionSignature } from '@cairn-stacks/codec/clarity/abi';
import { err, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import type { BranchState } from '../chain/branch-state.ts';
import type { BuiltBlock } from '../chain/built-block.ts';
import type { ChainEvent } from '../chain/event.ts';
import type { ContractInterface } from './token-contract.ts';

/** The context of a call. */
export type CallContext = {
  state: BranchState;
  /** The called contract. */
  contract: string;
  /** `tx-sender`: the account that signed. */
  sender: string;
  /** `contract-caller`: the sender, or the contract that calls on its behalf. */
  caller: string;
  height: number;
  burnHeight: number;
  mainnet: boolean;
  chainId: number;
  /** True if signatures in arguments are verified. */
  verify: boolean;
};

/** The result of a function; its writes are applied after the post-conditions are checked. */
export type Outcome = { result: ClarityValue; events?: ChainEvent[]; writes?: Write[] };

/** A variable or map entry with its new value; undefined removes it. */
export type Write = { key: string; value: ClarityValue | undefined };

export type ModelFunction = {
  access: 'public' | 'read_only';
  args: readonly (readonly [string, AbiType])[];
  returns: AbiType;
  run(context: CallContext, args: readonly ClarityValue[]): Outcome;
};

/** A failure inside the VM: a call fails with this text as its `vm_error`. */
export class VmFailure extends Error {}

/** The failure of a function that the devnet has no code for. */
export class NotModelled extends VmFailure {
  constructor(contract: string, functionName: string) {
    super(`the devnet does not run ${functionName} of ${contract}: docs/devnet.md lists what it models`);
  }
}

/** The context of a read-only call at the tip of a node. */
export const readOnlyContext = (
  { state, tip, network }: { state: BranchState; tip: BuiltBlock; network: Network },
  contract: string,
  sender: string,
): CallContext => ({
  ...{ state, contract, sender, caller: sender, height: tip.height, burnHeight: tip.burn.height },
  ...{ mainnet: network.mainnet, chainId: network.chainId, verify: true },
});

/** A contract written in TypeScript: `source` is deployed, `functions` are executed. */
export type ContractModel = {
  name: string;
  source: string;
  functions: Record<string, ModelFunction>;
  /** The interface, if it is written apart from the functions. */
  outline?: ContractInterface;
  /** Values of constants, as far as they are known. */
  constants?: Record<string, ClarityValue>;
  /** Maps whose entries are computed from data that the model stores in another form. */
  entries?: Record<string, (context: CallContext, key: ClarityValue) => ClarityValue | undefined>;
  variables?: ContractInterface['variables'];
  maps?: ContractInterface['maps'];
  fungibleTokens?: readonly string[];
  nonFungibleTokens?: ContractInterface['non_fungible_tokens'];
  /** Values of variables after the deployment. */
  initial?: Record<string, ClarityValue>;
};

export const variableKey = (contract: string, name: string) => `${contract} var ${name}`;
export const entryKey = (contract: string, map: string, key: ClarityValue) =>
  `${contract} map ${map} ${toHex(encodeClarity(key))}`;

/** Reads a value of a contract by key. */
export function readData(state: BranchState, key: string): ClarityValue | undefined {
  const hex = state.data.get(key);
  return hex === undefined ? undefined : decodeClarity(fromHex(hex));
}

/** Applies the writes of a function. */
export function commitWrites(state: BranchState, writes: readonly Write[]): void {
  for (const { key, value } of writes) {
    if (value === undefined) state.data.delete(key);
    else state.data.set(key, toHex(encodeClarity(value)));
  }
}

/** An error response with a code of the contract. */
export const fail = (code: number): Outcome => ({ result: err(uint(code)) });

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

export function flagArg(args: readonly ClarityValue[], index: number): boolean {
  const value = args[index];
  return value?.type === 'bool' && value.value;
}

/** Entries of a tuple by name. */
export function fieldsIn(value: ClarityValue | undefined): Map<string, ClarityValue> | undefined {
  return value?.type === 'tuple' ? new Map(value.entries.map(entry => [entry.name, entry.value])) : undefined;
}

/** A uint variable of the called contract. */
export function uintVariable({ state, contract }: CallContext, name: string): bigint {
  const value = readData(state, variableKey(contract, name));
  return value?.type === 'uint' ? value.value : 0n;
}

/** A function of a model by its name. */
export const functionOf = (model: ContractModel | undefined, name: string): ModelFunction | undefined =>
  model && Object.hasOwn(model.functions, name) ? model.functions[name] : undefined;

/** The code of a function. */
export type Run = ModelFunction['run'];

/** The functions of an outline with their code; those without code fail as not modelled. */
export function bindOutline(outline: ContractInterface, runs: Record<string, Run>): Record<string, ModelFunction> {
  const callable = outline.functions.filter(({ access }) => access !== 'private');
  const unknown = Object.keys(runs).filter(name => callable.every(each => each.name !== name));
  if (unknown.length > 0) throw new Error(`the outline has no functions ${unknown.join(', ')}`);
  return Object.fromEntries(
    callable.map(({ name, access, args, outputs }): [string, ModelFunction] => [
      name,
      {
        access: access as ModelFunction['access'],
        args: args.map(each => [each.name, each.type] as const),
        returns: outputs.type,
        run:
          runs[name] ??
          (({ contract }) => {
            throw new NotModelled(contract, name);
          }),
      },
    ]),
  );
}

/** A source that lists the functions of an outline, because models are executed instead of Clarity. */
export const outlineSource = (name: string, outline: ContractInterface): string =>
  [
    `;; ${name}, as the devnet models it: the functions of the contract, without their code.`,
    ...outline.functions.filter(({ access }) => access !== 'private').map(each => `;; ${functionSignature(each)}`),
    '',
  ].join('\n');

/** The interface of a model in the format of a node. */
export function interfaceOf(model: ContractModel, nakamoto: boolean): ContractInterface {
  if (model.outline) return model.outline;
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
