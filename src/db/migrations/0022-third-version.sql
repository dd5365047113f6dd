-- What lists of the third version are read by: transfers of an account, rewards of a miner, who has how much of a token.

-- Events that credited or debited an account. The events are in `events`.
create table transfers (
  principal int not null,
  asset int not null,             -- a fungible token; 0: STX that came, -1: STX that went
  height int not null,
  event_index int not null,
  seq int not null,               -- n-th of its list
  place smallint not null,
  primary key (principal, asset, height, place, event_index)
);
create index transfers_height on transfers using brin (height) with (pages_per_range = 16);

insert into transfers (principal, asset, height, event_index, seq, place)
select s.principal, s.asset, s.height, s.event_index,
  row_number() over (partition by s.principal, s.asset order by s.height, s.place, s.event_index), s.place
from (
  select e.recipient as principal, 0 as asset, e.height, e.place, e.event_index
  from events e
  where e.kind between 1 and 3 and e.recipient <> 0
  union all
  select e.sender, -1, e.height, e.place, e.event_index
  from events e
  where e.kind between 1 and 3 and e.sender <> 0
  union all
  select e.sender, e.asset, e.height, e.place, e.event_index
  from events e
  where e.kind between 5 and 7 and e.sender <> 0
  union all
  select e.recipient, e.asset, e.height, e.place, e.event_index
  from events e
  where e.kind between 5 and 7 and e.recipient <> 0 and e.recipient <> e.sender
) s;

-- What a miner was paid up to and with each block that paid it; rewards of nothing do not count.
create table miner_reward_totals (
  recipient int not null,
  height int not null,
  rewards int not null,
  coinbase numeric not null,
  fees numeric not null,
  primary key (recipient, height)
);
create index miner_reward_totals_height on miner_reward_totals using brin (height) with (pages_per_range = 16);

insert into miner_reward_totals (recipient, height, rewards, coinbase, fees)
select r.recipient, r.height, sum(count(*)) over w, sum(sum(r.coinbase)) over w,
  sum(sum(r.fees_anchored + r.fees_confirmed + r.fees_produced)) over w
from miner_rewards r
where r.coinbase + r.fees_anchored + r.fees_confirmed + r.fees_produced > 0
group by r.recipient, r.height
window w as (partition by r.recipient order by r.height);

-- How many have more than nothing of an asset.
alter table asset_totals add funded int not null default 0;

update asset_totals t
set funded = n.funded
from (
  select c.asset, c.height, sum(sum(c.change)) over (partition by c.asset order by c.height) as funded
  from (
    select b.asset, b.height,
      (b.balance > 0)::int - (coalesce(lag(b.balance) over (partition by b.principal, b.asset order by b.height), 0) > 0)::int
        as change
    from (
      select b.principal, b.asset, b.height, coalesce(b.received, 0) - coalesce(b.sent, 0) as balance
      from ft_balances b
      union all
      select b.principal, 0, b.height,
        coalesce(b.received, 0) + coalesce(b.rewards, 0) - coalesce(b.sent, 0) - coalesce(b.fees, 0)
      from stx_balances b
    ) b
  ) c
  group by c.asset, c.height
) n
where n.asset = t.asset and n.height = t.height;
