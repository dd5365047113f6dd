import { eventCodes, ftMoves, nftMoves } from '../chain/event.ts';
import { constant, type Sql } from '../db/client.ts';
import { type Check, type Finding, maxFindings } from './finding.ts';

type Wrong = { subject: string; stored: string; counted: string };

/** Counters that lists show equal the counted rows. */
function counter(name: string, wrong: (sql: Sql, from: number, to: number) => Promise<Wrong[]>): Check {
  return {
    name,
    async run({ sql, from, to }) {
      const rows = await wrong(sql, from, to);
      return rows.map(
        ({ subject, stored, counted }): Finding => ({
          check: name,
          subject,
          message: `${stored} is written, ${counted} counted`,
        }),
      );
    },
  };
}

export const transactionTotals = counter(
  'transaction totals',
  (sql, from, to) => sql<Wrong[]>`
    select 'block ' || b.height as subject, (b.tx_total - coalesce(l.tx_total, 0))::text as stored,
      count(t.place)::text as counted
    from blocks b
    left join blocks l on l.height = b.height - 1
    left join transactions t on t.height = b.height
    where b.height between ${from} and ${to}
    group by b.height, b.tx_total, l.tx_total
    having b.tx_total - coalesce(l.tx_total, 0) <> count(t.place)
    limit ${maxFindings}
  `,
);

export const eventCounts = counter(
  'event counts',
  (sql, from, to) => sql<Wrong[]>`
    select 'transaction ' || t.place || ' of block ' || t.height as subject, t.event_count::text as stored,
      count(e.event_index)::text as counted
    from transactions t
    left join events e on e.height = t.height and e.place = t.place
    where t.height between ${from} and ${to}
    group by t.height, t.place, t.event_count
    having t.event_count <> count(e.event_index)
    limit ${maxFindings}
  `,
);

export const historyTotals = counter(
  'account histories',
  (sql, from, to) => sql<Wrong[]>`
    select 'account ' || h.principal || ' at block ' || h.height as subject, h.seq::text as stored,
      (h.below + 1)::text as counted
    from (
      select p.principal, p.height, p.seq,
        lag(p.seq) over (partition by p.principal order by p.height, p.place) as below
      from principal_transactions p
      where p.height between ${from} and ${to}
    ) h
    where h.below is not null and h.seq <> h.below + 1
    limit ${maxFindings}
  `,
);

export const logTotals = counter(
  'contract log totals',
  (sql, from, to) => sql<Wrong[]>`
    select 'contract ' || t.contract || ' at block ' || t.height as subject,
      (t.total - coalesce(l.total, 0))::text as stored, count(e.event_index)::text as counted
    from contract_log_totals t
    left join lateral (
      select b.total from contract_log_totals b
      where b.contract = t.contract and b.height < t.height
      order by b.height desc
      limit 1
    ) l on true
    left join events e on e.height = t.height and e.asset = t.contract and e.kind = ${constant(sql, eventCodes.print)}
    where t.height between ${from} and ${to}
    group by t.contract, t.height, t.total, l.total
    having t.total - coalesce(l.total, 0) <> count(e.event_index)
    limit ${maxFindings}
  `,
);

