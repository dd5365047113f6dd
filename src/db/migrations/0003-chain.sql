-- The canonical chain: one chain only, forks live in the log. Every table owns a `height`, so that a rollback is
-- "delete above the fork"; the tables of current values are restored from their history. Wide tables use 0 and '' instead
-- of null: from nine columns on, a null bitmap costs more than the values it saves.

-- Interned names. Never rolled back: a name that only an orphaned block used does no harm and keys stay stable.
create table principals (
  id int primary key,
  name bytea not null unique      -- version byte, hash160, then '.name' for contracts
);
create table assets (
  id int primary key,
  contract int not null,
  name text not null,
  unique (contract, name)
);
create table functions (
  id int primary key,
  name text not null unique
);

create table blocks (
  height int primary key,
  time int not null,                       -- header time, 0 where the block has none
  burn_height int not null,
  burn_time int not null,
  parent_burn_height int not null,
  parent_burn_time int not null,
  tenure int not null,                     -- -1 where the node did not say
  tx_count int not null,                   -- receipts of its own message
  tx_total int not null,                   -- transactions up to and with this block
  microblock_sequence int not null,        -- of the last microblock it confirms, -1 when none
  read_count int not null,
  write_count int not null,
  read_length bigint not null,
  write_length bigint not null,
  runtime bigint not null,
  supply numeric not null,                 -- liquid micro-STX after this block
  hash bytea not null,
  index_hash bytea not null unique,
  parent_hash bytea not null,
  parent_index_hash bytea not null,
  burn_hash bytea not null,
  parent_burn_hash bytea not null,
  miner_tx_id bytea not null,
  microblock bytea not null,               -- last microblock it confirms, '' when none
  consensus_hash bytea not null,
  signer_bitvec bytea not null,
  signatures bytea not null,               -- 65 bytes each
  miner_signature bytea not null,
  state_hash bytea not null,               -- of every balance and owner the block left behind, chained
  type_totals int[] not null,              -- running count of transactions by payload id
  unlock_heights int8[] not null           -- forced unlock heights of pox-1.. as told, in order
);
create index blocks_hash on blocks (substring(hash from 1 for 8));           -- block by block hash
create index blocks_burn_height on blocks (burn_height, height);             -- blocks of a burn block, newest of a burn height
create index blocks_burn_hash on blocks (substring(burn_hash from 1 for 8)); -- block by burn block hash
create index blocks_tenure on blocks (tenure, height);                       -- blocks of a tenure
create index blocks_tx_total on blocks (tx_total);                           -- the block an offset of the transaction list falls in
create index blocks_time on blocks (time, height);                           -- newest block at a time
create index blocks_burn_time on blocks (burn_time, height);                 -- transactions between two times

-- Burn blocks that have Stacks blocks: the list of them is one backward walk of this small index.
create table burn_block_heights (
  burn_height int primary key,
  height int not null             -- first Stacks block of it
);
create index burn_block_heights_height on burn_block_heights (height);       -- rollback

create table transactions (
  fee bigint not null,
  nonce bigint not null,
  height int not null,
  sender int not null,            -- 0 = none
  sponsor int not null,
  target int not null,            -- recipient of a transfer, contract called or deployed
  function int not null,
  event_count int not null,
  tx_index int not null,          -- as the node counted
  microblock_sequence int not null, -- 2147483647 for anchored ones, as the public API has it
  place smallint not null,        -- order inside the block: confirmed microblocks first, then the anchored ones
  type smallint not null,         -- payload id
  status smallint not null,
  tx_id bytea not null,
  microblock bytea not null,
  cost bytea not null,            -- what it took to execute it, src/chain/execution-cost.ts
  result bytea not null,
  raw bytea not null,
  vm_error text not null,
  primary key (height, place) with (fillfactor = 100) -- grows at its end only: full pages stay full
);
create index transactions_tx_id on transactions (substring(tx_id from 1 for 7));       -- transaction by id; 7 bytes make an entry of 16, 8 one of 24
create index transactions_type on transactions (type, height);                         -- newest of a type
create index transactions_target on transactions (target, height) where target <> 0;   -- to_address, contract_id
create index transactions_function on transactions (function, height) where function <> 0; -- function_name
create index transactions_fee on transactions (fee, height);                           -- sort_by=fee
-- Nobody asks by them, and they are most of the bytes that statistics would be made of.
alter table transactions alter microblock set statistics 0, alter cost set statistics 0, alter result set statistics 0,
  alter raw set statistics 0, alter vm_error set statistics 0;

-- What a transaction carries beyond its bytes: burn operations and statuses the program has no code for.
create table transaction_extras (
  height int not null,
  place smallint not null,
  name text not null,             -- 'burn_operation', 'status', 'genesis'
  body text not null,
  primary key (height, place, name)
);

create table events (
  height int not null,
  event_index int not null,       -- inside its transaction
  asset int not null,             -- asset; for prints and locks the contract's principal
  sender int not null,            -- 0 = none
  recipient int not null,
  place smallint not null,
  kind smallint not null,
  amount numeric not null,
  value bytea not null            -- NFT id, printed value, memo, or the unlock height of a lock
);
create index events_place on events (height, place) with (fillfactor = 100); -- events of a transaction, of a block, rollback
create index events_genesis on events (recipient) where height = 1;         -- the first allocations: one transaction with an event for each
create index events_genesis_sender on events (sender) where height = 1 and sender <> 0;
create index events_print on events (asset, height) where kind = 11;        -- contract events
alter table events alter value set statistics 0;                            -- as above

create table contract_log_totals (
  contract int not null,
  height int not null,
  total int not null,             -- prints up to and with this block
  primary key (contract, height)
);
create index contract_log_totals_height on contract_log_totals using brin (height) with (pages_per_range = 16);

