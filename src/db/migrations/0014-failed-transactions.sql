-- Transactions that did not succeed, for the list of them alone.

create index transactions_failed on transactions (height, place) where status <> 1;
