-- What Emily and a Bitcoin node say of the outputs that sBTC is about. They are keyed by Bitcoin and refer to no table of the fold: a
-- rollback and a rebuild leave them alone.

create table bitcoin_outputs (
  vout int not null,
  mined_height int,               -- of the deposit, by the node
  lock_blocks int,                -- after which the depositor may take it back, by Emily
  kind smallint not null,         -- 1 deposited, 2 pays a withdrawal
  sweep_state smallint,           -- 1 in a block, 2 in the mempool, 3 unknown to the node; of the sweep below
  swept boolean,                  -- whether that sweep spends the deposit
  tx_id bytea not null,           -- in display order, as all hashes here
  sweep_tx_id bytea,
  sweep_burn_hash bytea,
  amount numeric,                 -- satoshis, from the bytes of the transaction; 0 if it has no such output
  told_amount numeric,            -- the same, by Emily
  max_fee numeric,
  script bytea,
  primary key (kind, tx_id, vout)
);

-- What is to be asked. A job that a worker holds has a lease, and is due again when the lease ends.
create table bitcoin_jobs (
  source smallint not null,       -- 1 Emily, 2 the node
  kind smallint not null,
  tx_id bytea not null,
  vout int not null,
  burn_height int not null,       -- of the sweep
  attempts int not null default 0,
  due timestamptz not null,
  sweep_tx_id bytea not null,
  sweep_burn_hash bytea not null,
  amount numeric not null,        -- of sBTC
  recipient bytea,                -- of the sBTC; compact principal
  lease text,
  primary key (source, kind, tx_id, vout)
);
create index bitcoin_jobs_due on bitcoin_jobs (source, due);   -- taking jobs

-- How far the tables of sBTC were searched for outputs to ask about.
create table bitcoin_positions (
  source smallint primary key,
  height int not null,
  seq bigint not null             -- of the journal then
);
