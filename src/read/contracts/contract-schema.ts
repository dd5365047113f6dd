import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { decodeAccepted } from '@cairn-stacks/codec/transaction/transaction';
import { type Static, Type } from 'typebox';
import { statusName } from '../../chain/transaction.ts';
import { sourceText } from '../transactions/transaction-payload-schema.ts';
import type { ContractRow, DeployRow } from './contracts-queries.ts';

export const SmartContract = Type.Object(
  {
    tx_id: Type.String({ description: 'Id of the transaction that deploys the contract.' }),
    canonical: Type.Boolean({ description: 'Always true.' }),
    contract_id: Type.String({ description: 'Contract identifier: `ADDRESS.NAME`.' }),
    block_height: Type.Integer({ description: 'Height of the block of the deployment.' }),
    clarity_version: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Declared Clarity version; null if the transaction declares none.',
    }),
    source_code: Type.String({ description: 'Source code of the contract.' }),
    abi: Type.Union([Type.String(), Type.Null()], {
      description: 'The interface as JSON text; null if the deployment failed or the interface is unknown.',
    }),
  },
  { title: 'SmartContract' },
);

export const renderContract = (row: ContractRow): Static<typeof SmartContract> => ({
  tx_id: toHex(row.tx_id),
  canonical: true,
  contract_id: principalFromBytes(row.name),
  block_height: row.height,
  clarity_version: row.clarity_version === 0 ? null : row.clarity_version,
  source_code: sourceOf(row.raw),
  abi: row.abi === '' ? null : row.abi,
});

/** The source is stored once, in the bytes of the transaction. */
function sourceOf(raw: Uint8Array): string {
  const { payload } = decodeAccepted(raw);
  return 'source' in payload ? sourceText(payload.source) : '';
}

export const ContractStatus = Type.Union(
  [
    Type.Object({
      found: Type.Literal(true),
      result: Type.Object({
        contract_id: Type.String({ description: 'Contract identifier: `ADDRESS.NAME`.' }),
        status: Type.String({
          description: 'Status of the transaction that deploys the contract; `pending` until it is confirmed.',
        }),
        tx_id: Type.String({ description: 'Id of the transaction that deploys the contract.' }),
        block_height: Type.Optional(Type.Integer({ description: 'Height of the block; absent while pending.' })),
      }),
    }),
    Type.Object({ found: Type.Literal(false) }),
  ],
  { title: 'ContractStatus' },
);

export const renderContractStatus = (row: DeployRow): Static<typeof ContractStatus> => ({
  found: true,
  result: {
    contract_id: principalFromBytes(row.name),
    status: statusName(row.status) ?? row.status_text ?? 'unknown',
    tx_id: toHex(row.tx_id),
    ...(row.height !== null && { block_height: row.height }),
  },
});
