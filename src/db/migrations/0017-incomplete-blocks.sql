-- What stays unknown of blocks that were asked of a node because their events never came.

alter table block_tree
  add unknown text not null default ''; -- names of fields with commas between them, src/chain/unknown-field.ts
update block_tree
set unknown = 'burn_operations,boot_contracts,mints,matured_miner_rewards,reward_set,miner_txid,unlock_heights,signatures'
where fetched;
-- Incomplete blocks, for the status, the audit and the header of answers.
create index block_tree_incomplete on block_tree (height) where unknown <> '';
