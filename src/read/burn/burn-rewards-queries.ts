import { totalOfPage } from '../../compat/page-total.ts';
import type { Sql } from '../../db/client.ts';
import type { BlockKey } from '../blocks/blocks-queries.ts';

/** A payment that a burn block made to an address. */
export type BurnRewardRow = {
  burn_hash: Buffer;
  burn_height: number;
  burn_amount: bigint;
  address: string;
  amount: bigint;
  reward_index: number;
};

/** An address that could be paid in a burn block. */
export type BurnSlotRow = { burn_hash: Buffer; burn_height: number; address: string; slot_index: number };

/** An output of a block commit to a reward address. */
export type PoxOutputRow = {
  burn_hash: Buffer;
  burn_height: number;
  tx_id: Buffer;
  address: string;
  utxo_index: number;
  amount: bigint;
  /** '' where the node did not tell. */
  payer: string;
};

type Paging = { limit: number; offset: number };
type Listed<T> = { total: number; rows: T[] };

/** Newest first, the last of a block first; of one address or of all. */
export async function listBurnRewards(sql: Sql, page: Paging, address?: string): Promise<BurnRewardRow[]> {
  return await sql<BurnRewardRow[]>`
    select b.hash as burn_hash, b.height as burn_height, b.burn_amount, r.address, r.amount, r.reward_index
    from (
      select r.height, r.reward_index, r.address, r.amount
      from burn_rewards r
      ${address === undefined ? sql`` : sql`where r.address = ${address}`}
      order by r.height desc, r.reward_index desc
      limit ${page.limit}
      offset ${String(page.offset)}::bigint
    ) r
    join burn_blocks b on b.height = r.height
    order by r.height desc, r.reward_index desc
  `;
}

/** All that burn blocks paid to an address, in satoshis. */
export async function sumBurnRewards(sql: Sql, address: string): Promise<bigint> {
  const [row] = await sql<{ amount: string }[]>`
    select t.reward_amount::text as amount from burn_address_totals t where t.address = ${address}
  `;
  return BigInt(row?.amount ?? 0);
}

/** Newest first, the last slot of a block first; an empty page has a total of 0. */
export async function listBurnSlots(sql: Sql, page: Paging, address?: string): Promise<Listed<BurnSlotRow>> {
  const rows = await sql<(BurnSlotRow & { total: number })[]>`
    select b.hash as burn_hash, b.height as burn_height, s.address, s.slot_index, t.slots as total
    from (
      select s.height, s.slot_index, s.address
      from burn_slots s
      ${address === undefined ? sql`` : sql`where s.address = ${address}`}
      order by s.height desc, s.slot_index desc
      limit ${page.limit}
      offset ${String(page.offset)}::bigint
    ) s
    join burn_blocks b on b.height = s.height
    join burn_address_totals t on t.address = ${address ?? ''}
    order by s.height desc, s.slot_index desc
  `;
  return { total: totalOfPage(rows), rows };
}

/** Outputs to an address, newest first; of one burn block by id. */
export async function listPoxOutputsTo(sql: Sql, address: string, page: Paging): Promise<Listed<PoxOutputRow>> {
  const rows = await sql<(PoxOutputRow & { total: number })[]>`
    select b.hash as burn_hash, b.height as burn_height, o.tx_id, o.address, o.utxo_index, o.amount, o.payer,
      t.pox_outputs as total
    from (
      select o.height, o.tx_id, o.address, o.utxo_index, o.amount, o.payer
      from burn_pox_outputs o
      where o.address = ${address}
      order by o.height desc, o.tx_id, o.utxo_index
      limit ${page.limit}
      offset ${String(page.offset)}::bigint
    ) o
    join burn_blocks b on b.height = o.height
    join burn_address_totals t on t.address = ${address}
    order by o.height desc, o.tx_id, o.utxo_index
  `;
  return { total: totalOfPage(rows), rows };
}

/** Outputs of a burn block by id; undefined when there is no such block. A block has few. */
export async function listPoxOutputsOf(
  sql: Sql,
  key: BlockKey,
  page: Paging,
): Promise<Listed<PoxOutputRow> | undefined> {
  const [block] = await sql<{ height: number }[]>`select b.height from (${burnBlockOf(sql, key)}) b`;
  if (!block) return undefined;
  const rows = await sql<(PoxOutputRow & { total: number })[]>`
    select b.hash as burn_hash, b.height as burn_height, o.tx_id, o.address, o.utxo_index, o.amount, o.payer,
      count(*) over ()::int as total
    from burn_pox_outputs o
    join burn_blocks b on b.height = o.height
    where o.height = ${block.height}
    order by o.tx_id, o.utxo_index
    limit ${page.limit}
    offset ${String(page.offset)}::bigint
  `;
  return { total: totalOfPage(rows), rows: [...rows] };
}

function burnBlockOf(sql: Sql, key: BlockKey) {
  if (key === 'latest') return sql`select b.height from burn_blocks b order by b.height desc limit 1`;
  if ('height' in key) return sql`select b.height from burn_blocks b where b.height = ${key.height}`;
  return sql`
    select b.height
    from burn_blocks b
    where substring(b.hash from 1 for 8) = ${key.hash.subarray(0, 8)} and b.hash = ${key.hash}
  `;
}
