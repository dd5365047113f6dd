-- How many transactions of each type were pending at the end of a minute, by the times of the event log.
create table mempool_samples (
  minute integer not null,                                 -- minutes since 1970
  types integer[] not null,                                -- as in mempool_state
  constraint mempool_samples_pkey primary key (minute)
);
