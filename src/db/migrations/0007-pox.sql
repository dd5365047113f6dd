-- Stacking: what the PoX contracts printed, the signer sets of the cycles, staking of pox-5; and what deploys and prints
-- say of tokens. The prints themselves are in `events`: these tables hold what lists look for. A position is always
-- (height, place, event_index), as there.

-- Calls of pox-2, pox-3 and pox-4.
create table pox_events (
  height int not null,
  event_index int not null,
  stacker int not null,           -- the pool itself where it commits what it gathered
  pool int not null,              -- whom it is delegated to; 0 when none
  first_cycle int not null,       -- cycles the call decides on, from the first up to, not with, the end; -1 when not told
  end_cycle int not null,
  place smallint not null,
  version smallint not null,      -- 2, 3 or 4
  call smallint not null,         -- src/chain/pox/print.ts
  amount numeric not null,        -- locked after the call; of a delegation or a commit, what it is about
  until numeric,                  -- burn height at which a delegation ends
  address bytea not null,         -- version byte and hash of the reward address, '' when none
  signer_key bytea not null,
  primary key (height, place, event_index)
);
create index pox_events_version on pox_events (version, height, place, event_index);      -- newest events of a version
create index pox_events_stacker on pox_events (stacker, version, height);                 -- events of a stacker
create index pox_events_pool on pox_events (pool, version, height) where call = 5;        -- members of a pool
create index pox_events_delegation on pox_events (stacker, version, height) where call in (5, 12); -- whether a delegation still holds
create index pox_events_cycle on pox_events (end_cycle, first_cycle) where version = 4 and call between 2 and 11; -- stackers and commits of a cycle

-- Signer sets as the node announced them; the newest of a cycle counts.
create table pox_cycles (
  cycle int not null,
  height int not null,
  weight int not null,
  signers int not null,
  stacked numeric not null,
  primary key (cycle, height)
);
create index pox_cycles_height on pox_cycles (height);                                    -- rollback
create table pox_cycle_signers (
  cycle int not null,
  height int not null,
  weight int not null,
  stacked numeric not null,
  key bytea not null,
  primary key (cycle, height, key)
);
create index pox_cycle_signers_height on pox_cycle_signers (height);                      -- rollback

-- Bonds of pox-5, and who may enrol.
create table staking_bonds (
  bond int not null,
  height int not null,
  event_index int not null,
  first_cycle int not null,
  unlock_cycle int not null,
  start_height int not null,      -- burn heights
  unlock_height int not null,
  place smallint not null,
  target_rate bigint not null,
  stx_value_ratio bigint not null,
  minimum_stx_ratio bigint not null,
  primary key (bond, height, place, event_index)
);
create index staking_bonds_height on staking_bonds (height);                              -- rollback
create table staking_allowances (
  bond int not null,
  staker int not null,
  height int not null,
  event_index int not null,
  place smallint not null,
  max_sats numeric not null,
  primary key (bond, staker, height, place, event_index)
);
create index staking_allowances_height on staking_allowances (height);                    -- rollback

-- Steps of stakers, each with what they have after it; null where the print does not say.
create table staking_positions (
  height int not null,
  event_index int not null,
  staker int not null,
  signer int not null,            -- the signer manager
  bond int not null,              -- -1 where STX alone are staked
  first_cycle int not null,       -- -1 when not told
  unlock_cycle int not null,
  unlock_height int not null,     -- burn height
  place smallint not null,
  cause smallint not null,        -- src/chain/pox/staking-print.ts
  l1 boolean not null,
  stx numeric,
  sats numeric,
  primary key (height, place, event_index)
);
create index staking_positions_staker on staking_positions (staker, bond, height);        -- positions of a staker
create index staking_positions_bond on staking_positions (bond, height) where cause = 4;  -- registrations of a bond
create index staking_positions_signer on staking_positions (signer);                      -- stakers behind a signer

create table staking_signers (
  signer int not null,
  height int not null,
  event_index int not null,
  place smallint not null,
  key bytea not null,
  primary key (signer, height, place, event_index)
);
create index staking_signers_height on staking_signers (height);                          -- rollback
create index staking_signers_key on staking_signers (key);                                -- managers of a signing key
create table staking_grants (
  signer int not null,
  height int not null,
  event_index int not null,
  place smallint not null,
  active boolean not null,        -- false when it was revoked
  auth_id numeric not null,
  key bytea not null,
  primary key (signer, height, place, event_index)
);
create index staking_grants_height on staking_grants (height);                            -- rollback

-- Rewards: what was shared out among the holders of a bond or the stakers of a cycle, and what a staker took.
create table staking_distributions (
  bond int not null,              -- -1 for stakers of STX alone
  height int not null,
  event_index int not null,
  cycle int not null,             -- -1 for bonds
  place smallint not null,
  rewards numeric not null,       -- sats
  shares numeric not null,        -- sats or micro-STX that took part
  primary key (bond, height, place, event_index)
);
create index staking_distributions_height on staking_distributions (height);              -- rollback
create table staking_claims (
  staker int not null,
  bond int not null,              -- -1 for STX alone
  height int not null,
  event_index int not null,
  place smallint not null,
  sats numeric not null,
  primary key (staker, bond, height, place, event_index)
);
create index staking_claims_height on staking_claims (height);                            -- rollback
create index staking_claims_bond on staking_claims (bond) where bond >= 0;                -- what a bond has paid out

-- Standards that a contract's interface fulfils.
create table contract_standards (
  contract int not null,
  height int not null,
  standard smallint not null,     -- number of the SIP: 9, 10 or 13
  primary key (contract, standard)
);
create index contract_standards_height on contract_standards (height);                    -- rollback

-- Notices that the metadata of tokens have changed (SIP-019).
create table token_notifications (
  height int not null,
  event_index int not null,
  contract int not null,          -- the token contract it is about
  place smallint not null,
  class smallint not null,        -- src/chain/tokens/token-notification.ts
  valid boolean not null,         -- it came from who may speak for the contract
  primary key (height, place, event_index)
);
create index token_notifications_contract on token_notifications (contract, height);      -- notices about a contract
