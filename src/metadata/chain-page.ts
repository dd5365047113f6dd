import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { eventCodes } from '../chain/event.ts';
import { readSftMint, sftMintMarker } from '../chain/tokens/sft-mint.ts';
import { type TokenContract, tokenContractOf } from '../chain/tokens/token-class.ts';
import { readTokenNotification, tokenClasses, updateModes } from '../chain/tokens/token-notification.ts';
import type { Pool, Sql } from '../db/client.ts';

/** What some blocks say about tokens. Contracts are named by the hex digits of their compact principal. */
export type ChainPage = {
  /** The last block before the page, and the last block of it. */
  after: Cursor;
  to: Cursor;
  contracts: { name: string; principal: string; class: number; asset: string | undefined; height: number }[];
  /** New or changed tokens of NFT and SFT contracts. */
  mints: { name: string; class: number; number: string; height: number }[];
  /** FT contracts whose supply changed. */
  supplies: string[];
  notices: NoticeRow[];
};

export type Cursor = { height: number; indexHash: Buffer };

export type NoticeRow = {
  name: string;
  class: number;
  height: number;
  place: number;
  event_index: number;
  mode: number;
  ttl: string | undefined;
  numbers: string[] | undefined;
};

/** Where discovery must continue: a page of blocks, or a fork that its position is not on. */
export type NextStep = { page: ChainPage } | { fork: Cursor; after: Cursor } | undefined;

/** Bounds of a page: enough to be fast, few enough to be small. */
const maxTransactions = 4_000;
const maxBlocks = 2_000;

/** Milliseconds for which discovery leaves the machine to the fold while events wait for it. */
export const patienceMs = 30_000;

type PositionRow = {
  height: number;
  index_hash: Buffer;
  tip: number;
  bulk: boolean;
  behind: boolean;
  forked: boolean;
};

/** Reads the next page in one snapshot; undefined if there is none yet, or if the fold should go first. */
export async function readNextStep(sql: Pool, impatient: boolean): Promise<NextStep> {
  return await sql.begin('isolation level repeatable read read only', async tx => {
    const [position] = await tx<PositionRow[]>`
      select d.height, d.index_hash, p.height as tip, p.bulk, p.event_id < h.last_id as behind,
        d.height > 0 and not exists (
          select 1 from blocks b where b.height = d.height and b.index_hash = d.index_hash
        ) as forked
      from token_discovery d, fold_position p, event_log_head h
    `;
    if (!position || position.bulk || (position.behind && !impatient)) return undefined;
    const after: Cursor = { height: position.height, indexHash: position.index_hash };
    if (position.forked) return { fork: await findFork(tx, after), after };
    if (position.tip <= position.height) return undefined;
    return { page: await readPage(tx, after, position.tip) };
  });
}

async function readPage(sql: Sql, after: Cursor, tip: number): Promise<ChainPage> {
  const to = await lastOfPage(sql, after.height, tip);
  const range = { from: after.height + 1, to: to.height };
  const [contracts, mints, sftMints, supplies, notices] = [
    await listContracts(sql, range),
    await listNftMints(sql, range),
    await listSftMints(sql, range),
    await listSupplies(sql, range),
    await listNotices(sql, range),
  ];
  return { after, to, contracts, mints: [...mints, ...sftMints], supplies, notices };
}

type Range = { from: number; to: number };

async function lastOfPage(sql: Sql, after: number, tip: number): Promise<Cursor> {
  const [row] = await sql<{ height: number; index_hash: Buffer }[]>`
    select b.height, b.index_hash
    from blocks b
    where b.height > ${after} and b.height <= least(${tip}::int, ${after + maxBlocks}::int)
      and b.tx_total <= ${maxTransactions} + coalesce((select p.tx_total from blocks p where p.height = ${after}), 0)
    order by b.height desc
    limit 1
  `;
  if (row) return { height: row.height, indexHash: row.index_hash };
  // One block has more: it is a page of its own. A chain that begins mid-way has its first block later.
  const [first] = await sql<{ height: number; index_hash: Buffer }[]>`
    select b.height, b.index_hash from blocks b where b.height > ${after} order by b.height limit 1
  `;
  return { height: first!.height, indexHash: first!.index_hash };
}

async function listContracts(sql: Sql, { from, to }: Range): Promise<ChainPage['contracts']> {
  const rows = await sql<{ name: Buffer; height: number; abi: string }[]>`
    select p.name, c.height, c.abi
    from contracts c
    join principals p on p.id = c.contract
    where c.height between ${from} and ${to} and c.abi <> ''
    order by c.height, c.place
  `;
  return rows.flatMap(({ name, height, abi }) => {
    const token: TokenContract | undefined = tokenContractOf(JSON.parse(abi));
    if (!token) return [];
    const { asset, tokenClass } = token;
    return [
      {
        name: name.toString('hex'),
        principal: principalFromBytes(name),
        class: tokenClasses[tokenClass],
        asset,
        height,
      },
    ];
  });
}

