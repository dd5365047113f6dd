-- Who publishes the journal to which stream of a broker, and how far it is.

create table publishers (
  stream text primary key,                      -- name of the stream of the broker
  lease text,                                   -- the process that publishes
  lease_until timestamptz,
  position text,                                -- everything up to here is in the stream; null before the first
  height int not null default -1,               -- of the position
  messages bigint not null default 0,           -- messages that were stored
  published_at timestamptz,                     -- when the last one was
  trouble text,                                 -- why nothing is published; null if there is no trouble
  failing_since timestamptz
);

-- A step that changed nothing that is announced gets an empty row too: a missing row means that a step is no longer stored.
insert into mempool_news (seq, tx_ids)
select j.seq, ''::bytea
from journal j
where j.kind = 3 and j.seq > (select min(n.seq) from mempool_news n)
on conflict do nothing;
