-- Written from the migrations by `npm run check -- --fix`; do not edit.

create table asset_totals (
  asset integer not null,
  height integer not null,
  holders integer not null,
  mints integer not null,
  supply numeric not null,
  constraint asset_totals_pkey PRIMARY KEY (asset, height)
);
CREATE INDEX asset_totals_height ON asset_totals USING brin (height) WITH (pages_per_range='16');

create table assets (
  id integer not null,
  contract integer not null,
  name text not null,
  constraint assets_pkey PRIMARY KEY (id),
  constraint assets_contract_name_key UNIQUE (contract, name)
);

create table block_tree (
  index_hash bytea not null,
  parent bytea not null,
  event_id bigint not null,
  height integer not null,
  block_hash bytea not null,
  parked boolean not null,
  empty boolean not null,
  constraint block_tree_pkey PRIMARY KEY (index_hash)
);
CREATE INDEX block_tree_block_hash ON block_tree USING btree (SUBSTRING(block_hash FROM 1 FOR 8));
CREATE INDEX block_tree_height ON block_tree USING btree (height) WHERE (NOT parked);
CREATE INDEX block_tree_parked ON block_tree USING btree (parent) WHERE parked;

create table blocks (
  height integer not null,
  "time" integer not null,
  burn_height integer not null,
  burn_time integer not null,
  parent_burn_height integer not null,
  parent_burn_time integer not null,
  tenure integer not null,
  tx_count integer not null,
  tx_total integer not null,
  microblock_sequence integer not null,
  read_count integer not null,
  write_count integer not null,
  read_length bigint not null,
  write_length bigint not null,
  runtime bigint not null,
  supply numeric not null,
  hash bytea not null,
  index_hash bytea not null,
  parent_hash bytea not null,
  parent_index_hash bytea not null,
  burn_hash bytea not null,
  parent_burn_hash bytea not null,
  miner_tx_id bytea not null,
  microblock bytea not null,
  consensus_hash bytea not null,
  signer_bitvec bytea not null,
  signatures bytea not null,
  miner_signature bytea not null,
  type_totals integer[] not null,
  unlock_heights bigint[] not null,
  constraint blocks_pkey PRIMARY KEY (height),
  constraint blocks_index_hash_key UNIQUE (index_hash)
);
CREATE INDEX blocks_burn_hash ON blocks USING btree (SUBSTRING(burn_hash FROM 1 FOR 8));
CREATE INDEX blocks_burn_height ON blocks USING btree (burn_height, height);
CREATE INDEX blocks_burn_time ON blocks USING btree (burn_time, height);
CREATE INDEX blocks_hash ON blocks USING btree (SUBSTRING(hash FROM 1 FOR 8));
CREATE INDEX blocks_tenure ON blocks USING btree (tenure, height);
CREATE INDEX blocks_time ON blocks USING btree ("time", height);
CREATE INDEX blocks_tx_total ON blocks USING btree (tx_total);

create table burn_block_heights (
  burn_height integer not null,
  height integer not null,
  constraint burn_block_heights_pkey PRIMARY KEY (burn_height)
);
CREATE INDEX burn_block_heights_height ON burn_block_heights USING btree (height);

create table burn_blocks (
  height integer not null,
  burn_amount bigint not null,
  hash bytea not null,
  consensus_hash bytea not null,
  parent_hash bytea not null,
  constraint burn_blocks_pkey PRIMARY KEY (height)
);
CREATE INDEX burn_blocks_hash ON burn_blocks USING btree (SUBSTRING(hash FROM 1 FOR 8));

create table chain_identity (
  one boolean not null default true,
  network text not null,
  chain_id bigint not null,
  simulated boolean not null,
  constraint chain_identity_pkey PRIMARY KEY (one),
  constraint chain_identity_one_check CHECK (one)
);

create table contract_log_totals (
  contract integer not null,
  height integer not null,
  total integer not null,
  constraint contract_log_totals_pkey PRIMARY KEY (contract, height)
);
CREATE INDEX contract_log_totals_height ON contract_log_totals USING brin (height) WITH (pages_per_range='16');

create table contracts (
  contract integer not null,
  height integer not null,
  place smallint not null,
  clarity_version smallint not null,
  functions bigint[] not null,
  abi text not null,
  constraint contracts_pkey PRIMARY KEY (contract)
);
CREATE INDEX contracts_functions ON contracts USING gin (functions);
CREATE INDEX contracts_height ON contracts USING btree (height);

create table deferred_indexes (
  name text not null,
  definition text not null,
  constraint deferred_indexes_pkey PRIMARY KEY (name)
);

