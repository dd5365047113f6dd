import { arrayLiteral, type Sql } from '../../db/client.ts';

/** A block proposal; times of arrival are Unix milliseconds. */
export type ProposalRow = {
  received: number;
  /** Unix seconds, from the header. */
  time: number;
  cycle: number;
  height: number;
  burn_height: number;
  hash: Buffer;
  index_hash: Buffer;
  pushed: number | null;
  /** The canonical block of its height, and the height of the tip. */
  block_hash: Buffer | null;
  tip: number;
};

/** The first response of a signer to a proposal. */
export type ResponseRow = {
  hash: Buffer;
  slot: number;
  accepted: boolean;
  received: number;
  /** 8 bytes of the signature. */
  signature: bigint;
  version: string;
  reason: string;
  /** Codes are -1 where there is none. */
  code: number;
  detail: number;
  validation: number;
};

const columns = (sql: Sql) => sql`
  p.received::float8 as received, p.time::float8 as time, p.cycle, p.height, p.burn_height, p.hash, p.index_hash,
  u.received::float8 as pushed, b.hash as block_hash, f.height as tip
`;

const joins = (sql: Sql) => sql`
  cross join fold_position f
  left join signer_pushes u on u.hash = p.hash
  left join blocks b on b.height = p.height
`;

/** Newest arrival first. */
export async function listProposals(sql: Sql, limit: number, offset: number): Promise<ProposalRow[]> {
  return await sql<ProposalRow[]>`
    select ${columns(sql)}
    from (
      select p.* from signer_proposals p order by p.received desc, p.hash desc limit ${limit} offset ${offset}
    ) p
    ${joins(sql)}
    order by p.received desc, p.hash desc
  `;
}

/** Proposals by the hashes of their blocks, in no order. */
export async function findProposals(sql: Sql, hashes: readonly Uint8Array[]): Promise<ProposalRow[]> {
  if (hashes.length === 0) return [];
  return await sql<ProposalRow[]>`
    select ${columns(sql)}
    from signer_proposals p
    ${joins(sql)}
    where p.hash = any (${arrayLiteral(hashes)}::bytea[])
  `;
}

/** Responses to blocks of the signers of their cycles; each cycle shares its slots with those of the same parity. */
export async function listResponses(
  sql: Sql,
  blocks: readonly { hash: Uint8Array; cycle: number }[],
): Promise<ResponseRow[]> {
  if (blocks.length === 0) return [];
  return await sql<ResponseRow[]>`
    select r.hash, r.slot, r.accepted, r.received::float8 as received, r.signature, coalesce(v.text, '') as version,
      coalesce(n.text, '') as reason, r.code, r.detail, r.validation
    from unnest(
      ${arrayLiteral(blocks.map(({ hash }) => hash))}::bytea[],
      ${arrayLiteral(blocks.map(({ cycle }) => cycle))}::int[]
    ) as p (hash, cycle)
    join signer_responses r on r.hash = p.hash and r.parity = p.cycle % 2
    left join signer_texts v on v.id = r.version
    left join signer_texts n on n.id = r.reason
  `;
}

/** Hashes of proposals that steps of the journal changed: those after one number, up to another. */
export async function listChangedProposals(sql: Sql, after: number, upTo: number, limit: number) {
  return await sql<{ seq: number; hash: Buffer }[]>`
    select c.seq::float8 as seq, c.hash
    from signer_changes c
    where c.seq > ${String(after)}::bigint and c.seq <= ${String(upTo)}::bigint
    order by c.seq, c.hash
    limit ${limit}
  `;
}
