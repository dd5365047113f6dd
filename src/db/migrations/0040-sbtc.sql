-- What the registry of sBTC printed. `registry` tells the registries of a test network from each other; amounts are in satoshis,
-- hashes in display order.

create table sbtc_deposits (
  height int not null,
  event_index int not null,
  recipient int not null,                  -- 0 if the print does not follow a mint of the amount
  vout int not null,
  burn_height int not null,                -- the Bitcoin block that holds the sweep
  place smallint not null,
  registry smallint not null,
  staking boolean not null,                -- rewards of stakers, which are paid to pox-5
  amount numeric not null,
  tx_id bytea not null,                    -- of the deposit on Bitcoin
  sweep_tx_id bytea not null,
  burn_hash bytea not null,
  primary key (registry, height, place, event_index)
);
create index sbtc_deposits_height on sbtc_deposits using brin (height) with (pages_per_range = 16);        -- rollback
create index sbtc_deposits_output on sbtc_deposits (tx_id, vout);                                          -- one deposit
create index sbtc_deposits_recipient on sbtc_deposits (recipient, height, place, event_index);             -- recipient
create index sbtc_deposits_users on sbtc_deposits (registry, height, place, event_index) where not staking; -- exclude_staking

-- A withdrawal after each event of it; its newest row has the state.
create table sbtc_withdrawal_states (
  height int not null,
  event_index int not null,
  request_id int not null,
  request_height int not null,             -- the position of the request, in every row
  request_index int not null,
  request_burn_height int not null,
  sender int not null,
  vout int,                                -- of the payment on Bitcoin; this and the rest of the sweep only once accepted
  burn_height int,
  place smallint not null,
  request_place smallint not null,
  registry smallint not null,
  status smallint not null,                -- 1 pending, 2 accepted, 3 rejected
  version smallint not null,               -- of the recipient; -1 if it is empty
  amount numeric not null,
  max_fee numeric not null,
  fee numeric,
  hash bytea not null,
  burn_hash bytea,
  sweep_tx_id bytea,
  primary key (registry, request_id, height, place, event_index)
);
create index sbtc_withdrawal_states_height on sbtc_withdrawal_states using brin (height) with (pages_per_range = 16); -- rollback

-- The present state of each withdrawal; height, place and event_index are those of the request.
create table sbtc_withdrawals (
  height int not null,
  event_index int not null,
  request_id int not null,
  sender int not null,
  place smallint not null,
  registry smallint not null,
  status smallint not null,
  version smallint not null,
  hash bytea not null,
  primary key (registry, request_id)
);
create index sbtc_withdrawals_position on sbtc_withdrawals (registry, height, place, event_index);         -- all
create index sbtc_withdrawals_status on sbtc_withdrawals (registry, status, height, place, event_index);   -- status
create index sbtc_withdrawals_sender on sbtc_withdrawals (sender, height, place, event_index);             -- sender
create index sbtc_withdrawals_hash on sbtc_withdrawals (hash, height, place, event_index);                 -- address

-- Deposits to a principal and requests of it.
create table sbtc_movements (
  height int not null,
  event_index int not null,
  principal int not null,
  place smallint not null,
  registry smallint not null,
  kind smallint not null,                  -- 1 deposit, 2 withdrawal
  primary key (principal, height, place, event_index)
);
create index sbtc_movements_height on sbtc_movements using brin (height) with (pages_per_range = 16);      -- rollback

create table sbtc_key_rotations (
  height int not null,
  event_index int not null,
  signer int not null,                     -- the account of the signers
  threshold int not null,
  place smallint not null,
  registry smallint not null,
  aggregate_key bytea not null,
  keys bytea not null,                     -- 33 bytes each
  primary key (height, place, event_index)
);

create table sbtc_contracts (
  height int not null,
  event_index int not null,
  contract int not null,
  place smallint not null,
  registry smallint not null,
  role smallint not null,                  -- 0 governance, 1 deposit, 2 withdrawal
  primary key (height, place, event_index)
);

-- Counts and sums after each block with events of a registry.
create table sbtc_totals (
  height int not null,
  deposits int not null,
  requests int not null,
  accepted int not null,
  rejected int not null,
  registry smallint not null,
  deposited numeric not null,
  requested numeric not null,
  withdrawn numeric not null,
  returned numeric not null,
  fees numeric not null,
  primary key (registry, height)
);
create index sbtc_totals_height on sbtc_totals using brin (height) with (pages_per_range = 16);            -- rollback

-- The history of a database that has folded blocks before: what the registry printed is in `events`.

