import { journalKinds } from '../chain/journal.ts';
import { outputKinds } from '../chain/sbtc/bitcoin-output.ts';
import { withdrawalStatuses } from '../chain/sbtc/withdrawal-status.ts';
import { constant, type Pool, type Sql } from '../db/client.ts';
import { sourceNumbers } from './source.ts';

/** Blocks that one look searches. */
const BLOCKS_AT_ONCE = 2_000;

type Position = { height: number; seq: string; tip: number; tip_seq: string; bulk: boolean; lowest: number | null };

/**
 * Requests what the next blocks tell of outputs; after a fork from there on again, because the other branch may name other
 * sweeps. Returns how many blocks it has searched.
 */
export async function discoverOutputs(sql: Pool, source: number): Promise<number> {
  await sql`
    insert into bitcoin_positions (source, height, seq)
    select ${source}, 0, f.journal_seq from fold_position f
    on conflict do nothing
  `;
  return await sql.begin(async tx => {
    const [position] = await tx<Position[]>`
      select p.height, p.seq::text, f.height as tip, f.journal_seq::text as tip_seq, f.bulk, (
        select min(j.height) from journal j where j.kind = ${constant(tx, journalKinds.rollback)} and j.seq > p.seq
      ) as lowest
      from bitcoin_positions p, fold_position f
      where p.source = ${source}
      for update of p
    `;
    if (!position || position.bulk) return 0;
    const { height, seq, tip, tip_seq: tipSeq, lowest } = position;
    if (seq === tipSeq && height >= tip) return 0;
    const after = Math.max(0, Math.min(height, lowest ?? height, tip));
    const to = Math.min(tip, after + BLOCKS_AT_ONCE);
    // A fork that comes between the two statements is later than this step: the next look goes back.
    await request(tx, source, { after, to });
    await tx`update bitcoin_positions p set height = ${Math.max(0, to)}, seq = ${tipSeq}::bigint where p.source = ${source}`;
    return Math.max(0, to - after);
  });
}

type Range = { after: number; to: number };

async function request(sql: Sql, source: number, { after, to }: Range): Promise<void> {
  const payments =
    source === sourceNumbers.node
      ? sql`
          union all
          select ${constant(sql, outputKinds.payment)}, s.sweep_tx_id, s.vout, s.sweep_tx_id, s.burn_hash, s.burn_height, s.amount, null
          from sbtc_withdrawal_states s
          where s.height > ${after} and s.height <= ${to} and s.status = ${constant(sql, withdrawalStatuses.accepted)}
        `
      : sql``;
  await sql`
    insert into bitcoin_jobs as o (
      source, kind, tx_id, vout, sweep_tx_id, sweep_burn_hash, burn_height, amount, recipient, due
    )
    select distinct on (f.kind, f.tx_id, f.vout) ${source}::int, f.kind, f.tx_id, f.vout, f.sweep_tx_id, f.burn_hash, f.burn_height, f.amount,
      f.recipient, now()
    from (
      select ${constant(sql, outputKinds.deposit)} as kind, d.tx_id, d.vout, d.sweep_tx_id, d.burn_hash, d.burn_height, d.amount,
        r.name as recipient
      from sbtc_deposits d
      left join principals r on r.id = d.recipient and d.recipient > 0
      where d.height > ${after} and d.height <= ${to}
      ${payments}
    ) f (kind, tx_id, vout, sweep_tx_id, burn_hash, burn_height, amount, recipient)
    order by f.kind, f.tx_id, f.vout
    on conflict (source, kind, tx_id, vout) do update
    set sweep_tx_id = excluded.sweep_tx_id, sweep_burn_hash = excluded.sweep_burn_hash, burn_height = excluded.burn_height,
      amount = excluded.amount, recipient = excluded.recipient, due = excluded.due, attempts = 0, lease = null
  `;
}
