import { type Static, Type } from 'typebox';
import { Block } from '../blocks/block-schema.ts';
import { MempoolTransaction } from '../mempool/mempool-transaction-schema.ts';
import { StxBalance } from '../principals/balance-schema.ts';
import { Transaction } from '../transactions/transaction-schema.ts';

const mined = {
  canonical: Type.Boolean({ description: 'False if a fork removed the block.' }),
  block_hash: Type.String(),
  burn_block_time: Type.Integer({ description: 'Time of the burn block in Unix seconds.' }),
  block_height: Type.Integer({ description: 'Height of the block.' }),
  tx_type: Type.String(),
};
const entity = <T extends string>(type: T) => ({ entity_id: Type.String(), entity_type: Type.Literal(type) });
const anyTransaction = Type.Optional(Type.Union([Transaction, MempoolTransaction]));

/** What a term names; `metadata` has all fields, where requested. */
export const SearchFound = Type.Object(
  {
    found: Type.Literal(true),
    result: Type.Union([
      Type.Object({ ...entity('tx_id'), tx_data: Type.Object(mined), metadata: Type.Optional(Transaction) }),
      Type.Object({
        ...entity('mempool_tx_id'),
        tx_data: Type.Object({ tx_type: Type.String() }),
        metadata: Type.Optional(MempoolTransaction),
      }),
      Type.Object({
        ...entity('block_hash'),
        block_data: Type.Object({
          canonical: Type.Boolean({ description: 'False if a fork removed the block.' }),
          hash: Type.String(),
          parent_block_hash: Type.String(),
          burn_block_time: Type.Integer({ description: 'Time of the burn block in Unix seconds.' }),
          height: Type.Integer(),
        }),
        metadata: Type.Optional(Block),
      }),
      Type.Object({
        ...entity('contract_address'),
        tx_data: Type.Object({
          ...Type.Partial(Type.Object(mined)).properties,
          tx_type: mined.tx_type,
          tx_id: Type.String(),
        }),
        metadata: anyTransaction,
      }),
      Type.Object({ ...entity('standard_address'), metadata: Type.Optional(StxBalance) }),
    ]),
  },
  { title: 'SearchFound' },
);
export type SearchFound = Static<typeof SearchFound>;

export const SearchMissed = Type.Object(
  {
    found: Type.Literal(false),
    result: Type.Object({
      entity_type: Type.Enum(['unknown_hash', 'standard_address', 'contract_address', 'invalid_term']),
    }),
    error: Type.String({ description: 'Why nothing was found.' }),
  },
  { title: 'SearchMissed' },
);

type Result = SearchFound['result'];

/** A transaction that a block holds. */
export function renderFoundTransaction(tx: Transaction, metadata: boolean): Result {
  return {
    entity_id: tx.tx_id,
    entity_type: 'tx_id',
    tx_data: minedData(tx),
    ...(metadata && { metadata: tx }),
  };
}

export const renderFoundWaiting = (tx: MempoolTransaction, metadata: boolean): Result => ({
  entity_id: tx.tx_id,
  entity_type: 'mempool_tx_id',
  tx_data: { tx_type: tx.tx_type },
  ...(metadata && { metadata: tx }),
});

export const renderFoundBlock = (block: Block, metadata: boolean): Result => ({
  entity_id: block.hash,
  entity_type: 'block_hash',
  block_data: {
    canonical: block.canonical,
    hash: block.hash,
    parent_block_hash: block.parent_block_hash,
    burn_block_time: block.burn_block_time,
    height: block.height,
  },
  ...(metadata && { metadata: block }),
});

/** A contract by the transaction that deploys it, mined or pending. */
export const renderFoundContract = (
  contract: string,
  tx: Transaction | MempoolTransaction,
  metadata: boolean,
): Result => ({
  entity_id: contract,
  entity_type: 'contract_address',
  tx_data: { tx_type: tx.tx_type, tx_id: tx.tx_id, ...('block_hash' in tx && minedData(tx)) },
  ...(metadata && { metadata: tx }),
});

export const renderFoundAccount = (address: string, balance: StxBalance | undefined): Result => ({
  entity_id: address,
  entity_type: 'standard_address',
  ...(balance && { metadata: balance }),
});

const minedData = ({ canonical, block_hash, burn_block_time, block_height, tx_type }: Transaction) => ({
  canonical,
  block_hash,
  burn_block_time,
  block_height,
  tx_type,
});