create table contracts (
  contract int primary key,
  height int not null,
  place smallint not null,
  clarity_version smallint not null, -- 0 where the payload has none
  functions int8[] not null,      -- hashes of its public interface, for the search by trait
  abi text not null               -- '' where the node gave none
);
create index contracts_height on contracts (height);                        -- rollback
create index contracts_functions on contracts using gin (functions);        -- by_trait

-- The history of an account: one row for each transaction that touched it, with running totals of what it lists.
create table principal_transactions (
  principal int not null,
  height int not null,
  seq int not null,               -- n-th transaction of the account
  direct_seq int not null,        -- the same without those that only moved tokens for it
  event_seq int not null,         -- asset events up to and with this transaction
  inbound_seq int not null,       -- incoming STX transfers up to and with this one, src/chain/inbound-transfer.ts
  place smallint not null,
  role smallint not null,         -- bit set, src/chain/role.ts
  sent numeric not null,          -- STX, without the fee
  received numeric not null
);
create index principal_transactions_principal on principal_transactions (principal, height); -- history of an account
create index principal_transactions_sender on principal_transactions (principal, height) where role & 3 <> 0; -- from_address, nonces
create index principal_transactions_height on principal_transactions using brin (height) with (pages_per_range = 16);

create table stx_balances (
  principal int not null,
  height int not null,
  sent numeric,
  received numeric,
  fees numeric,
  rewards numeric,                -- balance = received + rewards - sent - fees
  primary key (principal, height)
);
create index stx_balances_height on stx_balances using brin (height) with (pages_per_range = 16);

create table ft_balances (
  principal int not null,
  asset int not null,
  height int not null,
  sent numeric,
  received numeric,
  primary key (principal, asset, height)
);
create index ft_balances_height on ft_balances using brin (height) with (pages_per_range = 16);

create table nft_balances (
  principal int not null,
  asset int not null,
  height int not null,
  sent int,
  received int,
  primary key (principal, asset, height)
);
create index nft_balances_height on nft_balances using brin (height) with (pages_per_range = 16);

-- Sum of balances and holders of an asset (0 is STX) after each block that changed them.
create table asset_totals (
  asset int not null,
  height int not null,
  holders int not null,
  mints int not null,             -- NFTs minted so far
  supply numeric not null,
  primary key (asset, height)
);
create index asset_totals_height on asset_totals using brin (height) with (pages_per_range = 16);

create table nft_history (
  asset int not null,
  height int not null,
  event_index int not null,
  sender int not null,
  recipient int not null,
  seq int not null,               -- n-th event of this NFT
  mint_seq int not null,          -- n-th mint of the class, 0 for other events
  place smallint not null,
  value bytea not null,
  primary key (asset, value, height, place, event_index)
);
create index nft_history_height on nft_history using brin (height) with (pages_per_range = 16);
create index nft_history_mints on nft_history (asset, mint_seq) where mint_seq > 0; -- mints of a class

-- Locks in force: the last row of a principal wins.
create table stx_locks (
  principal int not null,
  height int not null,
  event_index int not null,
  contract int not null,
  unlock_height int not null,     -- burn height
  place smallint not null,
  amount numeric not null,        -- 0 when the lock was lifted early
  primary key (principal, height, place, event_index)
);
create index stx_locks_height on stx_locks (height);                        -- rollback

create table miner_rewards (
  height int not null,
  position smallint not null,
  recipient int not null,
  miner int not null,
  coinbase numeric not null,
  fees_anchored numeric not null,
  fees_confirmed numeric not null,
  fees_produced numeric not null,
  from_index_hash bytea not null,
  primary key (height, position)
);
create index miner_rewards_recipient on miner_rewards (recipient, height);  -- rewards of an account

-- Current values, always re-derivable from the history tables.

-- Who holds how much, ranked: asset 0 is STX. Everyone a block has touched, those with nothing left included, as the
-- public API lists them; the one index is the table's order and its key.
create table holders (
  asset int not null,
  principal int not null,
  balance numeric not null
);
create unique index holders_rank on holders (asset, balance, principal);    -- holders of an asset, largest first
create table nft_current (
  asset int not null,
  owner int not null,
  height int not null,            -- block of the last move
  place smallint not null,
  value bytea not null,
  primary key (asset, value)
);
create index nft_current_owner on nft_current (owner, height);              -- holdings, newest first

-- Microblocks that a block confirmed, at its height; unconfirmed ones of the tip's stream stand at tip + 1, like everything
-- they did: that provisional layer is dropped whole when the tip changes.
create table microblocks (
  height int not null,
  sequence int not null,
  ordinal int not null,           -- running count
  hash bytea not null,
  parent_hash bytea not null,
  primary key (height, sequence)
);
create index microblocks_hash on microblocks (substring(hash from 1 for 8)); -- microblock by hash
create index microblocks_ordinal on microblocks (ordinal);                  -- list of microblocks

-- Every microblock a stream message told of, on whatever branch. Not part of the fold: a rollback leaves it alone.
create table microblock_streams (
  hash bytea primary key,
  parent_hash bytea not null,
  anchor bytea not null,          -- index hash of the block it follows
  burn_hash bytea not null,       -- burn block of that block, as told
  event_id bigint not null,       -- where in the log its transactions are
  sequence int not null,
  burn_height int not null,
  burn_time int not null,
  live boolean not null           -- its anchor was the tip when it arrived
);
create index microblock_streams_anchor on microblock_streams (anchor);      -- stream on a block

create table burn_blocks (
  height int primary key,
  burn_amount bigint not null,
  hash bytea not null,
  consensus_hash bytea not null,
  parent_hash bytea not null
);
create index burn_blocks_hash on burn_blocks (substring(hash from 1 for 8)); -- burn block by hash
