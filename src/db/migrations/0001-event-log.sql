-- The immutable log of what nodes sent, and the identity of the chain it belongs to.

create table chain_identity (
  one boolean primary key default true check (one),
  network text not null,          -- mainnet, testnet, devnet or custom
  chain_id bigint not null,
  simulated boolean not null      -- true when the blocks come from the built-in devnet
);

create table event_paths (
  id smallint primary key,
  path text not null unique
);

create table event_sources (
  id int primary key,
  source text not null unique     -- who sent it: 'node 10.0.0.7', 'replay', 'fetched'
);

-- The row lock on this one row is what makes ids follow commit order: an appender takes it before it knows its ids
-- and holds it until its commit, so no reader can see id n + 1 before id n.
create table event_log_head (
  one boolean primary key default true check (one),
  last_id bigint not null,
  pruned_to bigint not null default 0 -- events up to here were exported and removed, but for those that orphans need
);
insert into event_log_head (last_id) values (0);

create table event_log (
  id bigint primary key,
  at timestamptz not null,
  size int not null,              -- bytes of the payload before compression
  source int not null,
  path smallint not null,
  hash bytea not null,            -- first 16 bytes of SHA-256 of the payload
  payload bytea not null          -- brotli
);
alter table event_log alter payload set storage external;

-- Events that were kept but could not be read; the fold steps over them and raises an alarm.
create table event_quarantine (
  event_id bigint primary key,
  at timestamptz not null default now(),
  reason text not null
);

-- Events an operator told the fold to go past.
create table event_skips (
  event_id bigint primary key,
  at timestamptz not null default now(),
  reason text not null
);
