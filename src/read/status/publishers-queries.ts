import type { Sql } from '../../db/client.ts';

/** How far the publisher of a stream of a broker is. */
export type PublisherStanding = {
  stream: string;
  /** `publishing`, `failing` or `stopped`. */
  state: 'publishing' | 'failing' | 'stopped';
  trouble: string | null;
  height: number;
  backlog: number;
  messages: number;
  failing_seconds: number;
  published_at: Date | null;
};

/**
 * All streams by name. A stream whose publisher was stopped has no lease; one whose publisher is gone without a word, and that
 * nobody has taken over, has an old one.
 */
export async function listPublisherStandings(sql: Sql): Promise<PublisherStanding[]> {
  return await sql<PublisherStanding[]>`
    select p.stream,
      case
        when p.lease is null then 'stopped'
        when p.trouble is not null or p.lease_until < now() then 'failing'
        else 'publishing'
      end as state,
      case when p.lease is not null then p.trouble end as trouble, p.height,
      greatest(0, coalesce((select f.height from fold_position f), 0) - greatest(0, p.height)) as backlog,
      p.messages::float8 as messages,
      case
        when p.lease is null then 0
        else greatest(0, extract(epoch from now() - least(p.failing_since, p.lease_until)))
      end::float8 as failing_seconds,
      p.published_at
    from publishers p
    order by p.stream
  `;
}
