import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { decodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { type Static, Type } from 'typebox';
import {
  BitcoinBlockPosition,
  BlockPosition,
  renderBitcoinBlockPosition,
  renderBlockPosition,
} from '../events/event-position-schema.ts';
import type { DeployedContractRow } from './deployed-contracts-queries.ts';

export const DeployedContract = Type.Object(
  {
    contract_id: Type.String({ description: 'Contract identifier: `ADDRESS.NAME`.' }),
    clarity_version: Type.Union([Type.Integer(), Type.Null()], { description: 'Clarity version; null if unknown.' }),
    tx_id: Type.String({ description: 'Id of the transaction that deployed the contract.' }),
    block: BlockPosition,
    bitcoin_block: BitcoinBlockPosition,
    source_code: Type.Optional(Type.String({ description: 'Source code. Present only with `include=source_code`.' })),
  },
  { title: 'DeployedContract' },
);
export type DeployedContract = Static<typeof DeployedContract>;

export const renderDeployedContract = (row: DeployedContractRow, withSource = false): DeployedContract => ({
  contract_id: principalFromBytes(row.name),
  clarity_version: row.clarity_version || versionOf(row.abi),
  tx_id: toHex(row.tx_id),
  block: renderBlockPosition(row),
  bitcoin_block: renderBitcoinBlockPosition(row),
  ...(withSource && { source_code: sourceOf(row.raw) }),
});

/** The version that the node resolved where the payload declares none: `Clarity2` in the interface. */
function versionOf(abi: string): number | null {
  const version = /"clarity_version"\s*:\s*"Clarity(\d+)"/.exec(abi)?.[1];
  return version === undefined ? null : Number(version);
}

function sourceOf(raw: Buffer): string {
  const { payload } = decodeTransaction(raw);
  return 'source' in payload ? Buffer.from(payload.source).toString('utf8') : '';
}
