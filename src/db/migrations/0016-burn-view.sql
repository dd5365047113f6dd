-- The burn blocks that nodes announced, on every Bitcoin branch, and the Stacks blocks that a replaced burn block rules out.

create table burn_tree (
  hash bytea primary key,
  parent bytea not null,          -- as announced, or the canonical block below it where the node did not say; empty when unknown
  event_id bigint not null,       -- where in the log its message is; 0 for what was folded before this table existed
  height int not null,
  canonical boolean not null,     -- on the Bitcoin branch that the tables follow
  source text not null            -- who announced it first
);
-- Canonical blocks that a Bitcoin fork replaces.
create index burn_tree_height on burn_tree (height) where canonical;
-- Replaced blocks, read when the fold starts.
create index burn_tree_replaced on burn_tree (height) where not canonical;

insert into burn_tree (hash, parent, event_id, height, canonical, source)
select b.hash, b.parent_hash, 0, b.height, true, ''
from burn_blocks b;

-- The newest burn block of each node, by the address it sends from.
create table burn_sources (
  source text primary key,
  height int not null,
  hash bytea not null
);

-- True when the burn block of a block, or of one of its ancestors, was announced and later replaced.
alter table block_tree add ruled_out boolean not null default false;
-- Ruled-out blocks, read when the fold starts.
create index block_tree_ruled_out on block_tree (height) where ruled_out;
