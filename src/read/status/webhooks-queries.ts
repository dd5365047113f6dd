import type { Sql } from '../../db/client.ts';

/** How far a webhook is, without what only operators may see. */
export type WebhookStanding = {
  name: string;
  /** `active`, `failing`, `paused`, `disabled` or `expired`. */
  state: 'active' | 'failing' | 'paused' | 'disabled' | 'expired';
  /** It belongs to the owner of a key, and not to the operator. */
  owned: boolean;
  height: number;
  backlog: number;
  failing_seconds: number;
  delivered_at: Date | null;
};

/** All webhooks by name. */
export async function listWebhookStandings(sql: Sql): Promise<WebhookStanding[]> {
  return await sql<WebhookStanding[]>`
    select w.name, case when w.state = 'active' and w.failures > 0 then 'failing' else w.state end as state, w.height,
      greatest(0, coalesce((select f.height from fold_position f), 0) - greatest(0, w.height)) as backlog,
      coalesce(extract(epoch from now() - w.failing_since), 0)::float8 as failing_seconds, w.delivered_at,
      exists (select from chainhooks c where c.hook = w.id and c.owner is not null) as owned
    from webhooks w
    order by w.name
  `;
}
