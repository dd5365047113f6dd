-- Prints of pox-5 by the bond or the cycle that they belong to, and what block commits burned in all. Claims of signers
-- (`claim-rewards`) that were folded before are known after a rebuild; no network had them when this was written.

create table staking_events (
  height int not null,
  event_index int not null,
  bond int not null,              -- -1 when none
  cycle int not null,             -- -1 when none
  staker int not null,            -- 0 when none
  place smallint not null,
  topic smallint not null,        -- src/chain/pox/staking-topic.ts
  primary key (height, place, event_index)
);
create index staking_events_bond on staking_events (bond, height, place, event_index) where bond >= 0; -- events of a bond
create index staking_events_cycle on staking_events (cycle, topic) where cycle >= 0;                   -- rewards of a cycle

insert into staking_events (height, event_index, bond, cycle, staker, place, topic)
select b.height, b.event_index, b.bond, -1, 0, b.place, 1 from staking_bonds b
union all
select a.height, a.event_index, a.bond, -1, a.staker, a.place, 2 from staking_allowances a
union all
select p.height, p.event_index, p.bond, -1, p.staker, p.place, case p.cause when 4 then 3 when 5 then 4 when 7 then 5 else 6 end
from staking_positions p
where p.cause >= 4
union all
select d.height, d.event_index, d.bond, d.cycle, 0, d.place, case when d.bond >= 0 then 7 else 9 end from staking_distributions d
union all
select c.height, c.event_index, c.bond, -1, c.staker, c.place, 8 from staking_claims c;

-- Of the row of everybody.
alter table burn_address_totals add burn_amount numeric not null default 0;

insert into burn_address_totals as t (address, slots, pox_outputs, reward_amount, burn_amount)
select '', 0, 0, 0, b.amount
from (select sum(b.burn_amount) as amount from burn_blocks b) b
where b.amount > 0
on conflict (address) do update
set burn_amount = excluded.burn_amount;
