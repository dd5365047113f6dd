-- Token contracts, their tokens and what is known of them, and the queue of what is to be read. The worker of `src/metadata`
-- writes these tables. They refer to no table of the fold: a rollback and a rebuild leave them alone.

-- How far the worker has read the tables of the chain.
create table token_discovery (
  one boolean primary key default true check (one),
  height int not null,            -- the last block that was read; 0 before the first
  index_hash bytea not null,
  fetches boolean not null        -- whether URIs of the outside world were fetched when the worker last ran
);
insert into token_discovery (height, index_hash, fetches) values (0, '', false);

create table token_contracts (
  id int generated always as identity primary key,
  class smallint not null,        -- src/chain/tokens/token-notification.ts
  height int not null,            -- of the deployment
  counted_at int,                 -- the same for the call of `get-last-token-id`
  name bytea not null unique,     -- compact principal, as in `principals`
  principal text collate "C" not null,
  asset text                      -- the first native token of the interface
);
-- Going back to a fork.
create index token_contracts_height on token_contracts (height);

create table tokens (
  contract int not null references token_contracts on delete cascade,
  number numeric not null,
  class smallint not null,        -- that of the contract
  height int not null,            -- at which the token was found
  read_height int,                -- height that the node had not passed when the contract was last called; null before
  read_at timestamptz,
  fetched_at timestamptz,         -- when the URI was last fetched; null before
  refresh_at timestamptz,         -- when the token is read again by age; null: not by age
  decimals int,
  supply numeric,
  name text,
  symbol text,
  uri text,
  error_code text,                -- src/metadata/metadata-source.ts
  error_message text,
  metadata json,                  -- SIP-016 metadata in the default locale
  primary key (contract, number)
);
-- Lists of fungible tokens, of which there are some thousands.
create index tokens_ft_name on tokens (lower(name) collate "C", contract) where class = 1;
create index tokens_ft_symbol on tokens (lower(symbol) collate "C", contract) where class = 1;
-- Going back to a fork.
create index tokens_height on tokens (height);
create index tokens_read_height on tokens (read_height);
-- Reading again by age.
create index tokens_refresh on tokens (refresh_at) where refresh_at is not null;

-- Metadata in other locales.
create table token_locales (
  contract int not null,
  number numeric not null,
  locale text not null,
  metadata json not null,
  primary key (contract, number, locale),
  foreign key (contract, number) references tokens on delete cascade
);

-- SIP-019 notices of canonical blocks.
create table token_notices (
  contract int not null references token_contracts on delete cascade,
  height int not null,
  place smallint not null,
  event_index int not null,
  mode smallint not null,         -- src/chain/tokens/token-notification.ts
  ttl bigint,                     -- seconds
  numbers numeric[],              -- the tokens; null: all of the contract
  primary key (contract, height, place, event_index)
);
create index token_notices_height on token_notices (height);

-- What is to be read. A job that a worker holds has a lease, and is due again when the lease ends.
create table token_jobs (
  contract int not null references token_contracts on delete cascade,
  kind smallint not null,         -- src/metadata/job-queue.ts
  number numeric not null,        -- 0 for a job about the contract
  due timestamptz not null,
  attempts int not null default 0,
  version int not null default 1, -- grows when the job is requested again
  lease text,
  primary key (contract, kind, number)
);
-- Taking jobs, contract by contract.
create index token_jobs_due on token_jobs (contract, kind, due);