/** Native mints whose value is a uint: only such values can be arguments of `get-token-uri`. */
async function listNftMints(sql: Sql, { from, to }: Range): Promise<ChainPage['mints']> {
  const rows = await sql<{ name: Buffer; value: Buffer; height: number }[]>`
    select p.name, e.value, min(e.height) as height
    from events e
    join assets a on a.id = e.asset
    join principals p on p.id = a.contract
    where e.height between ${from} and ${to} and e.kind = ${eventCodes.nft_mint}
      and length(e.value) = 17 and get_byte(e.value, 0) = 1
    group by p.name, e.value
  `;
  return rows.flatMap(({ name, value, height }) => {
    const decoded = decodeClarity(value);
    if (decoded.type !== 'uint') return [];
    return [{ name: name.toString('hex'), class: tokenClasses.nft, number: String(decoded.value), height }];
  });
}

async function listSftMints(sql: Sql, { from, to }: Range): Promise<ChainPage['mints']> {
  const rows = await sql<{ name: Buffer; value: Buffer; height: number }[]>`
    select p.name, e.value, e.height
    from events e
    join principals p on p.id = e.asset
    where e.height between ${from} and ${to} and e.kind = ${eventCodes.print}
      and position(${Buffer.from(sftMintMarker)} in e.value) > 0
    order by e.height
  `;
  const found = new Map<string, ChainPage['mints'][number]>();
  for (const { name, value, height } of rows) {
    const number = readSftMint(value);
    const key = `${name.toString('hex')} ${number}`;
    if (number === undefined || found.has(key)) continue;
    found.set(key, { name: name.toString('hex'), class: tokenClasses.sft, number: String(number), height });
  }
  return [...found.values()];
}

async function listSupplies(sql: Sql, { from, to }: Range): Promise<string[]> {
  const rows = await sql<{ name: Buffer }[]>`
    select distinct p.name
    from events e
    join assets a on a.id = e.asset
    join principals p on p.id = a.contract
    where e.height between ${from} and ${to} and e.kind in (${eventCodes.ft_mint}, ${eventCodes.ft_burn})
  `;
  return rows.map(({ name }) => name.toString('hex'));
}

/** Seconds as the table stores them; what is longer than 34,000 years is cut. */
const storedTtl = (ttl: bigint) => String(BigInt.asUintN(40, ttl) === ttl ? ttl : (1n << 40n) - 1n);

async function listNotices(sql: Sql, { from, to }: Range): Promise<NoticeRow[]> {
  type Row = Pick<NoticeRow, 'height' | 'place' | 'event_index' | 'class'> & { name: Buffer; value: Buffer };
  const rows = await sql<Row[]>`
    select p.name, n.class, n.height, n.place, n.event_index, e.value
    from token_notifications n
    join principals p on p.id = n.contract
    join events e on e.height = n.height and e.place = n.place and e.event_index = n.event_index
    where n.height between ${from} and ${to} and n.valid
    order by n.height, n.place, n.event_index
  `;
  return rows.flatMap(({ name, value, ...row }) => {
    const notice = readTokenNotification(value);
    if (!notice) return [];
    const ttl = notice.ttl === undefined ? undefined : storedTtl(notice.ttl);
    const numbers = notice.tokenIds?.map(String);
    return [{ ...row, name: name.toString('hex'), mode: updateModes[notice.mode], ttl, numbers }];
  });
}

/** The last block that both the canonical chain and the branch of a position have; block 0 if that branch is not known. */
async function findFork(sql: Sql, { indexHash }: Cursor): Promise<Cursor> {
  const [row] = await sql<{ height: number; index_hash: Buffer | null }[]>`
    with recursive left_behind as (
      select t.height, t.parent
      from block_tree t
      where t.index_hash = ${indexHash}
      union all
      select t.height, t.parent
      from left_behind l
      join block_tree t on t.index_hash = l.parent and t.height = l.height - 1
      where not exists (select 1 from blocks b where b.height = l.height - 1 and b.index_hash = l.parent)
    ), fork as (
      select coalesce(min(l.height) - 1, 0) as height from left_behind l
    )
    select f.height, b.index_hash
    from fork f
    left join blocks b on b.height = f.height
  `;
  return row?.index_hash
    ? { height: row.height, indexHash: row.index_hash }
    : { height: 0, indexHash: Buffer.alloc(0) };
}
