-- Calls of a contract and transfers to an account are counted by the index alone: it has their type too.
create index transactions_target_type on transactions (target, height, type) where target <> 0; -- to_address, contract_id
drop index transactions_target;