-- Where a Clarity value ends that begins at a byte (SIP-005).
create function sbtc_value_end(v bytea, at int) returns int language plpgsql immutable as $$
declare
  type int := get_byte(v, at);
  stop int;
  items int;
begin
  if type in (0, 1) then return at + 17; end if;
  if type in (3, 4, 9) then return at + 1; end if;
  if type = 5 then return at + 22; end if;
  if type = 6 then return at + 23 + get_byte(v, at + 22); end if;
  if type in (7, 8, 10) then return sbtc_value_end(v, at + 1); end if;
  items := (get_byte(v, at + 1) << 24) + (get_byte(v, at + 2) << 16) + (get_byte(v, at + 3) << 8) + get_byte(v, at + 4);
  stop := at + 5;
  if type in (2, 13, 14) then return stop + items; end if;
  if type not in (11, 12) then raise exception 'no Clarity value has the type %', type; end if;
  for n in 1..items loop
    if type = 12 then stop := stop + 1 + get_byte(v, stop); end if;
    stop := sbtc_value_end(v, stop);
  end loop;
  return stop;
end $$;

-- The entries of a tuple by name, each as the hex of its value; nothing for any other value.
create function sbtc_entries(v bytea) returns jsonb language plpgsql immutable as $$
declare
  entries jsonb := '{}';
  at int := 5;
  size int;
  stop int;
begin
  if get_byte(v, 0) <> 12 then return entries; end if;
  while at < length(v) loop
    size := get_byte(v, at);
    stop := sbtc_value_end(v, at + 1 + size);
    entries := entries || jsonb_build_object(
      convert_from(substring(v from at + 2 for size), 'UTF8'),
      encode(substring(v from at + 2 + size for stop - at - 1 - size), 'hex')
    );
    at := stop;
  end loop;
  return entries;
end $$;

-- A uint; null for any other value.
create function sbtc_uint(entry text) returns numeric language plpgsql immutable as $$
declare
  v bytea := decode(entry, 'hex');
  sum numeric := 0;
begin
  if entry is null or get_byte(v, 0) <> 1 then return null; end if;
  for n in 1..16 loop sum := sum * 256 + get_byte(v, n); end loop;
  return sum;
end $$;

-- A number for an int column, as the fold stores it.
create function sbtc_int(entry text) returns int language sql immutable as $$
  select least(sbtc_uint(entry), 2147483647)::int
$$;

-- The bytes of a buffer or a string.
create function sbtc_bytes(entry text) returns bytea language sql immutable as $$
  select case when left(entry, 2) in ('02', '0d') then substring(decode(entry, 'hex') from 6) end
$$;

-- A principal as `principals` has it.
create function sbtc_principal(entry text) returns bytea language sql immutable as $$
  select case left(entry, 2)
    when '05' then substring(decode(entry, 'hex') from 2)
    when '06' then substring(decode(entry, 'hex') from 2 for 21) || '\x2e'::bytea || substring(decode(entry, 'hex') from 24)
  end
$$;

create temporary table sbtc_prints on commit drop as
select e.height, e.place, e.event_index, r.registry, r.deployer, convert_from(sbtc_bytes(f.entries ->> 'topic'), 'UTF8') as topic,
  f.entries
from (values
  (1::smallint, '\x14f6decc7cfff2a413bd7cd4f53c25ad7fd1899acc'::bytea),
  (2::smallint, '\x15f748f5d5313ff79c32b976ecf5bcd60600f75aec'::bytea),
  (3::smallint, '\x1a5e7ba8546bc27ca0077594336b3942a8e7f89352'::bytea),
  (4::smallint, '\x150c9b1f1fc4e68762ec62971d0a5c9ac59236314c'::bytea),
  (5::smallint, '\x15f08277fe51877c890918bb778e0192309b307c39'::bytea),
  (6::smallint, '\x1521cb547d6aaee31c74efbaf40401350a0ac5e5e9'::bytea)
) as r (registry, deployer)
join principals p on p.name = r.deployer || '.sbtc-registry'::bytea
join events e on e.asset = p.id and e.kind = 11
cross join lateral (select sbtc_entries(e.value) as entries) f
where f.entries ? 'topic';

-- Some principals stand in prints alone.
insert into principals (id, name)
select (select coalesce(max(o.id), 0) from principals o) + row_number() over (order by n.name), n.name
from (
  select sbtc_principal(x.entries ->> case x.topic when 'key-rotation' then 'new-address' else 'new-contract' end) as name
  from sbtc_prints x
  where x.topic in ('key-rotation', 'update-protocol-contract')
  union
  select sbtc_principal(x.entries ->> 'sender')
  from sbtc_prints x
  where x.topic = 'withdrawal-create'
) n
where n.name is not null and not exists (select from principals p where p.name = n.name);