export const assetSupplies = counter(
  'token supplies',
  (sql, from, to) => sql<Wrong[]>`
    select 'asset ' || t.asset || ' at block ' || t.height as subject,
      (t.supply - coalesce(l.supply, 0))::text as stored, coalesce(s.amount, x.amount, 0)::text as counted
    from asset_totals t
    left join lateral (
      select b.supply from asset_totals b
      where b.asset = t.asset and b.height < t.height
      order by b.height desc
      limit 1
    ) l on true
    left join lateral (
      select sum(
        case e.kind
          when ${constant(sql, eventCodes.ft_mint)} then e.amount
          when ${constant(sql, eventCodes.ft_burn)} then -e.amount
          when ${constant(sql, eventCodes.nft_mint)} then 1
          when ${constant(sql, eventCodes.nft_burn)} then -1
          else 0
        end
      ) as amount
      from events e
      where t.asset <> 0 and e.height = t.height and e.asset = t.asset and e.kind in (${constant(sql, ...ftMoves, ...nftMoves)})
    ) s on true
    left join lateral (
      select
        coalesce((
          select sum(case e.kind when ${constant(sql, eventCodes.stx_mint)} then e.amount else -e.amount end)
          from events e
          where e.height = t.height and e.kind in (${constant(sql, eventCodes.stx_mint, eventCodes.stx_burn)})
        ), 0)
        - coalesce((select sum(x.fee) from transactions x where x.height = t.height), 0)
        + coalesce((
          select sum(r.coinbase + r.fees_anchored + r.fees_confirmed + r.fees_produced)
          from miner_rewards r
          where r.height = t.height
        ), 0) as amount
      where t.asset = 0
    ) x on true
    where t.height between ${from} and ${to}
      and t.supply - coalesce(l.supply, 0) <> coalesce(s.amount, x.amount, 0)
    limit ${maxFindings}
  `,
);

/** The ranked holders are the newest balances. */
export const holders = counter(
  'holders',
  sql => sql<Wrong[]>`
    with newest as (
      select 0 as asset, b.principal, b.balance
      from (
        select distinct on (b.principal) b.principal,
          coalesce(b.received, 0) + coalesce(b.rewards, 0) - coalesce(b.sent, 0) - coalesce(b.fees, 0) as balance
        from stx_balances b
        where b.height <= (select p.height from fold_position p)
        order by b.principal, b.height desc
      ) b
      union all
      select b.asset, b.principal, b.balance
      from (
        select distinct on (b.principal, b.asset) b.principal, b.asset,
          coalesce(b.received, 0) - coalesce(b.sent, 0) as balance
        from ft_balances b
        where b.height <= (select p.height from fold_position p)
        order by b.principal, b.asset, b.height desc
      ) b
    )
    select 'account ' || coalesce(h.principal, n.principal) || ', asset ' || coalesce(h.asset, n.asset) as subject,
      coalesce(h.balance, 0)::text as stored, coalesce(n.balance, 0)::text as counted
    from holders h
    full join newest n on n.asset = h.asset and n.principal = h.principal
    where h.balance is distinct from n.balance
    limit ${maxFindings}
  `,
);

/** The ranked holders of NFTs are the newest balances. */
export const nftHolders = counter(
  'NFT holders',
  sql => sql<Wrong[]>`
    select 'account ' || coalesce(h.principal, n.principal) || ', asset ' || coalesce(h.asset, n.asset) as subject,
      coalesce(h.balance, 0)::text as stored, coalesce(n.balance, 0)::text as counted
    from nft_holders h
    full join (
      select distinct on (b.principal, b.asset) b.principal, b.asset,
        coalesce(b.received, 0) - coalesce(b.sent, 0) as balance
      from nft_balances b
      where b.height <= (select p.height from fold_position p)
      order by b.principal, b.asset, b.height desc
    ) n on n.asset = h.asset and n.principal = h.principal
    where h.balance is distinct from n.balance
    limit ${maxFindings}
  `,
);

/** The owner of each NFT is the recipient of its newest event. */
export const owners = counter(
  'NFT owners',
  sql => sql<Wrong[]>`
    select 'asset ' || coalesce(c.asset, n.asset) || ' ' || encode(coalesce(c.value, n.value), 'hex') as subject,
      'account ' || coalesce(c.owner, -1) as stored, 'account ' || coalesce(n.recipient, -1) as counted
    from nft_current c
    full join (
      select distinct on (h.asset, h.value) h.asset, h.value, h.recipient
      from nft_history h
      where h.height <= (select p.height from fold_position p)
      order by h.asset, h.value, h.height desc, h.place desc, h.event_index desc
    ) n on n.asset = c.asset and n.value = c.value
    where c.owner is distinct from n.recipient
    limit ${maxFindings}
  `,
);
