-- The naming system: names and namespaces of both versions as history, one row for each change with the state after it; and
-- beside the fold what is known by its content alone, zonefiles and the subdomains in them.

create table name_history (
  height int not null,
  event_index int not null,       -- behind the last event where a call printed nothing; order of the file for genesis names
  owner int not null,             -- 0 once the name is burnt
  zonefile_owner int not null,    -- whose zonefile it is: another owner of the name does not inherit it
  lease_start int not null,       -- block of registration or renewal; 0: the launch of the namespace
  renewal int not null,           -- last burn height of the lease as version 2 tells it, 0 where it does not
  token int not null,             -- id of the NFT of version 2, 0 in version 1
  version smallint not null,      -- 1 or 2
  place smallint not null,        -- -1 for names that the chain began with
  change smallint not null,       -- src/chain/names/change.ts
  status smallint not null,       -- src/chain/names/bns-v1.ts
  revoked boolean not null,
  price numeric,                  -- micro-STX that it is for sale at
  zonefile_hash bytea not null,   -- '' when none
  name text collate "C" not null,             -- with its namespace
  namespace text collate "C" not null,
  primary key (name, version, height, place, event_index)
);
create index name_history_owner on name_history (owner, name);                              -- names of an owner at a block
create index name_history_token on name_history (token, height) where version = 2;          -- the name of a token
create index name_history_zonefile on name_history (name, zonefile_hash, height);           -- zonefile of a name by hash, subdomains
create index name_history_height on name_history using brin (height) with (pages_per_range = 16);

create table namespace_history (
  height int not null,
  event_index int not null,
  importer int not null,
  manager int not null,           -- 0 when none
  revealed_at int not null,       -- heights of Stacks blocks in version 1, of burn blocks in version 2
  launched_at int not null,       -- 0 before
  lifetime int not null,          -- blocks, 0 for ever
  version smallint not null,
  place smallint not null,
  change smallint not null,       -- src/chain/names/namespace.ts
  manager_transfers boolean not null,
  manager_frozen boolean not null,
  price_updatable boolean not null,
  base numeric not null,          -- price of a name: coefficient * base ^ bucket / discount * 10
  coefficient numeric not null,
  nonalpha_discount numeric not null,
  no_vowel_discount numeric not null,
  buckets int8[] not null,
  namespace text collate "C" not null,
  primary key (namespace, version, height, place, event_index)
);
create index namespace_history_height on namespace_history (height);                        -- rollback

-- Price functions of version 1 that came later, by a call that prints nothing.
create table namespace_prices (
  height int not null,
  event_index int not null,
  place smallint not null,
  base numeric not null,
  coefficient numeric not null,
  nonalpha_discount numeric not null,
  no_vowel_discount numeric not null,
  buckets int8[] not null,
  namespace text collate "C" not null,
  primary key (namespace, height, place, event_index)
);
create index namespace_prices_height on namespace_prices (height);                          -- rollback

-- The primary name of an account in version 2; token 0 when it has none.
create table primary_names (
  owner int not null,
  height int not null,
  event_index int not null,
  token int not null,
  place smallint not null,
  primary key (owner, height, place, event_index)
);
create index primary_names_height on primary_names (height);                                -- rollback

-- Current values: a name of version 2 hides the one of version 1 that it came from.
create table names (
  owner int not null,
  lease_start int not null,
  renewal int not null,
  version smallint not null,
  hidden boolean not null,        -- revoked or burnt
  name text collate "C" primary key,
  namespace text collate "C" not null
);
create index names_owner on names (owner, name) where not hidden;                           -- names of an owner
create index names_namespace on names (namespace, name) where not hidden;                   -- names of a namespace
create index names_listed on names (name) where not hidden;                                 -- all names
create index names_renewal on names (renewal, name) where renewal > 0 and not hidden;       -- expiring soon, told by the contract
create index names_lease on names (namespace, version, lease_start, name) where renewal = 0 and not hidden; -- expiring soon, by the lease

-- Beside the fold; a rollback leaves these alone. A zonefile is known by its hash, whichever block or fork asked for it.
create table zonefiles (
  hash bytea primary key,         -- HASH160 of the content
  content bytea not null
);
-- Subdomains that a zonefile of `parent` defines. They count from the block in which the parent took that zonefile on.
create table zonefile_subdomains (
  sequence int not null,
  genesis boolean not null,       -- the chain began with it
  zonefile bytea not null,        -- hash of the parent's zonefile
  zonefile_hash bytea not null,   -- its own
  parent text collate "C" not null,
  label text collate "C" not null,
  owner text collate "C" not null,
  resolver text not null,
  content bytea not null,         -- its own zonefile
  primary key (parent, zonefile, label)
);
create index zonefile_subdomains_label on zonefile_subdomains (parent, label);                -- one subdomain, all of a name
create index zonefile_subdomains_owner on zonefile_subdomains (owner);                      -- subdomains of an owner
-- What the chain began with, from the file of an operator; shown as part of block 1.
create table genesis_names (
  ordinal int not null,
  owner int not null,
  name text collate "C" primary key,
  namespace text collate "C" not null,
  zonefile_hash bytea not null
);
create index genesis_names_ordinal on genesis_names (ordinal);                              -- those of one message
create table genesis_namespaces (
  ordinal int not null,
  lifetime int not null,
  importer int not null,
  base numeric not null,
  coefficient numeric not null,
  nonalpha_discount numeric not null,
  no_vowel_discount numeric not null,
  buckets text not null,          -- sixteen numbers as the text of an array
  namespace text collate "C" primary key
);
