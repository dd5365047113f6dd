import { tokenClasses } from '../chain/tokens/token-notification.ts';
import type { Sql } from '../db/client.ts';
import { jobKinds } from './job-queue.ts';

/** What an operator wants to know about token metadata. */
export type MetadataStatus = {
  /** The last block that was searched for tokens, and the tip of the index. */
  height: number;
  tip: number;
  contracts: { class: string; contracts: number; tokens: number }[];
  jobs: { kind: string; due: number; held: number; waiting: number }[];
  /** Tokens by the code of their error. */
  errors: { code: string; tokens: number }[];
};

const nameOf = (codes: Record<string, number>, code: number) =>
  Object.entries(codes).find(([, value]) => value === code)?.[0] ?? String(code);

/** Counts tokens, jobs and errors; it reads all of them, so it is for operators. */
export async function readMetadataStatus(sql: Sql): Promise<MetadataStatus> {
  const [position] = await sql<{ height: number; tip: number }[]>`
    select d.height, p.height as tip from token_discovery d, fold_position p
  `;
  const contracts = await sql<{ class: number; contracts: number; tokens: number }[]>`
    select c.class, count(distinct c.id)::int as contracts, count(t.contract)::int as tokens
    from token_contracts c
    left join tokens t on t.contract = c.id
    group by c.class
    order by c.class
  `;
  const jobs = await sql<{ kind: number; due: number; held: number; waiting: number }[]>`
    select j.kind,
      count(*) filter (where j.due <= now())::int as due,
      count(*) filter (where j.due > now() and j.lease is not null)::int as held,
      count(*) filter (where j.due > now() and j.lease is null)::int as waiting
    from token_jobs j
    group by j.kind
    order by j.kind
  `;
  const errors = await sql<{ code: string; tokens: number }[]>`
    select t.error_code as code, count(*)::int as tokens
    from tokens t
    where t.error_code is not null
    group by t.error_code
    order by 2 desc
  `;
  return {
    height: position?.height ?? 0,
    tip: position?.tip ?? -1,
    contracts: contracts.map(row => ({ ...row, class: nameOf(tokenClasses, row.class) })),
    jobs: jobs.map(row => ({ ...row, kind: nameOf(jobKinds, row.kind) })),
    errors: [...errors],
  };
}
