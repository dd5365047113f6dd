-- Who stakes with whom in which cycles, and what a share earned in them: rewards of pox-5 by principal and cycle. A position is
-- always (height, place, event_index).

-- From a cycle on, what a staker has: up to, not with, the end; nothing where the end is not above the first.
create table staking_terms (
  height int not null,
  event_index int not null,
  staker int not null,
  signer int not null,            -- the signer manager
  bond int not null,              -- -1 where STX alone are staked
  first_cycle int not null,
  end_cycle int not null,
  start_cycle int not null,       -- the first cycle of the lock, which an update keeps
  unlock_height int not null,     -- burn height
  lock_height int not null,       -- the position at which the lock began
  lock_index int not null,
  lock_place smallint not null,
  place smallint not null,
  l1 boolean not null,
  stx numeric not null,
  sats numeric not null,
  primary key (staker, height, place, event_index)
);
create index staking_terms_signer on staking_terms (signer, end_cycle);                   -- stakers of a signer
create index staking_terms_height on staking_terms using brin (height) with (pages_per_range = 16);         -- rollback

-- Micro-STX that all stakers of a signer have in a cycle, those in bonds too, after each block that changed them.
create table staking_signer_cycles (
  signer int not null,
  cycle int not null,
  height int not null,
  stakers int not null,
  stx numeric not null,
  primary key (signer, cycle, height)
);
create index staking_signer_cycles_height on staking_signer_cycles using brin (height) with (pages_per_range = 16); -- rollback

-- What a share of a cycle received with each calculation, in units of 10^-18 satoshis.
create table staking_rates (
  bond int not null,              -- -1 for stakers of STX alone
  cycle int not null,
  height int not null,
  event_index int not null,
  calculation_height int not null, -- burn height; -1 where not told
  place smallint not null,
  rate numeric not null,
  primary key (bond, cycle, height, place, event_index)
);
create index staking_rates_height on staking_rates using brin (height) with (pages_per_range = 16);         -- rollback

-- What signers fetched for their stakers.
create table staking_signer_claims (
  signer int not null,
  cycle int not null,
  bond int not null,              -- -1 for stakers of STX alone
  height int not null,
  event_index int not null,
  place smallint not null,
  sats numeric not null,
  primary key (signer, cycle, bond, height, place, event_index)
);
create index staking_signer_claims_height on staking_signer_claims using brin (height) with (pages_per_range = 16); -- rollback

-- The cycle and the signer of a claim.
alter table staking_claims add cycle int not null default -1, add signer int not null default 0;

-- Bitcoin that left a bond before its end.
create index staking_positions_exits on staking_positions (bond, height) where cause in (6, 7);

-- The history of a database that has folded blocks before: what pox-5 printed is in `events`.

-- Where a Clarity value ends that begins at a byte (SIP-005).
create function print_value_end(v bytea, at int) returns int language plpgsql immutable as $$
declare
  type int := get_byte(v, at);
  stop int;
  items int;
begin
  if type in (0, 1) then return at + 17; end if;
  if type in (3, 4, 9) then return at + 1; end if;
  if type = 5 then return at + 22; end if;
  if type = 6 then return at + 23 + get_byte(v, at + 22); end if;
  if type in (7, 8, 10) then return print_value_end(v, at + 1); end if;
  items := (get_byte(v, at + 1) << 24) + (get_byte(v, at + 2) << 16) + (get_byte(v, at + 3) << 8) + get_byte(v, at + 4);
  stop := at + 5;
  if type in (2, 13, 14) then return stop + items; end if;
  if type not in (11, 12) then raise exception 'no Clarity value has the type %', type; end if;
  for n in 1..items loop
    if type = 12 then stop := stop + 1 + get_byte(v, stop); end if;
    stop := print_value_end(v, stop);
  end loop;
  return stop;
end $$;

-- The entries of a tuple by name, each as the hex of its value; nothing for any other value.
create function print_entries(v bytea) returns jsonb language plpgsql immutable as $$
declare
  entries jsonb := '{}';
  at int := 5;
  size int;
  stop int;
