import type { Sql } from '../../db/client.ts';

/** A contract with where it was deployed. */
export type DeployedContractRow = {
  name: Buffer;
  /** 0 where the payload has none. */
  clarity_version: number;
  /** '' where the node gave none. */
  abi: string;
  raw: Buffer;
  tx_id: Buffer;
  height: number;
  tx_index: number;
  block_hash: Buffer;
  index_hash: Buffer;
  block_time: number;
  burn_height: number;
  burn_time: number;
};

/** What `DeployedContractRow` needs of a contract `c`. */
export const deployedColumns = (sql: Sql) => sql`
  p.name, c.clarity_version, c.abi, t.raw, t.tx_id, t.height, t.tx_index, b.hash as block_hash, b.index_hash,
  b.time as block_time, b.burn_height, b.burn_time
`;

export const deployedJoins = (sql: Sql) => sql`
  join principals p on p.id = c.contract
  join transactions t on t.height = c.height and t.place = c.place
  join blocks b on b.height = c.height
`;

/** A contract whose deploy succeeded. */
export async function findDeployedContract(sql: Sql, name: Uint8Array): Promise<DeployedContractRow | undefined> {
  const [row] = await sql<DeployedContractRow[]>`
    select ${deployedColumns(sql)}
    from contracts c
    ${deployedJoins(sql)}
    where c.contract = (select n.id from principals n where n.name = ${name})
  `;
  return row;
}
