import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { sbtcContract } from '../../chain/sbtc/registry.ts';
import { type SbtcEventRow, sbtcEventTypes } from './sbtc-events-queries.ts';

const nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const SbtcEvent = Type.Object(
  {
    type: Type.Enum(sbtcEventTypes),
    contract_id: Type.String({ description: 'The registry that printed it.' }),
    tx_id: Type.String({ description: 'Id of the Stacks transaction.' }),
    event_index: Type.Integer({ description: 'Index of the event in the transaction.' }),
    block_height: Type.Integer({ description: 'Height of the block.' }),
    principal: nullable(
      Type.String(),
      'Recipient of a deposit, sender of a withdrawal, account of the new signers, or the new contract; null if no mint tells it.',
    ),
    request_id: nullable(Type.Integer(), 'Number of the withdrawal; null for others.'),
    amount: nullable(Type.String(), 'Satoshis of the deposit or the withdrawal; null for others.'),
    fee: nullable(
      Type.String(),
      'Satoshis that the sweep of an accepted withdrawal cost; until then what the sender allows. Null for others.',
    ),
    output: nullable(
      Type.Object({ tx_id: Type.String(), vout: Type.Integer() }),
      'Output of Bitcoin that was deposited, or that pays an accepted withdrawal; null for others.',
    ),
    sweep: nullable(
      Type.Object({ tx_id: Type.String(), bitcoin_height: Type.Integer() }),
      'Bitcoin transaction of the signers; null without one.',
    ),
  },
  { title: 'SbtcEvent' },
);

export const renderSbtcEvent = (row: SbtcEventRow): Static<typeof SbtcEvent> => ({
  type: sbtcEventTypes[row.type - 1]!,
  contract_id: sbtcContract(row.registry, 'sbtc-registry'),
  tx_id: toHex(row.tx_id),
  event_index: row.event_index,
  block_height: row.height,
  principal: row.principal && principalFromBytes(row.principal),
  request_id: row.request_id,
  amount: row.amount,
  fee: row.fee,
  output: row.output_tx_id && { tx_id: toHex(row.output_tx_id), vout: row.vout! },
  sweep: row.sweep_tx_id && { tx_id: toHex(row.sweep_tx_id), bitcoin_height: row.burn_height! },
});
