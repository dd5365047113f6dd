import type { AbiFunction, AbiType } from '@cairn-stacks/codec/clarity/abi';
import { principal, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import type { ChainEvent } from '../chain/event.ts';

/** A call of the sample contract, which has a coin, a collection of items and a voice. */
export type TokenCall =
  | { name: 'mint' | 'transfer'; amount: bigint; to: string }
  | { name: 'burn' | 'burn-stx' | 'deposit'; amount: bigint }
  | { name: 'mint-item' | 'transfer-item'; item: number; to: string }
  | { name: 'burn-item'; item: number }
  | { name: 'announce'; number: number };

export const coinOf = (contract: string) => `${contract}::coin`;
export const itemsOf = (contract: string) => `${contract}::item`;

/** What a call does when it succeeds. */
export function callEvents(contract: string, sender: string, call: TokenCall): ChainEvent[] {
  switch (call.name) {
    case 'mint':
      return [{ kind: 'ft_mint', asset: coinOf(contract), recipient: call.to, amount: call.amount }];
    case 'transfer':
      return [
        { kind: 'ft_transfer', asset: coinOf(contract), sender, recipient: call.to, amount: call.amount },
        { kind: 'print', contract, value: encodeClarity(notice('transfer', call.amount)) },
      ];
    case 'burn':
      return [{ kind: 'ft_burn', asset: coinOf(contract), sender, amount: call.amount }];
    case 'burn-stx':
      return [{ kind: 'stx_burn', sender, amount: call.amount }];
    case 'deposit':
      return [{ kind: 'stx_transfer', sender, recipient: contract, amount: call.amount, memo: new Uint8Array(0) }];
    case 'mint-item':
      return [{ kind: 'nft_mint', asset: itemsOf(contract), recipient: call.to, value: itemValue(call.item) }];
    case 'transfer-item':
      return [
        { kind: 'nft_transfer', asset: itemsOf(contract), sender, recipient: call.to, value: itemValue(call.item) },
      ];
    case 'burn-item':
      return [{ kind: 'nft_burn', asset: itemsOf(contract), sender, value: itemValue(call.item) }];
    case 'announce':
      return [{ kind: 'print', contract, value: encodeClarity(notice('announce', BigInt(call.number))) }];
  }
}

/** The arguments of a call. */
export function callArguments(call: TokenCall): ClarityValue[] {
  if ('amount' in call) return 'to' in call ? [uint(call.amount), principal(call.to)] : [uint(call.amount)];
  if ('item' in call) return 'to' in call ? [uint(call.item), principal(call.to)] : [uint(call.item)];
  return [uint(call.number)];
}

const notice = (topic: string, amount: bigint) => tuple({ topic: stringAscii(topic), amount: uint(amount) });
const itemValue = (item: number) => encodeClarity(uint(item));

/** The number of an item, from the value of its token. */
export function itemNumber(value: Uint8Array): number {
  const decoded = decodeClarity(value);
  return decoded.type === 'uint' ? Number(decoded.value) : 0;
}

const responseType: AbiType = { response: { ok: 'bool', error: 'uint128' } };

function publicFunction(name: TokenCall['name'], ...args: [string, AbiType][]): AbiFunction {
  return {
    name,
    access: 'public',
    args: args.map(([argument, type]) => ({ name: argument, type })),
    outputs: { type: responseType },
  };
}

const functions: AbiFunction[] = [
  publicFunction('announce', ['number', 'uint128']),
  publicFunction('burn', ['amount', 'uint128']),
  publicFunction('burn-item', ['item', 'uint128']),
  publicFunction('burn-stx', ['amount', 'uint128']),
  publicFunction('deposit', ['amount', 'uint128']),
  publicFunction('mint', ['amount', 'uint128'], ['to', 'principal']),
  publicFunction('mint-item', ['item', 'uint128'], ['to', 'principal']),
  publicFunction('transfer', ['amount', 'uint128'], ['to', 'principal']),
  publicFunction('transfer-item', ['item', 'uint128'], ['to', 'principal']),
];

/** A contract interface as a node sends it. */
export type ContractInterface = {
  functions: AbiFunction[];
  variables: { name: string; type: AbiType; access: 'constant' | 'variable' }[];
  maps: { name: string; key: AbiType; value: AbiType }[];
  fungible_tokens: { name: string }[];
  non_fungible_tokens: { name: string; type: AbiType }[];
  epoch: string;
  clarity_version: string;
};

/** The interface of a contract that defines nothing. */
export const emptyInterface: ContractInterface = {
  functions: [],
  variables: [],
  maps: [],
  fungible_tokens: [],
  non_fungible_tokens: [],
  epoch: 'Epoch20',
  clarity_version: 'Clarity1',
};

/** The interface of the sample contract in an epoch. */
export const tokenInterface = (nakamoto: boolean): ContractInterface => ({
  functions,
  variables: [{ name: 'err-refused', type: 'uint128', access: 'constant' }],
  maps: [],
  fungible_tokens: [{ name: 'coin' }],
  non_fungible_tokens: [{ name: 'item', type: 'uint128' }],
  epoch: nakamoto ? 'Epoch33' : 'Epoch24',
  clarity_version: nakamoto ? 'Clarity3' : 'Clarity2',
});

/** The source of the sample contract. */
export const tokenSource = `;; A coin, a collection and a voice.
(define-constant err-refused u1)
(define-fungible-token coin)
(define-non-fungible-token item uint)
(define-public (mint (amount uint) (to principal)) (ft-mint? coin amount to))
(define-public (transfer (amount uint) (to principal))
  (begin (try! (ft-transfer? coin amount tx-sender to)) (print {topic: "transfer", amount: amount}) (ok true)))
(define-public (burn (amount uint)) (ft-burn? coin amount tx-sender))
(define-public (burn-stx (amount uint)) (stx-burn? amount tx-sender))
(define-public (deposit (amount uint)) (stx-transfer? amount tx-sender (as-contract tx-sender)))
(define-public (mint-item (id uint) (to principal)) (nft-mint? item id to))
(define-public (transfer-item (id uint) (to principal)) (nft-transfer? item id tx-sender to))
(define-public (burn-item (id uint)) (nft-burn? item id tx-sender))
(define-public (announce (number uint)) (begin (print {topic: "announce", amount: number}) (ok true)))
`;
