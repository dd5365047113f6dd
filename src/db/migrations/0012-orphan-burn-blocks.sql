-- The burn block of every block of the tree, so that orphans are found by it; unknown for what was folded before.

alter table block_tree
  add burn_height int not null default -1,
  add burn_hash bytea not null default '';
-- Orphaned blocks answered by the height of their burn block.
create index block_tree_burn_height on block_tree (burn_height);
-- Orphaned blocks answered by the hash of their burn block.
create index block_tree_burn_hash on block_tree (substring(burn_hash from 1 for 8));