create table event_log (
  id bigint not null,
  at timestamp with time zone not null,
  size integer not null,
  source integer not null,
  path smallint not null,
  hash bytea not null,
  payload bytea storage external not null,
  constraint event_log_pkey PRIMARY KEY (id)
);

create table event_log_head (
  one boolean not null default true,
  last_id bigint not null,
  constraint event_log_head_pkey PRIMARY KEY (one),
  constraint event_log_head_one_check CHECK (one)
);

create table event_paths (
  id smallint not null,
  path text not null,
  constraint event_paths_pkey PRIMARY KEY (id),
  constraint event_paths_path_key UNIQUE (path)
);

create table event_quarantine (
  event_id bigint not null,
  at timestamp with time zone not null default now(),
  reason text not null,
  constraint event_quarantine_pkey PRIMARY KEY (event_id)
);

create table event_skips (
  event_id bigint not null,
  at timestamp with time zone not null default now(),
  reason text not null,
  constraint event_skips_pkey PRIMARY KEY (event_id)
);

create table event_sources (
  id integer not null,
  source text not null,
  constraint event_sources_pkey PRIMARY KEY (id),
  constraint event_sources_source_key UNIQUE (source)
);

create table events (
  height integer not null,
  event_index integer not null,
  asset integer not null,
  sender integer not null,
  recipient integer not null,
  place smallint not null,
  kind smallint not null,
  amount numeric not null,
  value bytea not null
);
CREATE INDEX events_place ON events USING btree (height, place);
CREATE INDEX events_print ON events USING btree (asset, height) WHERE (kind = 11);

create table fold_position (
  one boolean not null default true,
  event_id bigint not null,
  journal_seq bigint not null,
  writer bigint not null,
  height integer not null,
  index_hash bytea not null,
  root_mid_chain boolean not null default false,
  bulk boolean not null default false,
  provisional boolean not null default false,
  halted_at bigint,
  halt_reason text,
  constraint fold_position_pkey PRIMARY KEY (one),
  constraint fold_position_one_check CHECK (one)
);

create table ft_balances (
  principal integer not null,
  asset integer not null,
  height integer not null,
  sent numeric,
  received numeric,
  constraint ft_balances_pkey PRIMARY KEY (principal, asset, height)
);
CREATE INDEX ft_balances_height ON ft_balances USING brin (height) WITH (pages_per_range='16');

create table functions (
  id integer not null,
  name text not null,
  constraint functions_pkey PRIMARY KEY (id),
  constraint functions_name_key UNIQUE (name)
);

create table holders (
  asset integer not null,
  principal integer not null,
  balance numeric not null
);
CREATE UNIQUE INDEX holders_rank ON holders USING btree (asset, balance, principal);

create table journal (
  seq bigint not null,
  event_id bigint not null,
  at timestamp with time zone not null default now(),
  height integer not null,
  kind smallint not null,
  index_hash bytea not null,
  constraint journal_pkey PRIMARY KEY (seq)
);

create table microblock_streams (
  hash bytea not null,
  parent_hash bytea not null,
  anchor bytea not null,
  burn_hash bytea not null,
  event_id bigint not null,
  sequence integer not null,
  burn_height integer not null,
  burn_time integer not null,
  live boolean not null,
  constraint microblock_streams_pkey PRIMARY KEY (hash)
);
CREATE INDEX microblock_streams_anchor ON microblock_streams USING btree (anchor);

create table microblocks (
  height integer not null,
  sequence integer not null,
  ordinal integer not null,
  hash bytea not null,
  parent_hash bytea not null,
  constraint microblocks_pkey PRIMARY KEY (height, sequence)
);
CREATE INDEX microblocks_hash ON microblocks USING btree (SUBSTRING(hash FROM 1 FOR 8));
CREATE INDEX microblocks_ordinal ON microblocks USING btree (ordinal);

create table miner_rewards (
  height integer not null,
  "position" smallint not null,
  recipient integer not null,
  miner integer not null,
  coinbase numeric not null,
  fees_anchored numeric not null,
  fees_confirmed numeric not null,
  fees_produced numeric not null,
  from_index_hash bytea not null,
  constraint miner_rewards_pkey PRIMARY KEY (height, "position")
);
CREATE INDEX miner_rewards_recipient ON miner_rewards USING btree (recipient, height);

create table nft_balances (
  principal integer not null,
  asset integer not null,
  height integer not null,
  sent integer,
  received integer,
  constraint nft_balances_pkey PRIMARY KEY (principal, asset, height)
);
CREATE INDEX nft_balances_height ON nft_balances USING brin (height) WITH (pages_per_range='16');

