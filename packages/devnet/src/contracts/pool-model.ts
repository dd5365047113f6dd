import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { ok, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { type CallContext, type ContractModel, fail, type Outcome, uintArg } from './contract-model.ts';
import { stoneOf } from './fungible-model.ts';

const responseType: AbiType = { response: { ok: 'uint128', error: 'uint128' } };
const swapArgs: [string, AbiType][] = [
  ['amount', 'uint128'],
  ['least', 'uint128'],
];

/** The token of the pool, which has the same deployer. */
const stoneAsset = (contract: string) => stoneOf(`${contract.split('.')[0]}.stone`);

const reservesOf = ({ state, contract }: CallContext) => ({
  stx: state.stx.get(contract) ?? 0n,
  stone: state.held(contract, stoneAsset(contract)),
});

/** What goes out for what comes in: a constant product with three thousandths for the pool. */
export function quote(amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  const afterFee = amountIn * 997n;
  return reserveIn === 0n ? 0n : (afterFee * reserveOut) / (reserveIn * 1000n + afterFee);
}

const noMemo = new Uint8Array(0);

function swap(context: CallContext, [amount, least]: [bigint, bigint], gives: 'stx' | 'stone'): Outcome {
  const { contract, sender, state } = context;
  const { stx, stone } = reservesOf(context);
  const asset = stoneAsset(contract);
  const had = gives === 'stx' ? state.spendable(sender) : state.held(sender, asset);
  if (amount === 0n || had < amount) return fail(1);
  const out = gives === 'stx' ? quote(amount, stx, stone) : quote(amount, stone, stx);
  if (out === 0n) return fail(202);
  if (out < least) return fail(201);
  const notice = tuple({ event: stringAscii('swap'), gives: stringAscii(gives), in: uint(amount), out: uint(out) });
  const [stxMove, stoneMove] =
    gives === 'stx'
      ? [
          { sender, recipient: contract, amount },
          { sender: contract, recipient: sender, amount: out },
        ]
      : [
          { sender: contract, recipient: sender, amount: out },
          { sender, recipient: contract, amount },
        ];
  return {
    result: ok(uint(out)),
    events: [
      { kind: 'stx_transfer', ...stxMove, memo: noMemo },
      { kind: 'ft_transfer', asset, ...stoneMove },
      { kind: 'print', contract, value: encodeClarity(notice) },
    ],
  };
}

/** A small exchange of STX against the token of the same deployer. */
export const poolModel: ContractModel = {
  name: 'pool',
  functions: {
    'add-liquidity': {
      access: 'public',
      args: [
        ['stx-amount', 'uint128'],
        ['stone-amount', 'uint128'],
      ],
      returns: responseType,
      run({ state, contract, sender }, args) {
        const [amount, stones] = [uintArg(args, 0), uintArg(args, 1)];
        const asset = stoneAsset(contract);
        if (amount === 0n || stones === 0n) return fail(3);
        if (state.spendable(sender) < amount || state.held(sender, asset) < stones) return fail(1);
        return {
          result: ok(uint(amount)),
          events: [
            { kind: 'stx_transfer', sender, recipient: contract, amount, memo: noMemo },
            { kind: 'ft_transfer', asset, sender, recipient: contract, amount: stones },
          ],
        };
      },
    },
    'swap-stx': {
      access: 'public',
      args: swapArgs,
      returns: responseType,
      run: (context, args) => swap(context, [uintArg(args, 0), uintArg(args, 1)], 'stx'),
    },
    'swap-stone': {
      access: 'public',
      args: swapArgs,
      returns: responseType,
      run: (context, args) => swap(context, [uintArg(args, 0), uintArg(args, 1)], 'stone'),
    },
    'get-reserves': {
      access: 'read_only',
      args: [],
      returns: {
        tuple: [
          { name: 'stone', type: 'uint128' },
          { name: 'stx', type: 'uint128' },
        ],
      },
      run(context) {
        const { stx, stone } = reservesOf(context);
        return { result: tuple({ stone: uint(stone), stx: uint(stx) }) };
      },
    },
  },
  source: `;; Pool: a small exchange of STX against stones; three thousandths stay in it.
(define-private (quote-out (in uint) (reserve-in uint) (reserve-out uint))
  (/ (* in u997 reserve-out) (+ (* reserve-in u1000) (* in u997))))
(define-read-only (get-reserves)
  {stx: (stx-get-balance (as-contract tx-sender)),
   stone: (unwrap-panic (contract-call? .stone get-balance (as-contract tx-sender)))})
(define-public (add-liquidity (stx-amount uint) (stone-amount uint))
  (begin
    (try! (stx-transfer? stx-amount tx-sender (as-contract tx-sender)))
    (try! (contract-call? .stone transfer stone-amount tx-sender (as-contract tx-sender) none))
    (ok stx-amount)))
(define-public (swap-stx (amount uint) (least uint))
  (let ((who tx-sender) (r (get-reserves)) (out (quote-out amount (get stx r) (get stone r))))
    (asserts! (> out u0) (err u202))
    (asserts! (>= out least) (err u201))
    (try! (stx-transfer? amount who (as-contract tx-sender)))
    (try! (as-contract (contract-call? .stone transfer out tx-sender who none)))
    (print {event: "swap", gives: "stx", in: amount, out: out})
    (ok out)))
(define-public (swap-stone (amount uint) (least uint))
  (let ((who tx-sender) (r (get-reserves)) (out (quote-out amount (get stone r) (get stx r))))
    (asserts! (> out u0) (err u202))
    (asserts! (>= out least) (err u201))
    (try! (as-contract (stx-transfer? out tx-sender who)))
    (try! (contract-call? .stone transfer amount who (as-contract tx-sender) none))
    (print {event: "swap", gives: "stone", in: amount, out: out})
    (ok out)))
`,
};
