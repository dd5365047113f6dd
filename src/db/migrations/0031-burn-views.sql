-- The burn view of tenure changes: a block whose view a Bitcoin fork has replaced is ruled out, as one whose burn block was replaced.
-- Null stands for what the first start after this migration reads from the log: blocks that are not canonical, and replaced burn blocks.

alter table block_tree add burn_view bytea default '';
-- The view is at a fixed distance from the end of a tenure change: 20 bytes, then 57 more.
update block_tree t
set burn_view = substring(x.raw from octet_length(x.raw) - 76 for 20)
from transactions x
join blocks b on b.height = x.height
where x.type = 7 and t.index_hash = b.index_hash;
update block_tree t
set burn_view = null
where t.height > 0 and not exists (select 1 from blocks b where b.index_hash = t.index_hash);
-- Blocks of a tenure change by their burn view.
create index block_tree_burn_view on block_tree (burn_view) where burn_view <> '';
-- Blocks whose event is still to be read.
create index block_tree_unread on block_tree (event_id) where burn_view is null;

alter table burn_tree add consensus_hash bytea default '';
update burn_tree t set consensus_hash = b.consensus_hash from burn_blocks b where b.hash = t.hash;
update burn_tree t set consensus_hash = null where not t.canonical;
