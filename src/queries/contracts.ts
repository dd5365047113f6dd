import { arrayLiteral, type Sql } from '../db/client.ts';

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
    select ${contractColumns(sql)}
    from contracts c
    ${contractJoins(sql)}
    where c.contract = (select n.id from principals n where n.name = ${name})
  `;
  return row;
}

/** Contracts that have all of these functions, newest first; the numbers are those of `functionDigests`. */
export async function listContractsByFunctions(
  sql: Sql,
  digests: bigint[],
  { limit, offset }: { limit: number; offset: number },
): Promise<ContractRow[]> {
  return await sql<ContractRow[]>`
    with page as (
      select c.contract
      from contracts c
      where c.abi <> '' ${digests.length > 0 ? sql`and c.functions @> ${arrayLiteral(digests)}::int8[]` : sql``}
      order by c.height desc, c.place
      limit ${limit}
      offset ${offset}
    )
    select ${contractColumns(sql)}
    from page g
    join contracts c on c.contract = g.contract
    ${contractJoins(sql)}
    order by c.height desc, c.place
  `;
}

/** What became of a deploy. */
export type DeployRow = { name: Buffer; tx_id: Buffer; height: number; status: number; status_text: string | null };

/** The newest confirmed deploy of each of these contracts; one that failed counts until another succeeds. */
export async function listDeploys(sql: Sql, names: Uint8Array[]): Promise<DeployRow[]> {
  return await sql<DeployRow[]>`
    select p.name, d.tx_id, d.height, d.status, d.status_text
    from principals p
    cross join lateral (
      select t.tx_id, t.height, t.status, x.body as status_text
      from transactions t
      left join transaction_extras x on x.height = t.height and x.place = t.place and x.name = 'status'
      where t.target = p.id and t.target <> 0 and t.type in (1, 6)
        and t.height <= (select f.height from fold_position f)
      order by t.status <> 1, t.height desc, t.place desc
      limit 1
    ) d
    where p.name = any (${arrayLiteral(names)}::bytea[])
  `;
}
