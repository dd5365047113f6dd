-- Keys of API clients. Only hashes are stored: a key has 256 random bits, so that its hash needs no salt.

create table api_keys (
  id bigint generated always as identity primary key,
  name text not null,
  hash bytea not null unique,             -- SHA-256 of the text of the key
  per_second int,                         -- units a second; 0: no limit; null: CAIRN_RATE_LIMIT
  burst int,                              -- units at once; null: CAIRN_RATE_BURST
  max_open int,                           -- open requests; null: CAIRN_MAX_OPEN_PER_CLIENT
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  change bigint not null                  -- grows with every change of the table
);
create unique index api_keys_name on api_keys (name) where revoked_at is null;   -- the key of a name
create index api_keys_change on api_keys (change);                               -- whether anything has changed
