import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { bool, ok, some, stringAscii, stringUtf8, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import {
  type ContractModel,
  fail,
  type ModelFunction,
  type Outcome,
  principalArg,
  uintArg,
  uintVariable,
  variableKey,
} from './contract-model.ts';

/** The asset of the token. */
export const stoneOf = (contract: string) => `${contract}::stone`;

/** The metadata of the token, with its picture, inside its URI. */
const uri = `data:application/json;base64,${Buffer.from(
  JSON.stringify({
    ...{ sip: 16, name: 'Stone' },
    image: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><circle r='9'/></svg>",
  }),
).toString('base64')}`;

/** Maximum amount of one mint. */
export const mintLimit = 1_000_000_000n;

const responseOf = (okType: AbiType): AbiType => ({ response: { ok: okType, error: 'uint128' } });
const fact = (returns: AbiType, value: Outcome['result']): ModelFunction => ({
  access: 'read_only',
  args: [],
  returns: responseOf(returns),
  run: () => ({ result: ok(value) }),
});

export type FungibleToken = {
  /** Name of the contract. */
  contract: string;
  /** Name of the asset in the contract. */
  asset: string;
  /** First line of the source. */
  about: string;
  name: string;
  symbol: string;
  decimals: number;
  uri: string;
};

/** A fungible token by SIP-010, which everybody can mint. */
export const fungibleToken = (token: FungibleToken): ContractModel => {
  const assetOf = (contract: string) => `${contract}::${token.asset}`;
  return {
    name: token.contract,
    fungibleTokens: [token.asset],
    variables: [{ name: 'supply', type: 'uint128', access: 'variable' }],
    initial: { supply: uint(0) },
    functions: {
      transfer: {
        access: 'public',
        args: [
          ['amount', 'uint128'],
          ['sender', 'principal'],
          ['recipient', 'principal'],
          ['memo', { optional: { buffer: { length: 34 } } }],
        ],
        returns: responseOf('bool'),
        run({ state, contract, sender }, args) {
          const amount = uintArg(args, 0);
          const recipient = principalArg(args, 2);
          if (principalArg(args, 1) !== sender) return fail(4);
          if (amount === 0n) return fail(3);
          if (recipient === sender) return fail(2);
          if (state.held(sender, assetOf(contract)) < amount) return fail(1);
          const memo = args[3]?.type === 'some' ? args[3].value : undefined;
          return {
            result: ok(bool(true)),
            events: [
              { kind: 'ft_transfer', asset: assetOf(contract), sender, recipient, amount },
              ...(memo ? [{ kind: 'print' as const, contract, value: encodeClarity(memo) }] : []),
            ],
          };
        },
      },
      mint: {
        access: 'public',
        args: [
          ['amount', 'uint128'],
          ['recipient', 'principal'],
        ],
        returns: responseOf('bool'),
        run(context, args) {
          const amount = uintArg(args, 0);
          if (amount === 0n || amount > mintLimit) return fail(100);
          const { contract } = context;
          return {
            result: ok(bool(true)),
            events: [{ kind: 'ft_mint', asset: assetOf(contract), recipient: principalArg(args, 1), amount }],
            writes: [{ key: variableKey(contract, 'supply'), value: uint(uintVariable(context, 'supply') + amount) }],
          };
        },
      },
      burn: {
        access: 'public',
        args: [['amount', 'uint128']],
        returns: responseOf('bool'),
        run(context, args) {
          const amount = uintArg(args, 0);
          const { state, contract, sender } = context;
          if (amount === 0n || state.held(sender, assetOf(contract)) < amount) return fail(1);
          return {
            result: ok(bool(true)),
            events: [{ kind: 'ft_burn', asset: assetOf(contract), sender, amount }],
            writes: [{ key: variableKey(contract, 'supply'), value: uint(uintVariable(context, 'supply') - amount) }],
          };
        },
      },
      'get-balance': {
        access: 'read_only',
        args: [['who', 'principal']],
        returns: responseOf('uint128'),
        run: ({ state, contract }, args) => ({
          result: ok(uint(state.held(principalArg(args, 0), assetOf(contract)))),
        }),
      },
      'get-total-supply': {
        access: 'read_only',
        args: [],
        returns: responseOf('uint128'),
        run: context => ({ result: ok(uint(uintVariable(context, 'supply'))) }),
      },
      'get-name': fact({ 'string-ascii': { length: 32 } }, stringAscii(token.name)),
      'get-symbol': fact({ 'string-ascii': { length: 32 } }, stringAscii(token.symbol)),
      'get-decimals': fact('uint128', uint(token.decimals)),
      'get-token-uri': fact({ optional: { 'string-utf8': { length: 256 } } }, some(stringUtf8(token.uri))),
    },
    source: `;; ${token.about}
(define-fungible-token ${token.asset})
(define-data-var supply uint u0)
(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34))))
  (begin
    (asserts! (is-eq tx-sender sender) (err u4))
    (try! (ft-transfer? ${token.asset} amount sender recipient))
    (match memo note (print note) 0x)
    (ok true)))
(define-public (mint (amount uint) (recipient principal))
  (begin
    (asserts! (and (> amount u0) (<= amount u1000000000)) (err u100))
    (var-set supply (+ (var-get supply) amount))
    (ft-mint? ${token.asset} amount recipient)))
(define-public (burn (amount uint))
  (begin
    (try! (ft-burn? ${token.asset} amount tx-sender))
    (var-set supply (- (var-get supply) amount))
    (ok true)))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance ${token.asset} who)))
(define-read-only (get-total-supply) (ok (var-get supply)))
(define-read-only (get-name) (ok "${token.name}"))
(define-read-only (get-symbol) (ok "${token.symbol}"))
(define-read-only (get-decimals) (ok u${token.decimals}))
(define-read-only (get-token-uri) (ok (some u"${clarityText(token.uri)}")))
`,
  };
};

/** A text as the source of a contract writes it: printable ASCII. */
const clarityText = (text: string) =>
  [...text]
    .map(each =>
      /[ -~]/.test(each) ? each.replace(/["\\]/, '\\$&') : `\\u{${each.codePointAt(0)!.toString(16).toUpperCase()}}`,
    )
    .join('');

/** A token with proper metadata. */
export const fungibleModel = fungibleToken({
  ...{ contract: 'stone', asset: 'stone', name: 'Stone', symbol: 'STONE', decimals: 6, uri },
  about: 'Stone: a fungible token by SIP-010. Anybody may mint a little.',
});
