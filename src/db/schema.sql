-- Written from the migrations by `npm run check -- --fix`; do not edit.

create table api_keys (
  id bigint not null generated always as identity,
  name text not null,
  hash bytea not null,
  per_second integer,
  burst integer,
  max_open integer,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  change bigint not null,
  hooks boolean not null default false,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_hash_key UNIQUE (hash)
);
CREATE INDEX api_keys_change ON api_keys USING btree (change);
CREATE UNIQUE INDEX api_keys_name ON api_keys USING btree (name) WHERE (revoked_at IS NULL);

create table asset_holders (
  asset integer not null,
  height integer not null,
  principal integer not null,
  constraint asset_holders_pkey PRIMARY KEY (asset, height, principal)
);
CREATE INDEX asset_holders_height ON asset_holders USING brin (height) WITH (pages_per_range='16');

create table asset_totals (
  asset integer not null,
  height integer not null,
  holders integer not null,
  mints integer not null,
  supply numeric not null,
  funded integer not null default 0,
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

create table audit_findings (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  height integer not null,
  check_name text not null,
  subject text not null,
  message text not null,
  reason text,
  constraint audit_findings_pkey PRIMARY KEY (id),
  constraint audit_findings_check_name_subject_key UNIQUE (check_name, subject)
);

create table audit_position (
  one boolean not null default true,
  height integer not null,
  index_hash bytea not null,
  checked bigint not null,
  at timestamp with time zone not null default now(),
  constraint audit_position_pkey PRIMARY KEY (one),
  constraint audit_position_one_check CHECK (one)
);

create table bitcoin_jobs (
  source smallint not null,
  kind smallint not null,
  tx_id bytea not null,
  vout integer not null,
  burn_height integer not null,
  attempts integer not null default 0,
  due timestamp with time zone not null,
  sweep_tx_id bytea not null,
  sweep_burn_hash bytea not null,
  amount numeric not null,
  recipient bytea,
  lease text,
  constraint bitcoin_jobs_pkey PRIMARY KEY (source, kind, tx_id, vout)
);
CREATE INDEX bitcoin_jobs_due ON bitcoin_jobs USING btree (source, due);

create table bitcoin_outputs (
  vout integer not null,
  mined_height integer,
  lock_blocks integer,
  kind smallint not null,
  sweep_state smallint,
  swept boolean,
  tx_id bytea not null,
  sweep_tx_id bytea,
  sweep_burn_hash bytea,
  amount numeric,
  told_amount numeric,
  max_fee numeric,
  script bytea,
  constraint bitcoin_outputs_pkey PRIMARY KEY (kind, tx_id, vout)
);

create table bitcoin_positions (
  source smallint not null,
  height integer not null,
  seq bigint not null,
  constraint bitcoin_positions_pkey PRIMARY KEY (source)
);

create table block_extras (
  height integer not null,
  name text not null,
  body text not null,
  constraint block_extras_pkey PRIMARY KEY (height, name)
);
comment on table block_extras is 'Facts of a block that few blocks have: rewarded_addresses and start_cycle_state of its reward set, a signer_signature_hash that is not its hash.';

create table block_headers (
  index_hash bytea not null,
  height integer not null,
  header bytea not null,
  constraint block_headers_pkey PRIMARY KEY (index_hash)
);
CREATE INDEX block_headers_height ON block_headers USING btree (height, index_hash);

create table block_tree (
  index_hash bytea not null,
  parent bytea not null,
  event_id bigint not null,
  height integer not null,
  block_hash bytea not null,
  parked boolean not null,
  fetched boolean not null,
  empty boolean not null,
  burn_height integer not null default '-1'::integer,
  burn_hash bytea not null default '\x'::bytea,
  ruled_out boolean not null default false,
  unknown text not null default ''::text,
  burn_view bytea default '\x'::bytea,
  constraint block_tree_pkey PRIMARY KEY (index_hash)
);
CREATE INDEX block_tree_block_hash ON block_tree USING btree (SUBSTRING(block_hash FROM 1 FOR 8));
CREATE INDEX block_tree_burn_hash ON block_tree USING btree (SUBSTRING(burn_hash FROM 1 FOR 8));
CREATE INDEX block_tree_burn_height ON block_tree USING btree (burn_height);
CREATE INDEX block_tree_burn_view ON block_tree USING btree (burn_view) WHERE (burn_view <> '\x'::bytea);
CREATE INDEX block_tree_fetched ON block_tree USING btree (height) WHERE fetched;
CREATE INDEX block_tree_height ON block_tree USING btree (height) WHERE (NOT parked);
CREATE INDEX block_tree_incomplete ON block_tree USING btree (height) WHERE (unknown <> ''::text);
CREATE INDEX block_tree_parked ON block_tree USING btree (parent) WHERE parked;
CREATE INDEX block_tree_ruled_out ON block_tree USING btree (height) WHERE ruled_out;
CREATE INDEX block_tree_unknown ON block_tree USING btree (height) WHERE (unknown <> ''::text);
CREATE INDEX block_tree_unread ON block_tree USING btree (event_id) WHERE (burn_view IS NULL);

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
  state_hash bytea not null,
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

create table burn_address_totals (
  address text not null,
  slots integer not null,
  pox_outputs integer not null,
  reward_amount numeric not null,
  burn_amount numeric not null default 0,
  constraint burn_address_totals_pkey PRIMARY KEY (address)
);

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

create table burn_pox_outputs (
  height integer not null,
  utxo_index integer not null,
  amount bigint not null,
  tx_id bytea not null,
  address text not null,
  payer text not null default ''::text,
  constraint burn_pox_outputs_pkey PRIMARY KEY (height, tx_id, utxo_index)
);
CREATE INDEX burn_pox_outputs_address ON burn_pox_outputs USING btree (address, height);

create table burn_rewards (
  height integer not null,
  reward_index integer not null,
  amount bigint not null,
  address text not null,
  constraint burn_rewards_pkey PRIMARY KEY (height, reward_index)
);
CREATE INDEX burn_rewards_address ON burn_rewards USING btree (address, height);

create table burn_slots (
  height integer not null,
  slot_index integer not null,
  address text not null,
  constraint burn_slots_pkey PRIMARY KEY (height, slot_index)
);
CREATE INDEX burn_slots_address ON burn_slots USING btree (address, height);

create table burn_sources (
  source text not null,
  height integer not null,
  hash bytea not null,
  constraint burn_sources_pkey PRIMARY KEY (source)
);

create table burn_tree (
  hash bytea not null,
  parent bytea not null,
  event_id bigint not null,
  height integer not null,
  canonical boolean not null,
  source text not null,
  consensus_hash bytea default '\x'::bytea,
  constraint burn_tree_pkey PRIMARY KEY (hash)
);
CREATE INDEX burn_tree_height ON burn_tree USING btree (height) WHERE canonical;
CREATE INDEX burn_tree_replaced ON burn_tree USING btree (height) WHERE (NOT canonical);

create table chain_identity (
  one boolean not null default true,
  network text not null,
  chain_id bigint not null,
  simulated boolean not null,
  constraint chain_identity_pkey PRIMARY KEY (one),
  constraint chain_identity_one_check CHECK (one)
);

create table chainhook_consumers (
  owner text not null,
  secret bytea not null,
  secret_key bytea not null,
  constraint chainhook_consumers_pkey PRIMARY KEY (owner)
);

create table chainhooks (
  hook integer not null,
  uuid text not null,
  owner text,
  constraint chainhooks_pkey PRIMARY KEY (hook),
  constraint chainhooks_uuid_key UNIQUE (uuid),
  constraint chainhooks_hook_fkey FOREIGN KEY (hook) REFERENCES webhooks(id) ON DELETE CASCADE
);
CREATE INDEX chainhooks_owner ON chainhooks USING btree (owner, hook);

create table contract_log_totals (
  contract integer not null,
  height integer not null,
  total integer not null,
  constraint contract_log_totals_pkey PRIMARY KEY (contract, height)
);
CREATE INDEX contract_log_totals_height ON contract_log_totals USING brin (height) WITH (pages_per_range='16');

create table contract_standards (
  contract integer not null,
  height integer not null,
  standard smallint not null,
  constraint contract_standards_pkey PRIMARY KEY (contract, standard)
);
CREATE INDEX contract_standards_height ON contract_standards USING btree (height);

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
  table_name text not null,
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
  pruned_to bigint not null default 0,
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
CREATE INDEX events_ft ON events USING btree (asset, height, place, event_index) WHERE (kind = ANY (ARRAY[5, 6, 7]));
CREATE INDEX events_genesis ON events USING btree (recipient) WHERE (height = 1);
CREATE INDEX events_genesis_index ON events USING btree (place, event_index) WHERE (height = 1);
CREATE INDEX events_genesis_sender ON events USING btree (sender) WHERE ((height = 1) AND (sender <> 0));
CREATE INDEX events_nft ON events USING btree (asset, height, place, event_index) WHERE (kind = ANY (ARRAY[8, 9, 10]));
CREATE INDEX events_place ON events USING btree (height, place) WITH (fillfactor='100');
CREATE INDEX events_print ON events USING btree (asset, height) WHERE (kind = 11);

create table fold_position (
  one boolean not null default true,
  event_id bigint not null,
  journal_seq bigint not null,
  generation integer not null default 1,
  writer bigint not null,
  height integer not null,
  index_hash bytea not null,
  revision text not null default "left"((gen_random_uuid())::text, 13),
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

create table genesis_names (
  ordinal integer not null,
  owner integer not null,
  name text collate "C" not null,
  namespace text collate "C" not null,
  zonefile_hash bytea not null,
  constraint genesis_names_pkey PRIMARY KEY (name)
);
CREATE INDEX genesis_names_ordinal ON genesis_names USING btree (ordinal);

create table genesis_namespaces (
  ordinal integer not null,
  lifetime integer not null,
  importer integer not null,
  base numeric not null,
  coefficient numeric not null,
  nonalpha_discount numeric not null,
  no_vowel_discount numeric not null,
  buckets text not null,
  namespace text collate "C" not null,
  constraint genesis_namespaces_pkey PRIMARY KEY (namespace)
);

create table genesis_vesting (
  ordinal integer not null,
  height integer not null,
  principal integer not null,
  amount numeric not null,
  constraint genesis_vesting_pkey PRIMARY KEY (ordinal)
);
CREATE INDEX genesis_vesting_principal ON genesis_vesting USING btree (principal, height, ordinal);

create table holders (
  asset integer not null,
  principal integer not null,
  balance numeric not null
);
CREATE UNIQUE INDEX holders_rank ON holders USING btree (asset, balance, principal);

create table index_hash_mismatches (
  event_id bigint not null,
  height integer not null,
  constraint index_hash_mismatches_pkey PRIMARY KEY (event_id)
);

create table journal (
  seq bigint not null,
  event_id bigint not null,
  at timestamp with time zone not null default now(),
  height integer not null,
  kind smallint not null,
  index_hash bytea not null,
  block_events bigint not null default 0,
  constraint journal_pkey PRIMARY KEY (seq)
);
CREATE INDEX journal_block_events ON journal USING btree (block_events, seq) WHERE (kind = ANY (ARRAY[1, 2]));
CREATE INDEX journal_rollbacks ON journal USING btree (seq) WHERE (kind = 2);

create table mempool (
  fee bigint not null,
  nonce bigint not null,
  sponsor_nonce bigint not null,
  amount bigint not null,
  event_id bigint not null,
  received_at integer not null,
  received_height integer not null,
  received_tenure integer not null,
  dropped_at integer not null,
  dropped_height integer not null,
  dropped_tenure integer not null,
  sender integer not null,
  sponsor integer not null,
  target integer not null,
  function integer not null,
  size integer not null,
  holders integer not null,
  type smallint not null,
  status smallint not null,
  tx_id bytea not null,
  replaced_by bytea not null,
  reason text not null,
  raw bytea not null,
  constraint mempool_pkey PRIMARY KEY (tx_id)
) with (fillfactor=90);
CREATE INDEX mempool_dropped ON mempool USING btree (dropped_at) WHERE (status = 1);
CREATE INDEX mempool_fee ON mempool USING btree (fee) WHERE (status = 0);
CREATE INDEX mempool_received ON mempool USING btree (received_at) WHERE (status = 0);
CREATE INDEX mempool_sender ON mempool USING btree (sender, nonce) WHERE (status = 0);
CREATE INDEX mempool_size ON mempool USING btree (size) WHERE (status = 0);
CREATE INDEX mempool_sponsor ON mempool USING btree (sponsor, sponsor_nonce) WHERE ((status = 0) AND (sponsor <> 0));
CREATE INDEX mempool_target ON mempool USING btree (target) WHERE ((status = 0) AND (target <> 0));

create table mempool_news (
  seq bigint not null,
  tx_ids bytea not null,
  constraint mempool_news_pkey PRIMARY KEY (seq)
);

create table mempool_receipts (
  event_id bigint not null,
  height integer not null,
  received_at integer not null,
  received_height integer not null,
  received_tenure integer not null,
  holders integer not null,
  place smallint not null
);
CREATE INDEX mempool_receipts_height ON mempool_receipts USING btree (height);

create table mempool_samples (
  minute integer not null,
  types integer[] not null,
  constraint mempool_samples_pkey PRIMARY KEY (minute)
);

create table mempool_sources (
  "bit" smallint not null,
  source text not null,
  constraint mempool_sources_pkey PRIMARY KEY ("bit"),
  constraint mempool_sources_source_key UNIQUE (source)
);

create table mempool_state (
  one boolean not null default true,
  version bigint not null,
  digest bigint not null,
  pending integer not null,
  dropped integer not null,
  types integer[] not null,
  heard_at integer[] not null,
  constraint mempool_state_pkey PRIMARY KEY (one),
  constraint mempool_state_one_check CHECK (one)
);

create table mempool_unread (
  event_id bigint not null,
  "position" integer not null,
  height integer not null,
  reason text not null,
  body text not null,
  constraint mempool_unread_pkey PRIMARY KEY (event_id, "position")
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

create table miner_reward_totals (
  recipient integer not null,
  height integer not null,
  rewards integer not null,
  coinbase numeric not null,
  fees numeric not null,
  constraint miner_reward_totals_pkey PRIMARY KEY (recipient, height)
);
CREATE INDEX miner_reward_totals_height ON miner_reward_totals USING brin (height) WITH (pages_per_range='16');

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

create table name_history (
  height integer not null,
  event_index integer not null,
  owner integer not null,
  zonefile_owner integer not null,
  lease_start integer not null,
  renewal integer not null,
  token integer not null,
  version smallint not null,
  place smallint not null,
  change smallint not null,
  status smallint not null,
  revoked boolean not null,
  price numeric,
  zonefile_hash bytea not null,
  name text collate "C" not null,
  namespace text collate "C" not null,
  constraint name_history_pkey PRIMARY KEY (name, version, height, place, event_index)
);
CREATE INDEX name_history_height ON name_history USING brin (height) WITH (pages_per_range='16');
CREATE INDEX name_history_owner ON name_history USING btree (owner, name);
CREATE INDEX name_history_token ON name_history USING btree (token, height) WHERE (version = 2);
CREATE INDEX name_history_zonefile ON name_history USING btree (name, zonefile_hash, height);

create table names (
  owner integer not null,
  lease_start integer not null,
  renewal integer not null,
  version smallint not null,
  hidden boolean not null,
  name text collate "C" not null,
  namespace text collate "C" not null,
  constraint names_pkey PRIMARY KEY (name)
);
CREATE INDEX names_lease ON names USING btree (namespace, version, lease_start, name) WHERE ((renewal = 0) AND (NOT hidden));
CREATE INDEX names_listed ON names USING btree (name) WHERE (NOT hidden);
CREATE INDEX names_namespace ON names USING btree (namespace, name) WHERE (NOT hidden);
CREATE INDEX names_owner ON names USING btree (owner, name) WHERE (NOT hidden);
CREATE INDEX names_renewal ON names USING btree (renewal, name) WHERE ((renewal > 0) AND (NOT hidden));

create table namespace_history (
  height integer not null,
  event_index integer not null,
  importer integer not null,
  manager integer not null,
  revealed_at integer not null,
  launched_at integer not null,
  lifetime integer not null,
  version smallint not null,
  place smallint not null,
  change smallint not null,
  manager_transfers boolean not null,
  manager_frozen boolean not null,
  price_updatable boolean not null,
  base numeric not null,
  coefficient numeric not null,
  nonalpha_discount numeric not null,
  no_vowel_discount numeric not null,
  buckets bigint[] not null,
  namespace text collate "C" not null,
  constraint namespace_history_pkey PRIMARY KEY (namespace, version, height, place, event_index)
);
CREATE INDEX namespace_history_height ON namespace_history USING btree (height);

create table namespace_prices (
  height integer not null,
  event_index integer not null,
  place smallint not null,
  base numeric not null,
  coefficient numeric not null,
  nonalpha_discount numeric not null,
  no_vowel_discount numeric not null,
  buckets bigint[] not null,
  namespace text collate "C" not null,
  constraint namespace_prices_pkey PRIMARY KEY (namespace, height, place, event_index)
);
CREATE INDEX namespace_prices_height ON namespace_prices USING btree (height);

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
CREATE INDEX nft_history_recipient ON nft_history USING btree (recipient, asset, value) WHERE (recipient <> 0);

create table nft_holders (
  asset integer not null,
  principal integer not null,
  balance numeric not null
);
CREATE UNIQUE INDEX nft_holders_rank ON nft_holders USING btree (asset, balance, principal);

create table orphan_transactions (
  tx_id bytea not null,
  index_hash bytea not null,
  side boolean not null default false,
  constraint orphan_transactions_pkey PRIMARY KEY (tx_id, index_hash)
);

create table pox_cycle_signers (
  cycle integer not null,
  height integer not null,
  weight integer not null,
  stacked numeric not null,
  key bytea not null,
  constraint pox_cycle_signers_pkey PRIMARY KEY (cycle, height, key)
);
CREATE INDEX pox_cycle_signers_height ON pox_cycle_signers USING btree (height);

create table pox_cycles (
  cycle integer not null,
  height integer not null,
  weight integer not null,
  signers integer not null,
  stacked numeric not null,
  constraint pox_cycles_pkey PRIMARY KEY (cycle, height)
);
CREATE INDEX pox_cycles_height ON pox_cycles USING btree (height);

create table pox_events (
  height integer not null,
  event_index integer not null,
  stacker integer not null,
  pool integer not null,
  first_cycle integer not null,
  end_cycle integer not null,
  place smallint not null,
  version smallint not null,
  call smallint not null,
  amount numeric not null,
  until numeric,
  address bytea not null,
  signer_key bytea not null,
  constraint pox_events_pkey PRIMARY KEY (height, place, event_index)
);
CREATE INDEX pox_events_cycle ON pox_events USING btree (end_cycle, first_cycle) WHERE ((version = 4) AND ((call >= 2) AND (call <= 11)));
CREATE INDEX pox_events_delegation ON pox_events USING btree (stacker, version, height) WHERE (call = ANY (ARRAY[5, 12]));
CREATE INDEX pox_events_pool ON pox_events USING btree (pool, version, height) WHERE (call = 5);
CREATE INDEX pox_events_stacker ON pox_events USING btree (stacker, version, height);
CREATE INDEX pox_events_version ON pox_events USING btree (version, height, place, event_index);

create table primary_names (
  owner integer not null,
  height integer not null,
  event_index integer not null,
  token integer not null,
  place smallint not null,
  constraint primary_names_pkey PRIMARY KEY (owner, height, place, event_index)
);
CREATE INDEX primary_names_height ON primary_names USING btree (height);

create table principal_transactions (
  principal integer not null,
  height integer not null,
  seq integer not null,
  direct_seq integer not null,
  event_seq integer not null,
  inbound_seq integer not null,
  place smallint not null,
  role smallint not null,
  sent numeric not null,
  received numeric not null
);
CREATE INDEX principal_transactions_height ON principal_transactions USING brin (height) WITH (pages_per_range='16');
CREATE INDEX principal_transactions_lock ON principal_transactions USING btree (principal, height) WHERE (((role)::integer & 128) <> 0);
CREATE INDEX principal_transactions_principal ON principal_transactions USING btree (principal, height);
CREATE INDEX principal_transactions_sender ON principal_transactions USING btree (principal, height) WHERE (((role)::integer & 3) <> 0);

create table principals (
  id integer not null,
  name bytea not null,
  constraint principals_pkey PRIMARY KEY (id),
  constraint principals_name_key UNIQUE (name)
);

create table print_shape_totals (
  shape bigint not null,
  contract integer not null,
  height integer not null,
  total integer not null,
  constraint print_shape_totals_pkey PRIMARY KEY (contract, shape, height)
);
CREATE INDEX print_shape_totals_height ON print_shape_totals USING brin (height) WITH (pages_per_range='16');

create table print_shapes (
  shape bigint not null,
  contract integer not null,
  height integer not null,
  event_index integer not null,
  number integer not null,
  place smallint not null,
  topic bytea,
  fields text not null,
  constraint print_shapes_pkey PRIMARY KEY (contract, height, number)
);
CREATE INDEX print_shapes_height ON print_shapes USING brin (height) WITH (pages_per_range='16');

create table prune_runs (
  from_id bigint not null,
  to_id bigint not null,
  file text not null,
  at timestamp with time zone not null default now()
);

create table publishers (
  stream text not null,
  lease text,
  lease_until timestamp with time zone,
  "position" text,
  height integer not null default '-1'::integer,
  messages bigint not null default 0,
  published_at timestamp with time zone,
  trouble text,
  failing_since timestamp with time zone,
  constraint publishers_pkey PRIMARY KEY (stream)
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

create table sbtc_contracts (
  height integer not null,
  event_index integer not null,
  contract integer not null,
  place smallint not null,
  registry smallint not null,
  role smallint not null,
  constraint sbtc_contracts_pkey PRIMARY KEY (height, place, event_index)
);

create table sbtc_deposits (
  height integer not null,
  event_index integer not null,
  recipient integer not null,
  vout integer not null,
  burn_height integer not null,
  place smallint not null,
  registry smallint not null,
  staking boolean not null,
  amount numeric not null,
  tx_id bytea not null,
  sweep_tx_id bytea not null,
  burn_hash bytea not null,
  constraint sbtc_deposits_pkey PRIMARY KEY (registry, height, place, event_index)
);
CREATE INDEX sbtc_deposits_amount ON sbtc_deposits USING btree (registry, amount);
CREATE INDEX sbtc_deposits_height ON sbtc_deposits USING brin (height) WITH (pages_per_range='16');
CREATE INDEX sbtc_deposits_output ON sbtc_deposits USING btree (tx_id, vout);
CREATE INDEX sbtc_deposits_recipient ON sbtc_deposits USING btree (recipient, height, place, event_index);
CREATE INDEX sbtc_deposits_users ON sbtc_deposits USING btree (registry, height, place, event_index) WHERE (NOT staking);

create table sbtc_key_rotations (
  height integer not null,
  event_index integer not null,
  signer integer not null,
  threshold integer not null,
  place smallint not null,
  registry smallint not null,
  aggregate_key bytea not null,
  keys bytea not null,
  constraint sbtc_key_rotations_pkey PRIMARY KEY (height, place, event_index)
);

create table sbtc_movements (
  height integer not null,
  event_index integer not null,
  principal integer not null,
  place smallint not null,
  registry smallint not null,
  kind smallint not null,
  constraint sbtc_movements_pkey PRIMARY KEY (principal, height, place, event_index)
);
CREATE INDEX sbtc_movements_height ON sbtc_movements USING brin (height) WITH (pages_per_range='16');

create table sbtc_totals (
  height integer not null,
  deposits integer not null,
  requests integer not null,
  accepted integer not null,
  rejected integer not null,
  registry smallint not null,
  deposited numeric not null,
  requested numeric not null,
  withdrawn numeric not null,
  returned numeric not null,
  fees numeric not null,
  constraint sbtc_totals_pkey PRIMARY KEY (registry, height)
);
CREATE INDEX sbtc_totals_height ON sbtc_totals USING brin (height) WITH (pages_per_range='16');

create table sbtc_withdrawal_states (
  height integer not null,
  event_index integer not null,
  request_id integer not null,
  request_height integer not null,
  request_index integer not null,
  request_burn_height integer not null,
  sender integer not null,
  vout integer,
  burn_height integer,
  place smallint not null,
  request_place smallint not null,
  registry smallint not null,
  status smallint not null,
  version smallint not null,
  amount numeric not null,
  max_fee numeric not null,
  fee numeric,
  hash bytea not null,
  burn_hash bytea,
  sweep_tx_id bytea,
  constraint sbtc_withdrawal_states_pkey PRIMARY KEY (registry, request_id, height, place, event_index)
);
CREATE INDEX sbtc_withdrawal_states_height ON sbtc_withdrawal_states USING brin (height) WITH (pages_per_range='16');

create table sbtc_withdrawals (
  height integer not null,
  event_index integer not null,
  request_id integer not null,
  sender integer not null,
  place smallint not null,
  registry smallint not null,
  status smallint not null,
  version smallint not null,
  hash bytea not null,
  constraint sbtc_withdrawals_pkey PRIMARY KEY (registry, request_id)
);
CREATE INDEX sbtc_withdrawals_hash ON sbtc_withdrawals USING btree (hash, height, place, event_index);
CREATE INDEX sbtc_withdrawals_position ON sbtc_withdrawals USING btree (registry, height, place, event_index);
CREATE INDEX sbtc_withdrawals_sender ON sbtc_withdrawals USING btree (sender, height, place, event_index);
CREATE INDEX sbtc_withdrawals_status ON sbtc_withdrawals USING btree (registry, status, height, place, event_index);

create table signer_changes (
  seq bigint not null,
  hash bytea not null,
  constraint signer_changes_pkey PRIMARY KEY (seq, hash)
);

create table signer_hours (
  cycle integer not null,
  hour integer not null,
  proposals integer not null,
  blocks integer not null,
  stale boolean not null,
  pruned boolean not null,
  constraint signer_hours_pkey PRIMARY KEY (cycle, hour)
);
CREATE INDEX signer_hours_stale ON signer_hours USING btree (cycle, hour) WHERE stale;

create table signer_proposals (
  received bigint not null,
  "time" bigint not null,
  cycle integer not null,
  height integer not null,
  burn_height integer not null,
  hash bytea not null,
  index_hash bytea not null,
  constraint signer_proposals_pkey PRIMARY KEY (hash)
);
CREATE INDEX signer_proposals_cycle ON signer_proposals USING btree (cycle, received);
CREATE INDEX signer_proposals_received ON signer_proposals USING btree (received, hash);

create table signer_pushes (
  received bigint not null,
  hash bytea not null,
  constraint signer_pushes_pkey PRIMARY KEY (hash)
);

create table signer_responses (
  received bigint not null,
  signature bigint not null,
  version bigint not null,
  reason bigint not null,
  slot smallint not null,
  parity smallint not null,
  code smallint not null,
  detail smallint not null,
  validation smallint not null,
  accepted boolean not null,
  hash bytea not null,
  constraint signer_responses_pkey PRIMARY KEY (hash, parity, slot)
);

create table signer_texts (
  id bigint not null,
  text text not null,
  constraint signer_texts_pkey PRIMARY KEY (id)
);

create table signer_totals (
  response_ms bigint not null,
  last_received bigint not null,
  last_version bigint not null,
  cycle integer not null,
  hour integer not null,
  accepted integer not null,
  rejected integer not null,
  answered integer not null,
  slot smallint not null,
  constraint signer_totals_pkey PRIMARY KEY (cycle, slot, hour)
);
CREATE INDEX signer_totals_hour ON signer_totals USING btree (cycle, hour);

create table staking_allowances (
  bond integer not null,
  staker integer not null,
  height integer not null,
  event_index integer not null,
  place smallint not null,
  max_sats numeric not null,
  constraint staking_allowances_pkey PRIMARY KEY (bond, staker, height, place, event_index)
);
CREATE INDEX staking_allowances_height ON staking_allowances USING btree (height);

create table staking_bonds (
  bond integer not null,
  height integer not null,
  event_index integer not null,
  first_cycle integer not null,
  unlock_cycle integer not null,
  start_height integer not null,
  unlock_height integer not null,
  place smallint not null,
  target_rate bigint not null,
  stx_value_ratio bigint not null,
  minimum_stx_ratio bigint not null,
  constraint staking_bonds_pkey PRIMARY KEY (bond, height, place, event_index)
);
CREATE INDEX staking_bonds_height ON staking_bonds USING btree (height);

create table staking_claims (
  staker integer not null,
  bond integer not null,
  height integer not null,
  event_index integer not null,
  place smallint not null,
  sats numeric not null,
  cycle integer not null,
  signer integer not null,
  constraint staking_claims_pkey PRIMARY KEY (staker, bond, height, place, event_index)
);
CREATE INDEX staking_claims_bond ON staking_claims USING btree (bond) WHERE (bond >= 0);
CREATE INDEX staking_claims_height ON staking_claims USING btree (height);

create table staking_distributions (
  bond integer not null,
  height integer not null,
  event_index integer not null,
  cycle integer not null,
  place smallint not null,
  rewards numeric not null,
  shares numeric not null,
  constraint staking_distributions_pkey PRIMARY KEY (bond, height, place, event_index)
);
CREATE INDEX staking_distributions_height ON staking_distributions USING btree (height);

create table staking_events (
  height integer not null,
  event_index integer not null,
  bond integer not null,
  cycle integer not null,
  staker integer not null,
  place smallint not null,
  topic smallint not null,
  constraint staking_events_pkey PRIMARY KEY (height, place, event_index)
);
CREATE INDEX staking_events_bond ON staking_events USING btree (bond, height, place, event_index) WHERE (bond >= 0);
CREATE INDEX staking_events_cycle ON staking_events USING btree (cycle, topic) WHERE (cycle >= 0);

create table staking_grants (
  signer integer not null,
  height integer not null,
  event_index integer not null,
  place smallint not null,
  active boolean not null,
  auth_id numeric not null,
  key bytea not null,
  constraint staking_grants_pkey PRIMARY KEY (signer, height, place, event_index)
);
CREATE INDEX staking_grants_height ON staking_grants USING btree (height);

create table staking_positions (
  height integer not null,
  event_index integer not null,
  staker integer not null,
  signer integer not null,
  bond integer not null,
  first_cycle integer not null,
  unlock_cycle integer not null,
  unlock_height integer not null,
  place smallint not null,
  cause smallint not null,
  l1 boolean not null,
  stx numeric,
  sats numeric,
  constraint staking_positions_pkey PRIMARY KEY (height, place, event_index)
);
CREATE INDEX staking_positions_bond ON staking_positions USING btree (bond, height) WHERE (cause = 4);
CREATE INDEX staking_positions_exits ON staking_positions USING btree (bond, height) WHERE (cause = ANY (ARRAY[6, 7]));
CREATE INDEX staking_positions_signer ON staking_positions USING btree (signer);
CREATE INDEX staking_positions_staker ON staking_positions USING btree (staker, bond, height);

create table staking_rates (
  bond integer not null,
  cycle integer not null,
  height integer not null,
  event_index integer not null,
  calculation_height integer not null,
  place smallint not null,
  rate numeric not null,
  constraint staking_rates_pkey PRIMARY KEY (bond, cycle, height, place, event_index)
);
CREATE INDEX staking_rates_height ON staking_rates USING brin (height) WITH (pages_per_range='16');

create table staking_signer_claims (
  signer integer not null,
  cycle integer not null,
  bond integer not null,
  height integer not null,
  event_index integer not null,
  place smallint not null,
  sats numeric not null,
  constraint staking_signer_claims_pkey PRIMARY KEY (signer, cycle, bond, height, place, event_index)
);
CREATE INDEX staking_signer_claims_height ON staking_signer_claims USING brin (height) WITH (pages_per_range='16');

create table staking_signer_cycles (
  signer integer not null,
  cycle integer not null,
  height integer not null,
  stakers integer not null,
  stx numeric not null,
  constraint staking_signer_cycles_pkey PRIMARY KEY (signer, cycle, height)
);
CREATE INDEX staking_signer_cycles_height ON staking_signer_cycles USING brin (height) WITH (pages_per_range='16');

create table staking_signers (
  signer integer not null,
  height integer not null,
  event_index integer not null,
  place smallint not null,
  key bytea not null,
  constraint staking_signers_pkey PRIMARY KEY (signer, height, place, event_index)
);
CREATE INDEX staking_signers_height ON staking_signers USING btree (height);
CREATE INDEX staking_signers_key ON staking_signers USING btree (key);

create table staking_terms (
  height integer not null,
  event_index integer not null,
  staker integer not null,
  signer integer not null,
  bond integer not null,
  first_cycle integer not null,
  end_cycle integer not null,
  start_cycle integer not null,
  unlock_height integer not null,
  lock_height integer not null,
  lock_index integer not null,
  lock_place smallint not null,
  place smallint not null,
  l1 boolean not null,
  stx numeric not null,
  sats numeric not null,
  constraint staking_terms_pkey PRIMARY KEY (staker, height, place, event_index)
);
CREATE INDEX staking_terms_height ON staking_terms USING brin (height) WITH (pages_per_range='16');
CREATE INDEX staking_terms_signer ON staking_terms USING btree (signer, end_cycle);

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
CREATE INDEX stx_locks_unlock ON stx_locks USING btree (unlock_height);

create table token_contracts (
  id integer not null generated always as identity,
  class smallint not null,
  height integer not null,
  counted_at integer,
  name bytea not null,
  principal text collate "C" not null,
  asset text,
  constraint token_contracts_pkey PRIMARY KEY (id),
  constraint token_contracts_name_key UNIQUE (name)
);
CREATE INDEX token_contracts_height ON token_contracts USING btree (height);

create table token_discovery (
  one boolean not null default true,
  height integer not null,
  index_hash bytea not null,
  fetches boolean not null,
  constraint token_discovery_pkey PRIMARY KEY (one),
  constraint token_discovery_one_check CHECK (one)
);

create table token_jobs (
  contract integer not null,
  kind smallint not null,
  number numeric not null,
  due timestamp with time zone not null,
  attempts integer not null default 0,
  version integer not null default 1,
  lease text,
  constraint token_jobs_pkey PRIMARY KEY (contract, kind, number),
  constraint token_jobs_contract_fkey FOREIGN KEY (contract) REFERENCES token_contracts(id) ON DELETE CASCADE
);
CREATE INDEX token_jobs_due ON token_jobs USING btree (contract, kind, due);

create table token_locales (
  contract integer not null,
  number numeric not null,
  locale text not null,
  metadata json not null,
  constraint token_locales_pkey PRIMARY KEY (contract, number, locale),
  constraint token_locales_contract_number_fkey FOREIGN KEY (contract, number) REFERENCES tokens(contract, number) ON DELETE CASCADE
);

create table token_notices (
  contract integer not null,
  height integer not null,
  place smallint not null,
  event_index integer not null,
  mode smallint not null,
  ttl bigint,
  numbers numeric[],
  constraint token_notices_pkey PRIMARY KEY (contract, height, place, event_index),
  constraint token_notices_contract_fkey FOREIGN KEY (contract) REFERENCES token_contracts(id) ON DELETE CASCADE
);
CREATE INDEX token_notices_height ON token_notices USING btree (height);

create table token_notifications (
  height integer not null,
  event_index integer not null,
  contract integer not null,
  place smallint not null,
  class smallint not null,
  valid boolean not null,
  constraint token_notifications_pkey PRIMARY KEY (height, place, event_index)
);
CREATE INDEX token_notifications_contract ON token_notifications USING btree (contract, height);

create table tokens (
  contract integer not null,
  number numeric not null,
  class smallint not null,
  height integer not null,
  read_height integer,
  read_at timestamp with time zone,
  fetched_at timestamp with time zone,
  refresh_at timestamp with time zone,
  decimals integer,
  supply numeric,
  name text,
  symbol text,
  uri text,
  error_code text,
  error_message text,
  metadata json,
  constraint tokens_pkey PRIMARY KEY (contract, number),
  constraint tokens_contract_fkey FOREIGN KEY (contract) REFERENCES token_contracts(id) ON DELETE CASCADE
);
CREATE INDEX tokens_ft_name ON tokens USING btree (lower(name) COLLATE "C", contract) WHERE (class = 1);
CREATE INDEX tokens_ft_symbol ON tokens USING btree (lower(symbol) COLLATE "C", contract) WHERE (class = 1);
CREATE INDEX tokens_height ON tokens USING btree (height);
CREATE INDEX tokens_read_height ON tokens USING btree (read_height);
CREATE INDEX tokens_refresh ON tokens USING btree (refresh_at) WHERE (refresh_at IS NOT NULL);

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
  height integer not null,
  sender integer not null,
  sponsor integer not null,
  target integer not null,
  function integer not null,
  event_count integer not null,
  tx_index integer not null,
  microblock_sequence integer not null,
  place smallint not null,
  type smallint not null,
  status smallint not null,
  tx_id bytea not null,
  microblock bytea not null,
  cost bytea not null,
  result bytea not null,
  raw bytea not null,
  vm_error text not null,
  constraint transactions_pkey PRIMARY KEY (height, place)
);
CREATE INDEX transactions_aborted ON transactions USING btree (height, place, status) WHERE (status <> 1);
CREATE INDEX transactions_fee ON transactions USING btree (fee, height);
CREATE INDEX transactions_function ON transactions USING btree (function, height) WHERE (function <> 0);
CREATE INDEX transactions_target_type ON transactions USING btree (target, height, type) WHERE (target <> 0);
CREATE INDEX transactions_tx_id ON transactions USING btree (SUBSTRING(tx_id FROM 1 FOR 7));
CREATE INDEX transactions_type ON transactions USING btree (type, height);

create table transfers (
  principal integer not null,
  asset integer not null,
  height integer not null,
  event_index integer not null,
  seq integer not null,
  place smallint not null,
  constraint transfers_pkey PRIMARY KEY (principal, asset, height, place, event_index)
);
CREATE INDEX transfers_height ON transfers USING brin (height) WITH (pages_per_range='16');

create table unknown_items (
  kind text not null,
  name text not null,
  events bigint not null,
  first_event bigint not null,
  last_event bigint not null,
  constraint unknown_items_pkey PRIMARY KEY (kind, name)
);
comment on table unknown_items is 'Paths, fields, codes and names that nodes sent and this program does not know, with how many events had them.';

create table webhook_blocks (
  hook integer not null,
  height integer not null,
  index_hash bytea not null,
  body text not null,
  constraint webhook_blocks_pkey PRIMARY KEY (hook, height, index_hash),
  constraint webhook_blocks_hook_fkey FOREIGN KEY (hook) REFERENCES webhooks(id) ON DELETE CASCADE
);

create table webhook_deliveries (
  id bigint not null generated always as identity,
  hook integer not null,
  kind text not null,
  message text not null,
  attempt integer not null,
  messages integer not null,
  first_height integer,
  last_height integer,
  status integer,
  error text,
  duration_ms integer not null,
  at timestamp with time zone not null default now(),
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_hook_fkey FOREIGN KEY (hook) REFERENCES webhooks(id) ON DELETE CASCADE,
  constraint webhook_deliveries_kind_check CHECK ((kind = ANY (ARRAY['batch'::text, 'redelivery'::text, 'test'::text])))
);
CREATE INDEX webhook_deliveries_hook ON webhook_deliveries USING btree (hook, id);

create table webhook_evaluations (
  id bigint not null generated always as identity,
  hook integer not null,
  height integer not null,
  constraint webhook_evaluations_pkey PRIMARY KEY (id),
  constraint webhook_evaluations_hook_fkey FOREIGN KEY (hook) REFERENCES webhooks(id) ON DELETE CASCADE
);
CREATE INDEX webhook_evaluations_hook ON webhook_evaluations USING btree (hook, id);

create table webhooks (
  id integer not null generated always as identity,
  name text not null,
  url text not null,
  selection json not null,
  payload text not null,
  batch integer not null,
  secret bytea not null,
  secret_key bytea not null,
  state text not null default 'active'::text,
  reason text,
  "position" text not null,
  height integer not null,
  attempt_until text,
  attempt_at timestamp with time zone,
  undo text,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  due timestamp with time zone not null default now(),
  last_error text,
  delivered_at timestamp with time zone,
  deliveries bigint not null default 0,
  messages bigint not null default 0,
  again_position text,
  again_from integer,
  again_to integer,
  again_number integer not null default 0,
  lease text,
  lease_until timestamp with time zone,
  term bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  evaluated bigint not null default 0,
  evaluated_at timestamp with time zone,
  occurrences bigint not null default 0,
  occurred_height integer,
  occurred_at timestamp with time zone,
  end_height integer,
  end_occurrences bigint,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_name_key UNIQUE (name),
  constraint webhooks_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text, 'expired'::text])))
);

create table zonefile_subdomains (
  sequence integer not null,
  genesis boolean not null,
  zonefile bytea not null,
  zonefile_hash bytea not null,
  parent text collate "C" not null,
  label text collate "C" not null,
  owner text collate "C" not null,
  resolver text not null,
  content bytea not null,
  constraint zonefile_subdomains_pkey PRIMARY KEY (parent, zonefile, label)
);
CREATE INDEX zonefile_subdomains_label ON zonefile_subdomains USING btree (parent, label);
CREATE INDEX zonefile_subdomains_owner ON zonefile_subdomains USING btree (owner);

create table zonefiles (
  hash bytea not null,
  content bytea not null,
  constraint zonefiles_pkey PRIMARY KEY (hash)
);

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