begin
  if get_byte(v, 0) <> 12 then return entries; end if;
  while at < length(v) loop
    size := get_byte(v, at);
    stop := print_value_end(v, at + 1 + size);
    entries := entries || jsonb_build_object(
      convert_from(substring(v from at + 2 for size), 'UTF8'),
      encode(substring(v from at + 2 + size for stop - at - 1 - size), 'hex')
    );
    at := stop;
  end loop;
  return entries;
end $$;

-- A uint; null for any other value.
create function print_uint(entry text) returns numeric language plpgsql immutable as $$
declare
  v bytea := decode(entry, 'hex');
  sum numeric := 0;
begin
  if entry is null or get_byte(v, 0) <> 1 then return null; end if;
  for n in 1..16 loop sum := sum * 256 + get_byte(v, n); end loop;
  return sum;
end $$;

-- A number for an int column, as the fold stores it.
create function print_int(entry text) returns int language sql immutable as $$
  select least(print_uint(entry), 2147483647)::int
$$;

-- The bytes of a buffer or a string.
create function print_bytes(entry text) returns bytea language sql immutable as $$
  select case when left(entry, 2) in ('02', '0d') then substring(decode(entry, 'hex') from 6) end
$$;

-- A principal as `principals` has it.
create function print_principal(entry text) returns bytea language sql immutable as $$
  select case left(entry, 2)
    when '05' then substring(decode(entry, 'hex') from 2)
    when '06' then substring(decode(entry, 'hex') from 2 for 21) || '\x2e'::bytea || substring(decode(entry, 'hex') from 24)
  end
$$;

-- The items of a list with their numbers; nothing for any other value.
create function print_items(entry text) returns table (n int, item bytea) language plpgsql immutable as $$
declare
  v bytea := decode(entry, 'hex');
  at int := 5;
  stop int;
begin
  n := 0;
  if entry is null or get_byte(v, 0) <> 11 then return; end if;
  while at < length(v) loop
    stop := print_value_end(v, at);
    item := substring(v from at + 1 for stop - at);
    n := n + 1;
    return next;
    at := stop;
  end loop;
end $$;

-- The content of an optional; any other value as it is.
create function print_present(entry text) returns text language sql immutable as $$
  select case left(entry, 2) when '09' then null when '0a' then substring(entry from 3) else entry end
$$;

create temporary table staking_prints on commit drop as
select e.height, e.place, e.event_index, convert_from(print_bytes(f.entries ->> 'topic'), 'UTF8') as topic,
  (select coalesce(jsonb_object_agg(x.key, print_present(x.value)), '{}') from jsonb_each_text(f.entries) x) as entries
from (values
  (decode('160000000000000000000000000000000000000000', 'hex') || '.pox-5'::bytea),
  (decode('1a0000000000000000000000000000000000000000', 'hex') || '.pox-5'::bytea)
) as c (name)
join principals p on p.name = c.name
join events e on e.asset = p.id and e.kind = 11
cross join lateral (select print_entries(e.value) as entries) f
where f.entries ? 'topic';

update staking_claims c
set cycle = coalesce(print_int(x.entries ->> 'reward-cycle'), -1),
  signer = coalesce((select p.id from principals p where p.name = print_principal(x.entries ->> 'signer-manager')), 0)
from staking_prints x
where x.height = c.height and x.place = c.place and x.event_index = c.event_index;

insert into staking_signer_claims (signer, cycle, bond, height, event_index, place, sats)
select distinct on (q.id, x.height, x.place, x.event_index, r.bond) q.id, print_int(x.entries ->> 'reward-cycle'), r.bond, x.height,
  x.event_index, x.place, r.sats
from staking_prints x
join principals q on q.name = print_principal(x.entries ->> 'signer-manager')
cross join lateral (
  select 0 as n, -1 as bond, coalesce(print_uint(s.entries ->> 'earned'), 0) as sats
  from (select print_entries(decode(coalesce(x.entries ->> 'stx-rewards', '09'), 'hex')) as entries) s
  union all
  select i.n, print_int(b.entries ->> 'bond-index'), coalesce(print_uint(b.entries ->> 'earned'), 0)
  from print_items(x.entries ->> 'bond-rewards') i
  cross join lateral (select print_entries(i.item) as entries) b
  where b.entries ? 'bond-index'
) r
where x.topic = 'claim-rewards' and print_uint(x.entries ->> 'reward-cycle') is not null
order by q.id, x.height, x.place, x.event_index, r.bond, r.n;

