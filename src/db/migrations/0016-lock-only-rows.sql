-- Transactions of others that only locked STX of an account: its list of transactions leaves them out.

create index principal_transactions_lock on principal_transactions (principal, height) where role = 128;