insert into sbtc_deposits (height, event_index, recipient, vout, burn_height, place, registry, staking, amount, tx_id, sweep_tx_id, burn_hash)
select d.height, d.event_index, coalesce(m.recipient, 0), d.vout, d.burn_height, d.place, d.registry,
  coalesce(q.name in (
    decode('160000000000000000000000000000000000000000', 'hex') || '.pox-5'::bytea,
    decode('1a0000000000000000000000000000000000000000', 'hex') || '.pox-5'::bytea
  ), false),
  d.amount, d.tx_id, d.sweep_tx_id, d.burn_hash
from (
  select x.height, x.event_index, x.place, x.registry, x.deployer, sbtc_int(x.entries ->> 'output-index') as vout,
    sbtc_int(x.entries ->> 'burn-height') as burn_height, sbtc_uint(x.entries ->> 'amount') as amount,
    sbtc_bytes(x.entries ->> 'bitcoin-txid') as tx_id, sbtc_bytes(x.entries ->> 'sweep-txid') as sweep_tx_id,
    sbtc_bytes(x.entries ->> 'burn-hash') as burn_hash
  from sbtc_prints x
  where x.topic = 'completed-deposit'
) d
left join principals t on t.name = d.deployer || '.sbtc-token'::bytea
left join assets a on a.contract = t.id and a.name = 'sbtc-token'
left join events m
  on m.height = d.height and m.place = d.place and m.event_index = d.event_index - 1 and m.kind = 6 and m.asset = a.id
    and m.amount = d.amount
left join principals q on q.id = m.recipient
where d.vout is not null and d.burn_height is not null and d.amount is not null
  and length(d.tx_id) = 32 and length(d.sweep_tx_id) = 32 and length(d.burn_hash) = 32;

insert into sbtc_withdrawal_states (
  height, event_index, request_id, request_height, request_index, request_burn_height, sender, place, request_place, registry, status,
  version, amount, max_fee, hash
)
select distinct on (r.registry, r.request_id) r.height, r.event_index, r.request_id::int, r.height, r.event_index, r.burn_height, p.id,
  r.place, r.place, r.registry, 1, case when length(r.version) = 0 then -1 else get_byte(r.version, 0) end, r.amount, r.max_fee, r.hash
from (
  select x.height, x.event_index, x.place, x.registry, sbtc_uint(x.entries ->> 'request-id') as request_id,
    sbtc_int(x.entries ->> 'block-height') as burn_height, sbtc_uint(x.entries ->> 'amount') as amount,
    sbtc_uint(x.entries ->> 'max-fee') as max_fee, sbtc_principal(x.entries ->> 'sender') as sender,
    sbtc_bytes(o.entries ->> 'version') as version, sbtc_bytes(o.entries ->> 'hashbytes') as hash
  from sbtc_prints x
  cross join lateral (select sbtc_entries(decode(x.entries ->> 'recipient', 'hex')) as entries) o
  where x.topic = 'withdrawal-create'
) r
join principals p on p.name = r.sender
where r.request_id <= 2147483647 and r.burn_height is not null and r.amount is not null and r.max_fee is not null
  and length(r.version) < 2 and r.hash is not null
order by r.registry, r.request_id, r.height, r.place, r.event_index;

insert into sbtc_withdrawal_states (
  height, event_index, request_id, request_height, request_index, request_burn_height, sender, vout, burn_height, place, request_place,
  registry, status, version, amount, max_fee, fee, hash, burn_hash, sweep_tx_id
)
select distinct on (o.registry, s.request_id) o.height, o.event_index, s.request_id, s.request_height, s.request_index,
  s.request_burn_height, s.sender, o.vout, o.burn_height, o.place, s.request_place, o.registry, o.status, s.version, s.amount, s.max_fee,
  o.fee, s.hash, o.burn_hash, o.sweep_tx_id
from (
  select x.height, x.event_index, x.place, x.registry, 2 as status, sbtc_uint(x.entries ->> 'request-id') as request_id,
    sbtc_int(x.entries ->> 'output-index') as vout, sbtc_int(x.entries ->> 'burn-height') as burn_height,
    sbtc_uint(x.entries ->> 'fee') as fee, sbtc_bytes(x.entries ->> 'burn-hash') as burn_hash,
    sbtc_bytes(x.entries ->> 'sweep-txid') as sweep_tx_id
  from sbtc_prints x
  where x.topic = 'withdrawal-accept'
  union all
  select x.height, x.event_index, x.place, x.registry, 3, sbtc_uint(x.entries ->> 'request-id'), null, null, null, null, null
  from sbtc_prints x
  where x.topic = 'withdrawal-reject'
) o
join sbtc_withdrawal_states s on s.registry = o.registry and s.request_id = o.request_id
where (o.height, o.place, o.event_index) > (s.request_height, s.request_place, s.request_index)
  and (
    o.status = 3
    or o.vout is not null and o.burn_height is not null and o.fee is not null and length(o.burn_hash) = 32 and length(o.sweep_tx_id) = 32
  )
