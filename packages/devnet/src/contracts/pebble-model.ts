import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { bool, err, none, ok, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import {
  type CallContext,
  type ContractModel,
  entryKey,
  fail,
  type ModelFunction,
  principalArg,
  readData,
  uintArg,
  uintVariable,
  variableKey,
} from './contract-model.ts';

/** The asset of all pebbles together. */
export const pebbleOf = (contract: string) => `${contract}::pebble`;

/** The largest number of a kind of pebbles, and the largest amount of one mint. */
export const lastPebble = 6n;
export const pebbleLimit = 1_000n;

const responseOf = (okType: AbiType): AbiType => ({ response: { ok: okType, error: 'uint128' } });

/** URIs by number: fine metadata, then URIs that a careful reader refuses, wrong types, and no URI. */
const uris: readonly string[] = [
  'data:application/json,{"sip":16,"name":"Pebble {id}","description":"A grey one.","properties":{"collection":"Pebbles"}}',
  'https://127.0.0.1/endless.json',
  'https://localhost/redirect-to-loopback.json',
  'data:application/json,{"sip":"sixteen","name":{"first":5},"attributes":"none","image":[]}',
  'data:application/json,[[[[[[{"not": "an object"',
];

const supplyKey = (contract: string, id: bigint) => entryKey(contract, 'supplies', uint(id));
const balanceKey = (contract: string, id: bigint, who: string) =>
  entryKey(contract, 'balances', tuple({ id: uint(id), who: principal(who) }));

function numberAt({ state }: CallContext, key: string): bigint {
  const value = readData(state, key);
  return value?.type === 'uint' ? value.value : 0n;
}

const reading = (returns: AbiType, args: ModelFunction['args'], run: ModelFunction['run']): ModelFunction => ({
  ...{ access: 'read_only', args, returns: responseOf(returns), run },
});

const idArg = [['id', 'uint128']] as const;
const whoArg = [['who', 'principal']] as const;
const transferArgs = [
  ['id', 'uint128'],
  ['amount', 'uint128'],
  ['sender', 'principal'],
  ['recipient', 'principal'],
] as const;

const move: ModelFunction['run'] = (context, args) => {
  const { contract, sender } = context;
  const [id, amount] = [uintArg(args, 0), uintArg(args, 1)];
  const [from, recipient] = [principalArg(args, 2), principalArg(args, 3)];
  const [mine, theirs] = [from, recipient].map(who => balanceKey(contract, id, who)) as [string, string];
  if (from !== sender) return fail(4);
  if (amount === 0n || numberAt(context, mine) < amount) return fail(1);
  if (recipient === sender) return fail(2);
  const notice = tuple({
    ...{ type: stringAscii('sft_transfer'), 'token-id': uint(id), amount: uint(amount) },
    ...{ sender: principal(sender), recipient: principal(recipient) },
  });
  return {
    result: ok(bool(true)),
    events: [
      { kind: 'ft_transfer', asset: pebbleOf(contract), sender, recipient, amount },
      { kind: 'print', contract, value: encodeClarity(notice) },
    ],
    writes: [
      { key: mine, value: uint(numberAt(context, mine) - amount) },
      { key: theirs, value: uint(numberAt(context, theirs) + amount) },
    ],
  };
};

function uriOf(id: bigint): ClarityValue {
  // One kind of pebbles always fails.
  if (id === lastPebble) return err(uint(404));
  const uri = id > 0n ? uris[Number(id) - 1] : undefined;
  return ok(uri === undefined ? none : some(stringAscii(uri)));
}

/** Semi-fungible tokens by SIP-013, which everybody can mint; the metadata of most kinds are bad in some way. */
export const pebbleModel: ContractModel = {
  name: 'pebbles',
  fungibleTokens: ['pebble'],
  variables: [{ name: 'supply', type: 'uint128', access: 'variable' }],
  maps: [
    { name: 'supplies', key: 'uint128', value: 'uint128' },
    {
      name: 'balances',
      key: {
        tuple: [
          { name: 'id', type: 'uint128' },
          { name: 'who', type: 'principal' },
        ],
      },
      value: 'uint128',
    },
  ],
  initial: { supply: uint(0) },
  functions: {
    mint: {
      access: 'public',
      args: [
        ['id', 'uint128'],
        ['amount', 'uint128'],
        ['recipient', 'principal'],
      ],
      returns: responseOf('bool'),
      run(context, args) {
        const { contract } = context;
        const [id, amount, recipient] = [uintArg(args, 0), uintArg(args, 1), principalArg(args, 2)];
        if (id > lastPebble || amount === 0n || amount > pebbleLimit) return fail(100);
        const notice = tuple({
          ...{
            type: stringAscii('sft_mint'),
            'token-id': uint(id),
            amount: uint(amount),
            recipient: principal(recipient),
          },
        });
        const [supply, balance] = [supplyKey(contract, id), balanceKey(contract, id, recipient)];
        return {
          result: ok(bool(true)),
          events: [
            { kind: 'ft_mint', asset: pebbleOf(contract), recipient, amount },
            { kind: 'print', contract, value: encodeClarity(notice) },
          ],
          writes: [
            { key: supply, value: uint(numberAt(context, supply) + amount) },
            { key: balance, value: uint(numberAt(context, balance) + amount) },
            { key: variableKey(contract, 'supply'), value: uint(uintVariable(context, 'supply') + amount) },
          ],
        };
      },
    },
    transfer: { access: 'public', args: transferArgs, returns: responseOf('bool'), run: move },
    'transfer-memo': {
      access: 'public',
      args: [...transferArgs, ['memo', { buffer: { length: 34 } }]],
      returns: responseOf('bool'),
      run: move,
    },
    'get-balance': reading('uint128', [...idArg, ...whoArg], (context, args) => ({
      result: ok(uint(numberAt(context, balanceKey(context.contract, uintArg(args, 0), principalArg(args, 1))))),
    })),
    'get-overall-balance': reading('uint128', whoArg, ({ state, contract }, args) => ({
      result: ok(uint(state.held(principalArg(args, 0), pebbleOf(contract)))),
    })),
    'get-total-supply': reading('uint128', idArg, (context, args) => ({
      result: ok(uint(numberAt(context, supplyKey(context.contract, uintArg(args, 0))))),
    })),
    'get-overall-supply': reading('uint128', [], context => ({ result: ok(uint(uintVariable(context, 'supply'))) })),
    'get-decimals': reading('uint128', idArg, () => ({ result: ok(uint(0)) })),
    'get-token-uri': reading({ optional: { 'string-ascii': { length: 256 } } }, idArg, (_context, args) => ({
      result: uriOf(uintArg(args, 0)),
    })),
  },
  source: `;; Pebbles: semi-fungible tokens by SIP-013. Anybody may mint some. The metadata of most kinds are bad in some way.
(define-fungible-token pebble)
(define-data-var supply uint u0)
(define-map supplies uint uint)
(define-map balances { id: uint, who: principal } uint)
(define-private (balance-of (id uint) (who principal)) (default-to u0 (map-get? balances { id: id, who: who })))
(define-private (supply-of (id uint)) (default-to u0 (map-get? supplies id)))
(define-public (mint (id uint) (amount uint) (recipient principal))
  (begin
    (asserts! (and (<= id u6) (> amount u0) (<= amount u1000)) (err u100))
    (map-set supplies id (+ (supply-of id) amount))
    (map-set balances { id: id, who: recipient } (+ (balance-of id recipient) amount))
    (var-set supply (+ (var-get supply) amount))
    (try! (ft-mint? pebble amount recipient))
    (print { type: "sft_mint", token-id: id, amount: amount, recipient: recipient })
    (ok true)))
(define-public (transfer (id uint) (amount uint) (sender principal) (recipient principal))
  (begin
    (asserts! (is-eq tx-sender sender) (err u4))
    (asserts! (and (> amount u0) (>= (balance-of id sender) amount)) (err u1))
    (try! (ft-transfer? pebble amount sender recipient))
    (map-set balances { id: id, who: sender } (- (balance-of id sender) amount))
    (map-set balances { id: id, who: recipient } (+ (balance-of id recipient) amount))
    (print { type: "sft_transfer", token-id: id, amount: amount, sender: sender, recipient: recipient })
    (ok true)))
(define-public (transfer-memo (id uint) (amount uint) (sender principal) (recipient principal) (memo (buff 34)))
  (transfer id amount sender recipient))
(define-read-only (get-balance (id uint) (who principal)) (ok (balance-of id who)))
(define-read-only (get-overall-balance (who principal)) (ok (ft-get-balance pebble who)))
(define-read-only (get-total-supply (id uint)) (ok (supply-of id)))
(define-read-only (get-overall-supply) (ok (var-get supply)))
(define-read-only (get-decimals (id uint)) (ok u0))
(define-read-only (get-token-uri (id uint))
  (if (is-eq id u6) (err u404) (ok (element-at? (list
${uris.map(uri => `    "${uri.replaceAll('"', '\\"')}"`).join('\n')}) (- id u1)))))
`,
};
