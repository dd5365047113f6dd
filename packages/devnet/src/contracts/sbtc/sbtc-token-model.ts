import { bool, none, ok, stringAscii, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { accountAt } from '../../chain/account.ts';
import { readOutline } from '../../clarity/outline.ts';
import { deployer } from '../../residents/accounts.ts';
import {
  bindOutline,
  type CallContext,
  type ContractModel,
  fail,
  fieldsIn,
  type Outcome,
  outlineSource,
  principalArg,
  uintArg,
  uintVariable,
} from '../contract-model.ts';
import { burnt, lockedAsset, minted, supplyWrite } from './registry-data.ts';

const outline = readOutline(`
(released Epoch30 Clarity3)
(public protocol-burn ((amount uint) (owner principal) (contract-flag (buff 1))) (response bool uint))
(public protocol-burn-locked ((amount uint) (owner principal) (contract-flag (buff 1))) (response bool uint))
(public protocol-lock ((amount uint) (owner principal) (contract-flag (buff 1))) (response bool uint))
(public protocol-mint ((amount uint) (recipient principal) (contract-flag (buff 1))) (response bool uint))
(public protocol-set-name ((new-name (string-ascii 32)) (contract-flag (buff 1))) (response bool uint))
(public protocol-set-symbol ((new-symbol (string-ascii 10)) (contract-flag (buff 1))) (response bool uint))
(public protocol-set-token-uri ((new-uri (optional (string-utf8 256))) (contract-flag (buff 1))) (response bool uint))
(public protocol-transfer ((amount uint) (sender principal) (recipient principal) (contract-flag (buff 1)))
  (response bool uint))
(public protocol-unlock ((amount uint) (owner principal) (contract-flag (buff 1))) (response bool uint))
(public transfer ((amount uint) (sender principal) (recipient principal) (memo (optional (buff 34)))) (response bool uint))
(public transfer-many ((recipients (list 200 {amount: uint, memo: (optional (buff 34)), sender: principal, to: principal})))
  (response uint uint))
(read-only get-balance ((who principal)) (response uint never))
(read-only get-balance-available ((who principal)) (response uint never))
(read-only get-balance-locked ((who principal)) (response uint never))
(read-only get-decimals () (response uint never))
(read-only get-name () (response (string-ascii 32) never))
(read-only get-symbol () (response (string-ascii 10) never))
(read-only get-token-uri () (response (optional (string-utf8 256)) never))
(read-only get-total-supply () (response uint never))
(fungible-token sbtc-token)
(fungible-token sbtc-token-locked)
`);

const lockedOf = ({ mainnet }: CallContext) => lockedAsset(mainnet);
const assetOf = ({ contract }: CallContext) => `${contract}::sbtc-token`;
const balanceOf = (context: CallContext, owner: string) => context.state.held(owner, assetOf(context));

/** On the devnet, the account that deploys its contracts stands for the bridge. */
const isBridge = ({ caller, mainnet }: CallContext) => caller === accountAt(deployer, mainnet).address;

type Transfer = { amount: bigint; sender: string; recipient: string; memo: ClarityValue | undefined };

function transferProblem(context: CallContext, { amount, sender, recipient }: Transfer): number | undefined {
  if (context.sender !== sender && context.caller !== sender) return 4;
  if (amount === 0n) return 3;
  if (sender === recipient) return 2;
  return balanceOf(context, sender) < amount ? 1 : undefined;
}

const transferEvents = (context: CallContext, { amount, sender, recipient, memo }: Transfer) => [
  { kind: 'ft_transfer' as const, asset: assetOf(context), sender, recipient, amount },
  ...(memo?.type === 'some'
    ? [{ kind: 'print' as const, contract: context.contract, value: encodeClarity(memo.value) }]
    : []),
];

/** Moves an amount from one of the two assets of an owner to the other, or away. */
function convert(context: CallContext, args: readonly ClarityValue[], from: string, to: string | undefined): Outcome {
  const [amount, owner] = [uintArg(args, 0), principalArg(args, 1)];
  if (!isBridge(context)) return fail(400);
  if (amount === 0n || context.state.held(owner, from) < amount) return fail(1);
  return {
    result: ok(bool(true)),
    events: [...burnt(from, owner, amount), ...(to === undefined ? [] : minted(to, owner, amount))],
    writes: to === undefined ? [supplyWrite(context, -amount)] : [],
  };
}

/** sBTC by SIP-010. The bridge mints and burns it, and locks it for withdrawals; the balance of an account includes what is locked. */
export const sbtcTokenModel: ContractModel = {
  name: 'sbtc-token',
  source: outlineSource('sbtc-token', outline),
  outline,
  functions: bindOutline(outline, {
    transfer(context, args) {
      const [amount, sender, recipient] = [uintArg(args, 0), principalArg(args, 1), principalArg(args, 2)];
      const transfer = { amount, sender, recipient, memo: args[3] };
      const problem = transferProblem(context, transfer);
      return problem === undefined
        ? { result: ok(bool(true)), events: transferEvents(context, transfer) }
        : fail(problem);
    },
    'transfer-many'(context, args): Outcome {
      const transfers = (args[0]?.type === 'list' ? args[0].items : []).map((item): Transfer => {
        const fields = fieldsIn(item)!;
        const [sender, recipient] = ['sender', 'to'].map(name => principalArg([fields.get(name)!], 0)) as [
          string,
          string,
        ];
        return { amount: uintArg([fields.get('amount')!], 0), sender, recipient, memo: fields.get('memo') };
      });
      const spent = new Map<string, bigint>();
      for (const [i, transfer] of transfers.entries()) {
        const total = (spent.get(transfer.sender) ?? 0n) + transfer.amount;
        const problem =
          transferProblem(context, transfer) ?? (balanceOf(context, transfer.sender) < total ? 1 : undefined);
        // The contract adds the place of the failing transfer to a thousand.
        if (problem !== undefined) return fail(1_000 + i);
        spent.set(transfer.sender, total);
      }
      return {
        result: ok(uint(transfers.length)),
        events: transfers.flatMap(transfer => transferEvents(context, transfer)),
      };
    },
    'protocol-mint'(context, args) {
      const [amount, recipient] = [uintArg(args, 0), principalArg(args, 1)];
      if (!isBridge(context)) return fail(400);
      if (amount === 0n || amount > 21_000_000n * 100_000_000n) return fail(3);
      return {
        result: ok(bool(true)),
        events: [{ kind: 'ft_mint', asset: assetOf(context), recipient, amount }],
        writes: [supplyWrite(context, amount)],
      };
    },
    'protocol-burn': (context, args) => convert(context, args, assetOf(context), undefined),
    'protocol-burn-locked': (context, args) => convert(context, args, lockedOf(context), undefined),
    'protocol-lock': (context, args) => convert(context, args, assetOf(context), lockedOf(context)),
    'protocol-unlock': (context, args) => convert(context, args, lockedOf(context), assetOf(context)),
    'get-balance': (context, args) => {
      const owner = principalArg(args, 0);
      return { result: ok(uint(balanceOf(context, owner) + context.state.held(owner, lockedOf(context)))) };
    },
    'get-balance-available': (context, args) => ({ result: ok(uint(balanceOf(context, principalArg(args, 0)))) }),
    'get-balance-locked': (context, args) => ({
      result: ok(uint(context.state.held(principalArg(args, 0), lockedOf(context)))),
    }),
    'get-decimals': () => ({ result: ok(uint(8)) }),
    'get-name': () => ({ result: ok(stringAscii('sBTC')) }),
    'get-symbol': () => ({ result: ok(stringAscii('sBTC')) }),
    'get-token-uri': () => ({ result: ok(none) }),
    'get-total-supply': context => ({ result: ok(uint(uintVariable(context, 'supply'))) }),
  }),
};
