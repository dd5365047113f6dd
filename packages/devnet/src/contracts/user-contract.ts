import { abiTypeText } from '@cairn-stacks/codec/clarity/abi';
import { typeText } from '@cairn-stacks/codec/clarity/type';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { BranchState } from '../chain/branch-state.ts';
import { readDefinitions } from '../clarity/definitions.ts';
import { evaluate } from '../clarity/evaluation.ts';
import { interfaceOfDefinitions } from '../clarity/interface.ts';
import { type DataReader, type Definitions, resolvePath } from '../clarity/scope.ts';
import { ClarityError, type Form } from '../clarity/syntax.ts';
import { matchesType } from './argument-type.ts';
import {
  type CallContext,
  type ContractModel,
  entryKey,
  type ModelFunction,
  NotModelled,
  readData,
  variableKey,
  type Write,
} from './contract-model.ts';

/** Keys under which a deployed contract is stored: its source, and the circumstances of its deployment. */
export const sourceKey = (contract: string) => `${contract} source`;
const publishedKey = (contract: string) => `${contract} published`;

/** The height, epoch and language version of a deployment. */
export type Published = { height: number; epoch: string; clarityVersion: string };

export const recordPublished = (state: BranchState, contract: string, published: Published) =>
  void state.data.set(publishedKey(contract), JSON.stringify(published));

/** When and how a contract was deployed; contracts of genesis at height 0. */
export function publishedOf(state: BranchState, contract: string): Published {
  const text = state.data.get(publishedKey(contract));
  return text === undefined
    ? { height: 0, epoch: 'Epoch33', clarityVersion: 'Clarity3' }
    : (JSON.parse(text) as Published);
}

type ReadContract = { definitions: Definitions; model: ContractModel };

/** Models of sources that were read last. */
const read = new Map<string, ReadContract>();
const maxRead = 200;

/** The model of a contract that a user has deployed: its interface and data, and the functions that only read. */
export function userModel(state: BranchState, contract: string): ContractModel | undefined {
  return readContract(state, contract)?.model;
}

/** True if a user's contract declares to implement a trait, which is written `ADDRESS.contract.trait`. */
export function implementsTrait(state: BranchState, contract: string, trait: string): boolean {
  const implemented = readContract(state, contract)?.definitions.implemented ?? [];
  return implemented.some(path => resolvePath(path, contract) === trait);
}

function readContract(state: BranchState, contract: string): ReadContract | undefined {
  const source = state.data.get(sourceKey(contract));
  if (source === undefined) return undefined;
  const published = publishedOf(state, contract);
  const key = `${contract} ${JSON.stringify(published)} ${source}`;
  let known = read.get(key);
  if (!known) {
    const definitions = readDefinitions(source, contract);
    known = { definitions, model: modelOf(definitions, source, published) };
    read.set(key, known);
    if (read.size > maxRead) read.delete(read.keys().next().value!);
  }
  return known;
}

function modelOf(definitions: Definitions, source: string, published: Published): ContractModel {
  const { height, epoch, clarityVersion } = published;
  const { contract } = definitions;
  const [deployer = '', name = ''] = contract.split('.');
  const constants = constantsOf(definitions, deployer, height);
  const outline = interfaceOfDefinitions(definitions, { epoch, clarity_version: clarityVersion });
  const functions = outline.functions.flatMap((each): [string, ModelFunction][] => {
    const { access } = each;
    if (access === 'private') return [];
    const [body] = definitions.functions.get(each.name)!.body;
    const args = each.args.map(arg => [arg.name, arg.type] as const);
    const run: ModelFunction['run'] = (context, values) => {
      const locals = new Map(args.map(([arg], i) => [arg, values[i]!]));
      const result = evaluate(body!, definitions, { ...readerOf(context), constants }, locals);
      if (result === undefined) throw new NotModelled(contract, each.name);
      return { result };
    };
    return [[each.name, { access, args, returns: each.outputs.type, run }]];
  });
  return {
    name,
    source,
    outline,
    functions: Object.fromEntries(functions),
    constants: Object.fromEntries(constants),
  };
}

/** The values of constants that can be evaluated, as they are at the deployment. */
function constantsOf(definitions: Definitions, deployer: string, height: number): Map<string, ClarityValue> {
  const reader: DataReader = {
    ...{ sender: deployer, caller: deployer, height, burnHeight: 0, chainId: 0, mainnet: false },
    variable: () => undefined,
    entry: () => undefined,
    balance: () => 0n,
  };
  const values = new Map<string, ClarityValue>();
  for (const [name, form] of definitions.constants) {
    const value = evaluate(form, definitions, reader);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** What an expression reads on a branch. */
const readerOf = ({
  state,
  contract,
  sender,
  caller,
  height,
  burnHeight,
  chainId,
  mainnet,
}: CallContext): DataReader => ({
  ...{ sender, caller, height, burnHeight, chainId, mainnet },
  variable: name => readData(state, variableKey(contract, name)),
  entry: (map, key) => readData(state, entryKey(contract, map, key)),
  balance: principal => state.spendable(principal),
});

/** Reads a deployed source; the writes are its initial data. Throws a `ClarityError` if a node would not accept it. */
export function deployUserContract(source: string, context: CallContext): Write[] {
  const definitions = readDefinitions(source, context.contract);
  const reader = readerOf(context);
  const data = new Map<string, ClarityValue>();
  const overlaid: DataReader = {
    ...reader,
    variable: name => data.get(variableKey(context.contract, name)),
    entry: (map, key) => data.get(entryKey(context.contract, map, key)),
  };
  const value = (form: Form | undefined) => form && evaluate(form, definitions, overlaid);
  for (const [name, { type, initial }] of definitions.variables) {
    const first = value(initial);
    if (first === undefined) continue;
    if (!matchesType(type, first)) {
      throw new ClarityError(`expecting expression of type '${abiTypeText(type)}', found '${typeText(first)}'`);
    }
    data.set(variableKey(context.contract, name), first);
  }
  for (const statement of definitions.statements) applyStatement(statement, definitions, context.contract, data, value);
  return [...data].map(([key, written]) => ({ key, value: written }));
}

/** Applies a statement that writes data with values that can be evaluated; others have no effect here. */
function applyStatement(
  statement: Form,
  definitions: Definitions,
  contract: string,
  data: Map<string, ClarityValue>,
  value: (form: Form | undefined) => ClarityValue | undefined,
): void {
  const [head, target, ...rest] = statement.kind === 'list' ? statement.items : [];
  if (head?.kind !== 'name' || target?.kind !== 'name') return;
  const values = rest.map(value);
  if (head.text === 'var-set' && definitions.variables.has(target.text) && values[0]) {
    data.set(variableKey(contract, target.text), values[0]);
  }
  const map = definitions.maps.get(target.text);
  const [key, entry] = values;
  if (!map || !key || !entry || !/^map-(?:set|insert)$/.test(head.text)) return;
  const at = entryKey(contract, target.text, key);
  if (head.text === 'map-set' || !data.has(at)) data.set(at, entry);
}
