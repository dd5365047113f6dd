-- What the Rosetta API asks of the tables.

-- Which locks end at a burn height.
create index stx_locks_unlock on stx_locks (unlock_height);

-- How many blocks were added to the chain or taken from it, up to and with each step: the numbers of block events.
alter table journal add column block_events bigint not null default 0;

update journal j
set block_events = n.block_events
from (
  select s.seq, sum(s.events) over (order by s.seq) as block_events
  from (
    -- A step back took every block between the tip before and the tip after; the first step had none before it.
    select j.seq, case j.kind when 1 then 1 when 2 then coalesce(t.height - greatest(j.height, 0), 0) else 0 end as events
    from journal j
    left join lateral (
      select b.height from journal b where b.seq < j.seq and b.kind in (1, 2) order by b.seq desc limit 1
    ) t on j.kind = 2
  ) s
) n
where n.seq = j.seq;

-- A page of block events is a range of these numbers.
create index journal_block_events on journal (block_events, seq) where kind in (1, 2);
