import { decodeAccepted } from '@cairn-stacks/codec/transaction/transaction';
import { namedState } from '../../cache/tip-queries.ts';
import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import { payloadIdsOf } from '../../chain/transaction.ts';
import { firstPageByTrait, traitWindow } from '../../compat/trait-order.ts';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';
import { type AsOf, asOfBlock } from '../pages/as-of-queries.ts';
import { UnboundedList } from '../pages/unbounded-list-queries.ts';

/** A deployed contract with the transaction that deployed it. */
export type ContractRow = {
  /** Compact principal. */
  name: Buffer;
  tx_id: Buffer;
  height: number;
  /** 0 where the payload has none. */
  clarity_version: number;
  /** '' where the node gave none. */
  abi: string;
  raw: Buffer;
};

const contractColumns = (sql: Sql) => sql`p.name, t.tx_id, c.height, c.clarity_version, c.abi, t.raw`;

const contractJoins = (sql: Sql) => sql`
  join principals p on p.id = c.contract
  join transactions t on t.height = c.height and t.place = c.place
`;

export async function findContract(sql: Sql, name: Uint8Array): Promise<ContractRow | undefined> {
  const [row] = await sql<ContractRow[]>`
    select ${contractColumns(sql)}, ${namedState(sql)}
    from contracts c
    ${contractJoins(sql)}
    where c.contract = (select n.id from principals n where n.name = ${name})
  `;
  return row;
}

/** The deploy of a contract; where none of this name succeeded, the newest that failed, which has no interface. */
export async function findDeploy(sql: Sql, name: Uint8Array): Promise<ContractRow | undefined> {
  const deployed = await findContract(sql, name);
  if (deployed) return deployed;
  const [failed] = await sql<Omit<ContractRow, 'clarity_version' | 'abi'>[]>`
    select p.name, t.tx_id, t.height, t.raw
    from principals p
    join transactions t on t.target = p.id and t.target <> 0 and t.type in (${constant(sql, ...payloadIdsOf('smart_contract'))})
    where p.name = ${name} and t.height <= (select f.height from fold_position f)
    order by t.height desc, t.place desc
    limit 1
  `;
  return failed && { ...failed, clarity_version: clarityVersionOf(failed.raw), abi: '' };
}

function clarityVersionOf(raw: Uint8Array): number {
  const { payload } = decodeAccepted(raw);
  return payload.type === 'versioned_smart_contract' ? payload.clarityVersion : 0;
}

type PlacedContract = { contract: number; height: number; place: number };

/** Contracts that are passed over on the way to a page. */
const MAX_OFFSET = 20_000;

/**
 * Contracts that have all of these functions, newest block first; the numbers are those of `functionDigests`.
 * `src/compat/trait-order.ts` orders the first page.
 */
export async function listContractsByFunctions(
  sql: Sql,
  digests: bigint[],
  { limit, offset }: { limit: number; offset: number },
  maxOffset = MAX_OFFSET,
): Promise<ContractRow[]> {
  const matches = digests.length > 0 ? sql`and c.functions @> ${arrayLiteral(digests)}::int8[]` : sql``;
  if (offset > maxOffset) {
    const more = await sql`select 1 from contracts c where c.abi <> '' ${matches} offset ${maxOffset} limit 1`;
    if (more.length === 0) return [];
    throw new UnboundedList(
      `offset ${offset} is too large for this list, whose maximum is ${maxOffset}: ` +
        'narrow it by more functions of the trait',
    );
  }
  const newest = await sql<PlacedContract[]>`
    select c.contract, c.height, c.place
    from contracts c
    where c.abi <> '' ${matches}
    order by c.height desc, c.place
    limit ${offset === 0 ? traitWindow : limit}
    offset ${offset}
  `;
  const page = offset === 0 ? firstPageByTrait(newest, limit) : newest;
  return await sql<ContractRow[]>`
    select ${contractColumns(sql)}
    from unnest(${page.map(row => row.contract)}::int[]) with ordinality g (contract, rank)
    join contracts c on c.contract = g.contract
    ${contractJoins(sql)}
    order by g.rank
  `;
}

/** What became of a deploy; without a height it is pending. */
export type DeployRow = {
  name: Buffer;
  tx_id: Buffer;
  height: number | null;
  status: number;
  status_text: string | null;
};

/** The newest confirmed deploy of each of these contracts as of a block; one that failed counts until another succeeds. */
export async function listDeploys(sql: Sql, names: Uint8Array[], asOf: AsOf = 'tip'): Promise<DeployRow[]> {
  return await sql<DeployRow[]>`
    select p.name, d.tx_id, d.height, d.status, d.status_text
    from (${asOfBlock(sql, asOf)}) m
    cross join principals p
    left join contracts c on c.contract = p.id and c.height <= m.height
    cross join lateral (
      select t.tx_id, t.height, t.status, null as status_text
      from transactions t
      where t.height = c.height and t.place = c.place
      union all
      -- Nobody can call what was never deployed: of these there are few.
      (
        select t.tx_id, t.height, t.status, x.body
        from transactions t
        left join transaction_extras x on x.height = t.height and x.place = t.place and x.name = 'status'
        where c.contract is null and t.target = p.id and t.target <> 0 and t.type in (${constant(sql, ...payloadIdsOf('smart_contract'))})
          and t.height <= m.height
        order by t.height desc, t.place desc
        limit 1
      )
    ) d
    where p.name = any (${arrayLiteral(names)}::bytea[])
  `;
}

/** The newest pending deploy of each of these contracts. */
export async function listPendingDeploys(sql: Sql, names: Uint8Array[]): Promise<DeployRow[]> {
  return await sql<DeployRow[]>`
    select distinct on (m.target) p.name, m.tx_id, null as height, 0 as status, 'pending' as status_text
    from principals p
    join mempool m on m.target = p.id and m.target <> 0 and m.status = ${constant(sql, mempoolStatus.pending)}
    where p.name = any (${arrayLiteral(names)}::bytea[]) and m.type in (${constant(sql, ...payloadIdsOf('smart_contract'))})
    order by m.target, m.received_at desc
  `;
}
