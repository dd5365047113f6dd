-- Locks are rare: whoever asks for those of a busy account must not search all of its history.

-- listEventsOfPrincipal
create index principal_transactions_lock on principal_transactions (principal, height) where role & 128 <> 0;
