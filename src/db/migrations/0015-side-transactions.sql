-- Transactions of blocks that never were canonical are told from those that a fork took back.

alter table orphan_transactions add side boolean not null default false;
