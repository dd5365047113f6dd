import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { Form } from './syntax.ts';

/** A function of a contract, as written. */
export type FunctionDefinition = {
  access: 'public' | 'read_only' | 'private';
  args: readonly (readonly [string, AbiType])[];
  body: readonly Form[];
};

/** The definitions of a contract, by name. */
export type Definitions = {
  /** `ADDRESS.name`. */
  contract: string;
  constants: Map<string, Form>;
  variables: Map<string, { type: AbiType; initial: Form }>;
  maps: Map<string, { key: AbiType; value: AbiType }>;
  fungibleTokens: Map<string, Form | undefined>;
  nonFungibleTokens: Map<string, AbiType>;
  traits: Set<string>;
  /** Traits that the contract declares to implement. */
  implemented: string[];
  functions: Map<string, FunctionDefinition>;
  /** Expressions at the top that are no definitions; a deployment runs them. */
  statements: Form[];
};

/** The arguments and local names of an expression. */
export type Locals<T> = ReadonlyMap<string, T>;

/** The data that an evaluation may read. */
export type DataReader = {
  /** The values of constants; without them, constants are evaluated, as a deployment does. */
  constants?: ReadonlyMap<string, ClarityValue>;
  sender: string;
  caller: string;
  height: number;
  burnHeight: number;
  chainId: number;
  mainnet: boolean;
  variable(name: string): ClarityValue | undefined;
  entry(map: string, key: ClarityValue): ClarityValue | undefined;
  balance(principal: string): bigint;
};

/** The names and expressions of a `let` or of a tuple: `((name expression) …)`. */
export function bindingsIn(forms: readonly Form[]): { name: string; value: Form }[] | undefined {
  const bindings: { name: string; value: Form }[] = [];
  for (const form of forms) {
    const [name, value, ...more] = form.kind === 'list' ? form.items : [];
    if (name?.kind !== 'name' || value === undefined || more.length > 0) return undefined;
    bindings.push({ name: name.text, value });
  }
  return bindings;
}

/** The full name of a contract or trait: a leading dot stands for the deployer. */
export const resolvePath = (text: string, contract: string) =>
  text.startsWith('.') ? `${contract.split('.')[0]}${text}` : text;
