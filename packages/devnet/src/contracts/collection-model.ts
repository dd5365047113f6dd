import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { bool, none, ok, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { type ContractModel, fail, principalArg, uintArg, uintVariable, variableKey } from './contract-model.ts';

/** The asset of the collection. */
export const marbleOf = (contract: string) => `${contract}::marble`;

/** The price of a new item, in micro-STX. */
export const mintPrice = 1_000_000n;

const responseOf = (ok: AbiType): AbiType => ({ response: { ok, error: 'uint128' } });

const [uriStart, uriEnd] = [
  'data:application/json,{"sip":16,"name":"Marble {id}","attributes":[{"trait_type":"polish","value":',
  '}]}',
];
const uriOf = (polish: bigint) => `${uriStart}${polish}${uriEnd}`;

/** Says that the metadata of all marbles have changed (SIP-019). */
const updateNotice = (contract: string) =>
  tuple({
    notification: stringAscii('token-metadata-update'),
    payload: tuple({ 'token-class': stringAscii('nft'), 'contract-id': principal(contract) }),
  });

/** A collection by SIP-009: minting costs one STX, which goes to its deployer. */
export const collectionModel: ContractModel = {
  name: 'marbles',
  nonFungibleTokens: [{ name: 'marble', type: 'uint128' }],
  variables: [
    { name: 'last-id', type: 'uint128', access: 'variable' },
    { name: 'polish', type: 'uint128', access: 'variable' },
  ],
  initial: { 'last-id': uint(0), polish: uint(0) },
  functions: {
    mint: {
      access: 'public',
      args: [],
      returns: responseOf('uint128'),
      run(context) {
        const { state, contract, sender } = context;
        const maker = contract.split('.')[0]!;
        if (state.spendable(sender) < mintPrice) return fail(1);
        if (sender === maker) return fail(2);
        const id = uintVariable(context, 'last-id') + 1n;
        const notice = tuple({ event: stringAscii('mint'), id: uint(id) });
        return {
          result: ok(uint(id)),
          events: [
            { kind: 'stx_transfer', sender, recipient: maker, amount: mintPrice, memo: new Uint8Array(0) },
            { kind: 'nft_mint', asset: marbleOf(contract), recipient: sender, value: encodeClarity(uint(id)) },
            { kind: 'print', contract, value: encodeClarity(notice) },
          ],
          writes: [{ key: variableKey(contract, 'last-id'), value: uint(id) }],
        };
      },
    },
    transfer: {
      access: 'public',
      args: [
        ['id', 'uint128'],
        ['sender', 'principal'],
        ['recipient', 'principal'],
      ],
      returns: responseOf('bool'),
      run({ state, contract, sender }, args) {
        const id = uintArg(args, 0);
        const recipient = principalArg(args, 2);
        const owner = state.owner(marbleOf(contract), Number(id));
        if (principalArg(args, 1) !== sender) return fail(4);
        if (owner === undefined) return fail(3);
        if (owner !== sender) return fail(1);
        if (recipient === sender) return fail(2);
        const value = encodeClarity(uint(id));
        return {
          result: ok(bool(true)),
          events: [{ kind: 'nft_transfer', asset: marbleOf(contract), sender, recipient, value }],
        };
      },
    },
    burn: {
      access: 'public',
      args: [['id', 'uint128']],
      returns: responseOf('bool'),
      run({ state, contract, sender }, args) {
        const id = uintArg(args, 0);
        if (state.owner(marbleOf(contract), Number(id)) !== sender) return fail(1);
        const value = encodeClarity(uint(id));
        return { result: ok(bool(true)), events: [{ kind: 'nft_burn', asset: marbleOf(contract), sender, value }] };
      },
    },
    'polish-all': {
      access: 'public',
      args: [],
      returns: responseOf('uint128'),
      run(context) {
        const { contract } = context;
        const polish = uintVariable(context, 'polish') + 1n;
        return {
          result: ok(uint(polish)),
          events: [{ kind: 'print', contract, value: encodeClarity(updateNotice(contract)) }],
          writes: [{ key: variableKey(contract, 'polish'), value: uint(polish) }],
        };
      },
    },
    'get-last-token-id': {
      access: 'read_only',
      args: [],
      returns: responseOf('uint128'),
      run: context => ({ result: ok(uint(uintVariable(context, 'last-id'))) }),
    },
    'get-owner': {
      access: 'read_only',
      args: [['id', 'uint128']],
      returns: responseOf({ optional: 'principal' }),
      run({ state, contract }, args) {
        const owner = state.owner(marbleOf(contract), Number(uintArg(args, 0)));
        return { result: ok(owner === undefined ? none : some(principal(owner))) };
      },
    },
    'get-token-uri': {
      access: 'read_only',
      args: [['id', 'uint128']],
      returns: responseOf({ optional: { 'string-ascii': { length: 256 } } }),
      run: context => ({ result: ok(some(stringAscii(uriOf(uintVariable(context, 'polish'))))) }),
    },
  },
  source: `;; Marbles: a collection by SIP-009. A new one costs one STX.
(define-constant maker tx-sender)
(define-non-fungible-token marble uint)
(define-data-var last-id uint u0)
(define-data-var polish uint u0)
(define-public (mint)
  (let ((id (+ (var-get last-id) u1)))
    (try! (stx-transfer? u1000000 tx-sender maker))
    (try! (nft-mint? marble id tx-sender))
    (var-set last-id id)
    (print {event: "mint", id: id})
    (ok id)))
(define-public (transfer (id uint) (sender principal) (recipient principal))
  (begin (asserts! (is-eq tx-sender sender) (err u4)) (nft-transfer? marble id sender recipient)))
(define-public (burn (id uint)) (nft-burn? marble id tx-sender))
(define-public (polish-all)
  (begin
    (var-set polish (+ (var-get polish) u1))
    (print {
      notification: "token-metadata-update",
      payload: { token-class: "nft", contract-id: (as-contract tx-sender) } })
    (ok (var-get polish))))
(define-read-only (get-last-token-id) (ok (var-get last-id)))
(define-read-only (get-owner (id uint)) (ok (nft-get-owner? marble id)))
(define-read-only (get-token-uri (id uint))
  (ok (some (concat (concat "${uriStart.replaceAll('"', '\\"')}" (int-to-ascii (var-get polish))) "${uriEnd}"))))
`,
};
