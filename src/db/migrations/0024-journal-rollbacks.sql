-- The steps back of the chain: what is below all of them since an answer was given still stands.
create index journal_rollbacks on journal (seq) where kind = 2;
