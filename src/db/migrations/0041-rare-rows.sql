-- Blocks whose events may lack something are few, and asked for with every block.
create index block_tree_unknown on block_tree (height) where unknown <> '';

-- One kind of abort is counted by the index alone.
create index transactions_aborted on transactions (height, place, status) where status <> 1;
drop index transactions_failed;