-- What bonds received is printed before the calculation, which alone tells the cycle.
insert into staking_rates (bond, cycle, height, event_index, calculation_height, place, rate)
select d.bond, print_int(c.entries ->> 'stx-cycle'), d.height, d.event_index,
  coalesce(print_int(c.entries ->> 'calculation-height'), -1), d.place,
  case when d.shares > 0 then div(d.rewards * 1000000000000000000::numeric, d.shares) else 0 end
from staking_distributions d
cross join lateral (
  select c.entries
  from staking_prints c
  where c.height = d.height and c.place = d.place and c.event_index >= d.event_index and c.topic = 'calculate-rewards'
  order by c.event_index
  limit 1
) c
where print_uint(c.entries ->> 'stx-cycle') is not null;

-- Each term follows from the one before it.
do $$
declare
  x record;
  b staking_terms;
  first numeric;
  final numeric;
begin
  for x in
    select s.height, s.place, s.event_index, s.staker, s.signer, s.bond, s.cause, s.l1, s.stx, s.sats, s.unlock_height,
      print_uint(p.entries ->> 'first-reward-cycle') as first_cycle, print_uint(p.entries ->> 'unlock-cycle') as unlock_cycle,
      print_uint(p.entries ->> 'num-cycles') as cycles
    from staking_positions s
    join staking_prints p on p.height = s.height and p.place = s.place and p.event_index = s.event_index
    where s.cause <= 5 and s.signer > 0
    order by s.height, s.place, s.event_index
  loop
    first := case x.cause when 2 then x.unlock_cycle - x.cycles when 3 then x.unlock_cycle else x.first_cycle end;
    final := case x.cause when 5 then x.first_cycle + x.cycles else x.unlock_cycle end;
    continue when first is null or final is null or first < 0;
    select t.* into b
    from staking_terms t
    where t.staker = x.staker and x.cause not in (1, 4)
    order by t.height desc, t.place desc, t.event_index desc
    limit 1;
    first := least(first, 2147483647);
    final := least(greatest(final, first), first + 96, 2147483647);
    insert into staking_terms (
      height, event_index, staker, signer, bond, first_cycle, end_cycle, start_cycle, unlock_height, lock_height, lock_index, lock_place,
      place, l1, stx, sats
    )
    values (
      x.height, x.event_index, x.staker, x.signer, x.bond, first, final, coalesce(b.start_cycle, first),
      case when x.unlock_height >= 0 then x.unlock_height else coalesce(b.unlock_height, -1) end,
      coalesce(b.lock_height, x.height), coalesce(b.lock_index, x.event_index), coalesce(b.lock_place, x.place), x.place, x.l1,
      case when final > first then coalesce(x.stx, 0) else 0 end, coalesce(x.sats, 0)
    );
  end loop;
end $$;

insert into staking_signer_cycles (signer, cycle, height, stakers, stx)
select c.signer, c.cycle, c.height, sum(c.stakers) over w, sum(c.stx) over w
from (
  select d.signer, d.cycle, d.height, sum(d.stakers) as stakers, sum(d.stx) as stx
  from (
    select t.signer, g.cycle, t.height, 1 as stakers, t.stx
    from staking_terms t
    cross join lateral generate_series(t.first_cycle, t.end_cycle - 1) as g (cycle)
    union all
    select b.signer, g.cycle, t.height, -1, -b.stx
    from staking_terms t
    cross join lateral (
      select b.signer, b.first_cycle, b.end_cycle, b.stx
      from staking_terms b
      where b.staker = t.staker and (b.height, b.place, b.event_index) < (t.height, t.place, t.event_index)
      order by b.height desc, b.place desc, b.event_index desc
      limit 1
    ) b
    cross join lateral generate_series(greatest(t.first_cycle, b.first_cycle), b.end_cycle - 1) as g (cycle)
  ) d
  group by d.signer, d.cycle, d.height
) c
window w as (partition by c.signer, c.cycle order by c.height);

alter table staking_claims alter cycle drop default, alter signer drop default;
drop function print_present, print_items, print_principal, print_bytes, print_int, print_uint, print_entries, print_value_end;
