-- What the registry of sBTC printed. `registry` tells the registries of a test network from each other; amounts are in satoshis,
-- hashes in display order.

create table sbtc_deposits (
  height int not null,
  event_index int not null,
  recipient int not null,                  -- 0 if the print does not follow a mint of the amount
  vout int not null,
  burn_height int not null,                -- the Bitcoin block that holds the sweep
  place smallint not null,
  registry smallint not null,
  staking boolean not null,                -- rewards of stakers, which are paid to pox-5
  amount numeric not null,
  tx_id bytea not null,                    -- of the deposit on Bitcoin
  sweep_tx_id bytea not null,
  burn_hash bytea not null,
  primary key (registry, height, place, event_index)
);
create index sbtc_deposits_height on sbtc_deposits using brin (height) with (pages_per_range = 16);        -- rollback
create index sbtc_deposits_output on sbtc_deposits (tx_id, vout);                                          -- one deposit
create index sbtc_deposits_recipient on sbtc_deposits (recipient, height, place, event_index);             -- recipient
create index sbtc_deposits_users on sbtc_deposits (registry, height, place, event_index) where not staking; -- exclude_staking

-- A withdrawal after each event of it; its newest row has the state.
create table sbtc_withdrawal_states (
  height int not null,
  event_index int not null,
  request_id int not null,
  request_height int not null,             -- the position of the request, in every row
  request_index int not null,
  request_burn_height int not null,
  sender int not null,
  vout int,                                -- of the payment on Bitcoin; this and the rest of the sweep only once accepted
  burn_height int,
  place smallint not null,
  request_place smallint not null,
  registry smallint not null,
  status smallint not null,                -- 1 pending, 2 accepted, 3 rejected
  version smallint not null,               -- of the recipient; -1 if it is empty
  amount numeric not null,
  max_fee numeric not null,
  fee numeric,
  hash bytea not null,
  burn_hash bytea,
  sweep_tx_id bytea,
  primary key (registry, request_id, height, place, event_index)
);
create index sbtc_withdrawal_states_height on sbtc_withdrawal_states using brin (height) with (pages_per_range = 16); -- rollback

-- The present state of each withdrawal; height, place and event_index are those of the request.
create table sbtc_withdrawals (
  height int not null,
  event_index int not null,
  request_id int not null,
  sender int not null,
  place smallint not null,
  registry smallint not null,
  status smallint not null,
  version smallint not null,
  hash bytea not null,
  primary key (registry, request_id)
);
create index sbtc_withdrawals_position on sbtc_withdrawals (registry, height, place, event_index);         -- all
create index sbtc_withdrawals_status on sbtc_withdrawals (registry, status, height, place, event_index);   -- status
create index sbtc_withdrawals_sender on sbtc_withdrawals (sender, height, place, event_index);             -- sender
create index sbtc_withdrawals_hash on sbtc_withdrawals (hash, height, place, event_index);                 -- address

-- Deposits to a principal and requests of it.
create table sbtc_movements (
  height int not null,
  event_index int not null,
  principal int not null,
  place smallint not null,
  registry smallint not null,
  kind smallint not null,                  -- 1 deposit, 2 withdrawal
  primary key (principal, height, place, event_index)
);
create index sbtc_movements_height on sbtc_movements using brin (height) with (pages_per_range = 16);      -- rollback

create table sbtc_key_rotations (
  height int not null,
  event_index int not null,
  signer int not null,                     -- the account of the signers
  threshold int not null,
  place smallint not null,
  registry smallint not null,
  aggregate_key bytea not null,
  keys bytea not null,                     -- 33 bytes each
  primary key (height, place, event_index)
);

create table sbtc_contracts (
  height int not null,
  event_index int not null,
  contract int not null,
  place smallint not null,
  registry smallint not null,
  role smallint not null,                  -- 0 governance, 1 deposit, 2 withdrawal
  primary key (height, place, event_index)
);

-- Counts and sums after each block with events of a registry.
create table sbtc_totals (
  height int not null,
  deposits int not null,
  requests int not null,
  accepted int not null,
  rejected int not null,
  registry smallint not null,
  deposited numeric not null,
  requested numeric not null,
  withdrawn numeric not null,
  returned numeric not null,
  fees numeric not null,
  primary key (registry, height)
);
create index sbtc_totals_height on sbtc_totals using brin (height) with (pages_per_range = 16);            -- rollback
