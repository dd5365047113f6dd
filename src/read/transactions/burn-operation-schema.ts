import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { burnArguments } from '../../chain/pox/burn-arguments.ts';
import type { BurnOperation } from '../../chain/transaction.ts';
import type { SignedFields } from './signed-transaction-schema.ts';
import { type PayloadFields, type PayloadOptions, renderCall } from './transaction-payload-schema.ts';
import type { Transaction } from './transactions-queries.ts';

const functionNames = {
  stack_stx: 'stack-stx',
  delegate_stx: 'delegate-stx',
  vote_for_aggregate_key: 'vote-for-aggregate-public-key',
} as const;

/** The fields that describe a burn operation. */
export type BurnOperationRow = Pick<Transaction, 'tx_id' | 'extras' | 'burn_target' | 'burn_height' | 'burnOperation'>;

/** A burn operation as a Stacks transaction: it has no signature, nonce or fee. */
export function renderBurnOperation(row: BurnOperationRow, options: PayloadOptions): SignedFields & PayloadFields {
  const operation = row.burnOperation ?? readBurnOperation(row.extras?.burn_operation ?? '');
  const signed: SignedFields = {
    tx_id: toHex(row.tx_id),
    nonce: 0,
    fee_rate: '0',
    sender_address: operation.sender,
    sponsored: false,
    post_condition_mode: 'allow',
    post_conditions: [],
    anchor_mode: 'any',
  };
  if (operation.kind === 'transfer_stx') {
    const { recipient, amount, memo } = operation;
    return {
      ...signed,
      tx_type: 'token_transfer',
      token_transfer: { recipient_address: recipient, amount: amount.toString(), memo: toHex(memo) },
    };
  }
  const contract = row.burn_target ? principalFromBytes(row.burn_target) : '';
  const args = burnArguments(operation, row.burn_height);
  return { ...signed, ...renderCall(contract, functionNames[operation.kind], args, options) };
}

const amounts = new Set(['amount', 'maxAmount', 'authId', 'untilBurnHeight', 'rewardCycle']);
const byteFields = new Set(['memo', 'signerKey', 'aggregateKey']);

/** The operation as the projection wrote it: amounts as decimal text, bytes as hex. */
export function readBurnOperation(text: string): BurnOperation {
  return JSON.parse(text, (key, value) => {
    if (amounts.has(key)) return BigInt(value);
    return byteFields.has(key) ? Buffer.from(value, 'hex') : value;
  });
}