create table nft_current (
  asset integer not null,
  owner integer not null,
  height integer not null,
  place smallint not null,
  value bytea not null,
  constraint nft_current_pkey PRIMARY KEY (asset, value)
);
CREATE INDEX nft_current_owner ON nft_current USING btree (owner, height);

create table nft_history (
  asset integer not null,
  height integer not null,
  event_index integer not null,
  sender integer not null,
  recipient integer not null,
  seq integer not null,
  mint_seq integer not null,
  place smallint not null,
  value bytea not null,
  constraint nft_history_pkey PRIMARY KEY (asset, value, height, place, event_index)
);
CREATE INDEX nft_history_height ON nft_history USING brin (height) WITH (pages_per_range='16');
CREATE INDEX nft_history_mints ON nft_history USING btree (asset, mint_seq) WHERE (mint_seq > 0);

create table orphan_transactions (
  tx_id bytea not null,
  index_hash bytea not null,
  constraint orphan_transactions_pkey PRIMARY KEY (tx_id, index_hash)
);

create table principal_transactions (
  principal integer not null,
  height integer not null,
  seq integer not null,
  event_seq integer not null,
  inbound_seq integer not null,
  place smallint not null,
  role smallint not null,
  sent numeric not null,
  received numeric not null
);
CREATE INDEX principal_transactions_height ON principal_transactions USING brin (height) WITH (pages_per_range='16');
CREATE INDEX principal_transactions_principal ON principal_transactions USING btree (principal, height);
CREATE INDEX principal_transactions_sender ON principal_transactions USING btree (principal, height) WHERE (((role)::integer & 3) <> 0);

create table principals (
  id integer not null,
  name bytea not null,
  constraint principals_pkey PRIMARY KEY (id),
  constraint principals_name_key UNIQUE (name)
);

create table replay_files (
  fingerprint bytea not null,
  name text not null,
  size bigint not null,
  line bigint not null,
  line_end bigint not null,
  recorded_id bigint,
  events bigint not null,
  started_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  constraint replay_files_pkey PRIMARY KEY (fingerprint)
);

create table stx_balances (
  principal integer not null,
  height integer not null,
  sent numeric,
  received numeric,
  fees numeric,
  rewards numeric,
  constraint stx_balances_pkey PRIMARY KEY (principal, height)
);
CREATE INDEX stx_balances_height ON stx_balances USING brin (height) WITH (pages_per_range='16');

create table stx_locks (
  principal integer not null,
  height integer not null,
  event_index integer not null,
  contract integer not null,
  unlock_height integer not null,
  place smallint not null,
  amount numeric not null,
  constraint stx_locks_pkey PRIMARY KEY (principal, height, place, event_index)
);
CREATE INDEX stx_locks_height ON stx_locks USING btree (height);

create table transaction_extras (
  height integer not null,
  place smallint not null,
  name text not null,
  body text not null,
  constraint transaction_extras_pkey PRIMARY KEY (height, place, name)
);

create table transactions (
  fee bigint not null,
  nonce bigint not null,
  runtime bigint not null,
  height integer not null,
  sender integer not null,
  sponsor integer not null,
  target integer not null,
  function integer not null,
  event_count integer not null,
  tx_index integer not null,
  microblock_sequence integer not null,
  read_count integer not null,
  write_count integer not null,
  read_length bigint not null,
  write_length bigint not null,
  place smallint not null,
  type smallint not null,
  status smallint not null,
  tx_id bytea not null,
  microblock bytea not null,
  result bytea not null,
  raw bytea not null,
  vm_error text not null,
  constraint transactions_pkey PRIMARY KEY (height, place)
);
CREATE INDEX transactions_fee ON transactions USING btree (fee, height);
CREATE INDEX transactions_function ON transactions USING btree (function, height) WHERE (function <> 0);
CREATE INDEX transactions_target ON transactions USING btree (target, height) WHERE (target <> 0);
CREATE INDEX transactions_tx_id ON transactions USING btree (SUBSTRING(tx_id FROM 1 FOR 8));
CREATE INDEX transactions_type ON transactions USING btree (type, height);

CREATE OR REPLACE FUNCTION fence(expected_writer bigint, expected_event bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform 1 from fold_position where writer = expected_writer and event_id = expected_event for update;
  if not found then
    raise exception 'another writer has taken over the fold' using errcode = 'CAIRN';
  end if;
end
$function$;