order by o.registry, s.request_id, o.height, o.place, o.event_index;

insert into sbtc_withdrawals (height, event_index, request_id, sender, place, registry, status, version, hash)
select distinct on (s.registry, s.request_id) s.request_height, s.request_index, s.request_id, s.sender, s.request_place, s.registry,
  s.status, s.version, s.hash
from sbtc_withdrawal_states s
order by s.registry, s.request_id, s.height desc, s.place desc, s.event_index desc;

insert into sbtc_movements (height, event_index, principal, place, registry, kind)
select d.height, d.event_index, d.recipient, d.place, d.registry, 1 from sbtc_deposits d where d.recipient > 0
union all
select s.height, s.event_index, s.sender, s.place, s.registry, 2 from sbtc_withdrawal_states s where s.status = 1;

insert into sbtc_key_rotations (height, event_index, signer, threshold, place, registry, aggregate_key, keys)
select r.height, r.event_index, p.id, r.threshold, r.place, r.registry, r.aggregate_key, r.keys
from (
  select x.height, x.event_index, x.place, x.registry, sbtc_principal(x.entries ->> 'new-address') as signer,
    sbtc_int(x.entries ->> 'new-signature-threshold') as threshold, sbtc_bytes(x.entries ->> 'new-aggregate-pubkey') as aggregate_key,
    -- Each key of the list has a prefix of five bytes: a buffer of 33.
    coalesce((
      select string_agg(substring(decode(x.entries ->> 'new-keys', 'hex') from 11 + 38 * n for 33), '' order by n)
      from generate_series(0, length(decode(x.entries ->> 'new-keys', 'hex')) / 38 - 1) as n
    ), '') as keys
  from sbtc_prints x
  where x.topic = 'key-rotation' and left(x.entries ->> 'new-keys', 2) = '0b'
) r
join principals p on p.name = r.signer
where r.threshold is not null and length(r.aggregate_key) = 33;

insert into sbtc_contracts (height, event_index, contract, place, registry, role)
select x.height, x.event_index, p.id, x.place, x.registry, get_byte(sbtc_bytes(x.entries ->> 'contract-type'), 0)
from sbtc_prints x
join principals p on p.name = sbtc_principal(x.entries ->> 'new-contract')
where x.topic = 'update-protocol-contract' and length(sbtc_bytes(x.entries ->> 'contract-type')) = 1;

insert into sbtc_totals (
  height, deposits, requests, accepted, rejected, registry, deposited, requested, withdrawn, returned, fees
)
select c.height, sum(c.deposits) over w, sum(c.requests) over w, sum(c.accepted) over w, sum(c.rejected) over w, c.registry,
  sum(c.deposited) over w, sum(c.requested) over w, sum(c.withdrawn) over w, sum(c.returned) over w, sum(c.fees) over w
from (
  select e.registry, e.height, count(*) filter (where e.kind = 0) as deposits, count(*) filter (where e.kind = 1) as requests,
    count(*) filter (where e.kind = 2) as accepted, count(*) filter (where e.kind = 3) as rejected,
    coalesce(sum(e.amount) filter (where e.kind = 0), 0) as deposited, coalesce(sum(e.amount) filter (where e.kind = 1), 0) as requested,
    coalesce(sum(e.amount) filter (where e.kind = 2), 0) as withdrawn, coalesce(sum(e.amount) filter (where e.kind = 3), 0) as returned,
    coalesce(sum(e.fee), 0) as fees
  from (
    select d.registry, d.height, 0 as kind, d.amount, null::numeric as fee from sbtc_deposits d
    union all
    select s.registry, s.height, s.status, s.amount, s.fee from sbtc_withdrawal_states s
    union all
    select r.registry, r.height, -1, 0, null from sbtc_key_rotations r
    union all
    select k.registry, k.height, -1, 0, null from sbtc_contracts k
  ) e
  group by e.registry, e.height
) c
window w as (partition by c.registry order by c.height);

drop function sbtc_principal, sbtc_bytes, sbtc_int, sbtc_uint, sbtc_entries, sbtc_value_end;
