import { bnsContract } from '@cairn-stacks/codec/bns-name';
import { bool, buffer, none, principal, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { callPayload } from '@cairn-stacks/codec/transaction/build';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import {
  label,
  namespaceCost,
  namespaceHash,
  preorderHash,
} from '@cairn-stacks/devnet/contracts/names/namespace-model';
import { testDevnet } from './devnet.ts';

export const address = (account: number) => accountAt(account, false).address;
export const contracts = {
  v1: bnsContract('v1', false),
  v2: bnsContract('v2', false),
  resolver: bnsContract('resolver', false),
};

/** How a namespace prices its names: base, coefficient, sixteen exponents, two discounts. */
export type Terms = { base: number; coeff: number; buckets: readonly number[]; nonalpha: number; noVowel: number };
export const usual: Terms = {
  base: 4,
  coeff: 250,
  buckets: [6, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  nonalpha: 4,
  noVowel: 4,
};

const salt = 'pepper';

/** A devnet where nobody lives: names are taken by calls that a test makes. Accounts 0, 1 and 2 are rich. */
export function namingDevnet() {
  const devnet = testDevnet();
  const { node, send } = devnet;
  node.mine({ tenure: 'new' });
  const submit = (from: number, role: keyof typeof contracts, name: string, args: ClarityValue[]): string => {
    const sent = send(from, callPayload(contracts[role], name, args), { postConditionMode: 'allow' });
    if (!('txId' in sent)) throw new Error(`${name}: ${JSON.stringify(sent)}`);
    return sent.txId;
  };
  /** Calls and mines until it is in a block; what came of it: `ok`, or the number of the refusal. */
  const call = (from: number, role: keyof typeof contracts, name: string, args: ClarityValue[]): number | 'ok' => {
    const txId = submit(from, role, name, args);
    for (let i = 0; i < 3; i++) {
      const mined = node.mine({ tenure: 'same' }).transactions.find(each => each.txId === txId);
      const result = mined && decodeClarity(mined.result);
      if (result?.type === 'ok') return 'ok';
      if (result?.type === 'err' && 'value' in result.value) return Number(result.value.value);
    }
    throw new Error(`${name} was not mined`);
  };
  const launch = (role: 'v1' | 'v2', namespace: string, lifetime: number, terms = usual): void => {
    const cost = uint(namespaceCost(namespace));
    const numbers = [terms.base, terms.coeff, ...terms.buckets, terms.nonalpha, terms.noVowel].map(number =>
      uint(number),
    );
    const importer = principal(address(0));
    const further = role === 'v1' ? [] : [none, bool(true), bool(false), bool(false)];
    const steps: [string, ClarityValue[]][] = [
      ['namespace-preorder', [buffer(namespaceHash(role, namespace, salt)), cost]],
      ['namespace-reveal', [label(namespace), label(salt), ...numbers, uint(lifetime), importer, ...further]],
      [role === 'v1' ? 'namespace-ready' : 'namespace-launch', [label(namespace)]],
    ];
    for (const [name, args] of steps) {
      const answer = call(0, role, name, args);
      if (answer !== 'ok') throw new Error(`${name}: ${answer}`);
    }
  };
  /** Preorders and registers. */
  const register = (from: number, role: 'v1' | 'v2', fqn: string, burnt = 100_000_000_000n): number | 'ok' => {
    const [name = '', namespace = ''] = fqn.split('.');
    const preordered = call(from, role, 'name-preorder', [buffer(preorderHash(fqn, salt)), uint(burnt)]);
    if (preordered !== 'ok') return preordered;
    const zonefile = role === 'v1' ? [buffer(new Uint8Array(20).fill(from + 1))] : [];
    return call(from, role, 'name-register', [label(namespace), label(name), label(salt), ...zonefile]);
  };
  return { ...devnet, submit, call, launch, register };
}

/** The arguments that say which name, in the order of most calls. */
export const named = (fqn: string): ClarityValue[] => fqn.split('.').reverse().map(label);
