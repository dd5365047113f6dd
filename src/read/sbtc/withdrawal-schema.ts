import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { type Static, Type } from 'typebox';
import { type WithdrawalStatus, withdrawalStatuses } from '../../chain/sbtc/withdrawal-status.ts';
import { BlockPosition, renderBlockPosition } from '../events/event-position-schema.ts';
import type { EventPositionRow } from '../events/positions-queries.ts';
import { BoundedCursorList } from '../pages/cursor-list-schema.ts';
import { bitcoinOutputOf, outputTypes } from './bitcoin-recipient.ts';
import { renderWithdrawalBitcoin, WithdrawalBitcoin } from './bitcoin-schema.ts';
import { renderSweep, type SweepRow, WithdrawalSweep } from './sweep-schema.ts';
import type { WithdrawalRow } from './withdrawals-queries.ts';

/** The signers reject a request that is more than this many Bitcoin blocks old. */
const expiryBlocks = 24;

export const statusNames = Object.keys(withdrawalStatuses) as WithdrawalStatus[];
const OptionalAmount = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const BitcoinOutput = Type.Object(
  {
    version: Type.String({ description: 'Version as the request names it; it may be empty, which means 0.' }),
    hashbytes: Type.String({ description: 'Hash as the request names it.' }),
    address: Type.Union([Type.String(), Type.Null()], { description: 'Bitcoin address; null if it is none.' }),
    type: Type.Enum(outputTypes, { description: 'Type of the output.' }),
  },
  { title: 'SbtcBitcoinRecipient' },
);

export const withdrawal = {
  request_id: Type.Integer({ description: 'Number of the request. A fork of Stacks may give it to another request.' }),
  status: Type.Enum(statusNames, { description: 'State of the withdrawal.' }),
  sender: Type.String({ description: 'Who requested it.' }),
  amount: Type.String({ description: 'Amount in satoshis that the recipient gets on Bitcoin.' }),
  max_fee: Type.String({
    description: 'Satoshis that the sender allows for the fee, and that are locked with the amount.',
  }),
  fee: OptionalAmount('Satoshis that the sweep cost; null unless accepted.'),
  refund: OptionalAmount(
    'Satoshis of sBTC that the sender got back: the unused fee of an accepted request, everything of a rejected one; null while pending.',
  ),
  recipient: BitcoinOutput,
  requested: Type.Object({
    tx_id: Type.String({ description: 'Id of the Stacks transaction of the request.' }),
    block: BlockPosition,
    bitcoin_height: Type.Integer({ description: 'Height of the Bitcoin chain at the request.' }),
  }),
  resolved: Type.Union(
    [
      Type.Object({
        tx_id: Type.String({ description: 'Id of the Stacks transaction that accepted or rejected it.' }),
        block: BlockPosition,
      }),
      Type.Null(),
    ],
    { description: 'How it ended; null while pending.' },
  ),
  sweep: Type.Union([WithdrawalSweep, Type.Null()], { description: 'The payment on Bitcoin; null unless accepted.' }),
  bitcoin: Type.Union([WithdrawalBitcoin, Type.Null()], {
    description: 'What a Bitcoin node says of the payment, if the service asks one; null if nothing is known.',
  }),
  expires_at_bitcoin_height: Type.Integer({
    description: 'Bitcoin height above which the signers reject the request if it is still pending.',
  }),
};

export const Withdrawal = Type.Object(withdrawal, { title: 'SbtcWithdrawal' });
export const WithdrawalList = BoundedCursorList(Withdrawal, 'SbtcWithdrawalList');

export function renderWithdrawal(row: EventPositionRow & WithdrawalRow, network: Network): Static<typeof Withdrawal> {
  const status = statusNames.find(name => withdrawalStatuses[name] === row.status)!;
  const { version, hash, fee, request_burn_height: bitcoin_height } = row;
  return {
    request_id: row.request_id,
    status,
    sender: principalFromBytes(row.sender),
    amount: row.amount,
    max_fee: row.max_fee,
    fee,
    refund: refundOf(row, status),
    recipient: {
      version: toHex(version < 0 ? new Uint8Array(0) : Uint8Array.of(version)),
      hashbytes: toHex(hash),
      ...bitcoinOutputOf({ version, hash }, network),
    },
    requested: { tx_id: toHex(row.tx_id), block: renderBlockPosition(row), bitcoin_height },
    resolved: row.outcome_tx_id && { tx_id: toHex(row.outcome_tx_id), block: outcomeBlock(row) },
    sweep: row.sweep_tx_id && { ...renderSweep(row as SweepRow), vout: row.vout! },
    bitcoin: renderWithdrawalBitcoin(row),
    expires_at_bitcoin_height: bitcoin_height + expiryBlocks,
  };
}

function refundOf({ amount, max_fee, fee }: WithdrawalRow, status: WithdrawalStatus): string | null {
  if (status === 'pending') return null;
  return String(status === 'rejected' ? BigInt(amount) + BigInt(max_fee) : BigInt(max_fee) - BigInt(fee ?? max_fee));
}

const outcomeBlock = (row: WithdrawalRow) =>
  renderBlockPosition({
    height: row.outcome_height,
    block_hash: row.outcome_block_hash,
    index_hash: row.outcome_index_hash,
    block_time: row.outcome_time,
    burn_time: row.outcome_burn_time,
    tx_index: row.outcome_tx_index,
  });
