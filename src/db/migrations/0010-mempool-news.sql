-- Which transactions of the mempool a step of the fold changed, for those who follow the journal.

create table mempool_news (
  seq bigint primary key,   -- number of the journal row
  tx_ids bytea not null     -- ids of 32 bytes that came, came back or were dropped, one after the other
);
