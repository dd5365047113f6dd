-- Where the fold stands, the tree of all blocks it has seen, and the journal of every step it took.

create table fold_position (
  one boolean primary key default true check (one),
  event_id bigint not null,       -- last event folded
  journal_seq bigint not null,    -- last journal row written
  generation int not null default 1, -- grows with each rebuild: keys of interned names changed
  writer bigint not null,         -- fencing token of the writer that owns the tables
  height int not null,            -- canonical tip, -1 before the first block
  index_hash bytea not null,
  revision text not null default left(gen_random_uuid()::text, 13), -- drawn anew when rows of blocks may have been replaced by others
  root_mid_chain boolean not null default false,
  bulk boolean not null default false,        -- a bulk load runs: current values and some indexes are left for its end
  provisional boolean not null default false, -- the tables hold unconfirmed microblocks at height + 1
  halted_at bigint,               -- event the fold refuses to go past, with the reason
  halt_reason text
);
insert into fold_position (event_id, journal_seq, writer, height, index_hash) values (0, 0, 0, -1, '');

create table block_tree (
  index_hash bytea primary key,
  parent bytea not null,
  event_id bigint not null,       -- where in the log its message is
  height int not null,
  block_hash bytea not null,
  parked boolean not null,        -- its parent is unknown: it waits
  fetched boolean not null,       -- asked of a node because its event never came: what only the event tells is unknown
  empty boolean not null          -- no transactions and no events: what nodes repeat for block 0 at every start
);
-- The best block that is not parked: what the tables should hold.
create index block_tree_height on block_tree (height) where not parked;
-- Children of an arrived parent; also the parked list of status.
create index block_tree_parked on block_tree (parent) where parked;
-- Blocks whose events never came, for the audit.
create index block_tree_fetched on block_tree (height) where fetched;
-- Orphaned blocks answered by their block hash.
create index block_tree_block_hash on block_tree (substring(block_hash from 1 for 8));

create table journal (
  seq bigint primary key,
  event_id bigint not null,       -- event that caused the step
  at timestamptz not null default now(),
  height int not null,            -- tip height after the step
  kind smallint not null,         -- 1 apply, 2 rollback, 3 mempool, 4 microblock, 5 burn block
  index_hash bytea not null       -- tip after the step; burn block hash for kind 5
);

-- Indexes that a bulk load dropped, to be built when it ends.
create table deferred_indexes (
  name text primary key,
  table_name text not null,
  definition text not null
);

-- Where orphaned transactions are found again.
create table orphan_transactions (
  tx_id bytea not null,
  index_hash bytea not null,
  primary key (tx_id, index_hash)
);

-- Raises when the caller is not the writer that the position row names; takes the row lock for the transaction.
create function fence(expected_writer bigint, expected_event bigint) returns void language plpgsql as $$
begin
  perform 1 from fold_position where writer = expected_writer and event_id = expected_event for update;
  if not found then
    raise exception 'another writer has taken over the fold' using errcode = 'CAIRN';
  end if;
end
$$;
