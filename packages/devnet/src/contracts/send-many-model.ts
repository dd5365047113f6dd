import { bool, ok } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { readOutline } from '../clarity/outline.ts';
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
} from './contract-model.ts';

type Payment = { to: string; amount: bigint; memo: ClarityValue | undefined };

/** Pays STX to many recipients at once; after each payment the contract prints its memo. */
function payAll({ state, sender, contract }: CallContext, payments: Payment[]): Outcome {
  let left = state.spendable(sender);
  for (const { to, amount } of payments) {
    if (amount === 0n) return fail(3);
    if (to === sender) return fail(2);
    left -= amount;
    if (left < 0n) return fail(1);
  }
  return {
    result: ok(bool(true)),
    events: payments.flatMap(({ to, amount, memo }) => [
      { kind: 'stx_transfer' as const, sender, recipient: to, amount, memo: new Uint8Array(0) },
      ...(memo ? [{ kind: 'print' as const, contract, value: encodeClarity(memo) }] : []),
    ]),
  };
}

const paymentsIn = (value: ClarityValue | undefined): Payment[] =>
  (value?.type === 'list' ? value.items : []).map(item => {
    const fields = fieldsIn(item)!;
    return {
      to: principalArg([fields.get('to')!], 0),
      amount: uintArg([fields.get('ustx')!], 0),
      memo: fields.get('memo'),
    };
  });

const plain = readOutline(`
(released Epoch20 Clarity1)
(public send-many ((recipients (list 200 {to: principal, ustx: uint}))) (response bool uint))
(public send-stx ((ustx uint) (to principal)) (response bool uint))
`);

/** Bulk payments without memos. */
export const sendManyModel: ContractModel = {
  name: 'send-many',
  source: outlineSource('send-many', plain),
  outline: plain,
  functions: bindOutline(plain, {
    'send-many': (context, args) => payAll(context, paymentsIn(args[0])),
    'send-stx': (context, args) =>
      payAll(context, [{ amount: uintArg(args, 0), to: principalArg(args, 1), memo: undefined }]),
  }),
};

const withMemo = readOutline(`
(released Epoch20 Clarity1)
(public send-many ((recipients (list 200 {memo: (buff 34), to: principal, ustx: uint}))) (response bool uint))
(public send-stx-with-memo ((ustx uint) (to principal) (memo (buff 34))) (response bool uint))
`);

/** Bulk payments with memos. */
export const sendManyMemoModel: ContractModel = {
  name: 'send-many-memo',
  source: outlineSource('send-many-memo', withMemo),
  outline: withMemo,
  functions: bindOutline(withMemo, {
    'send-many': (context, args) => payAll(context, paymentsIn(args[0])),
    'send-stx-with-memo': (context, args) =>
      payAll(context, [{ amount: uintArg(args, 0), to: principalArg(args, 1), memo: args[2] }]),
  }),
};

/** The deployer of both contracts on the public networks. */
export const sendManyDeployer = (mainnet: boolean) =>
  mainnet ? 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE' : 'ST3F1X4QGV2SM8XD96X45M6RTQXKA1PZJZZCQAB4B';
