-- What burn blocks paid to stackers. A Bitcoin fork deletes from its height upwards; `burn_blocks` itself stands in 0003.

create table burn_rewards (
  height int not null,            -- burn height
  reward_index int not null,      -- as the node listed them
  amount bigint not null,         -- satoshis
  address text not null,
  primary key (height, reward_index)
);
create index burn_rewards_address on burn_rewards (address, height);        -- rewards of an address

create table burn_slots (
  height int not null,
  slot_index int not null,
  address text not null,
  primary key (height, slot_index)
);
create index burn_slots_address on burn_slots (address, height);            -- slots of an address

-- Outputs of block commits that paid to reward addresses.
create table burn_pox_outputs (
  height int not null,
  utxo_index int not null,
  amount bigint not null,         -- satoshis
  tx_id bytea not null,
  address text not null,
  primary key (height, tx_id, utxo_index)
);
create index burn_pox_outputs_address on burn_pox_outputs (address, height); -- outputs to an address

-- Counts and sums that the lists above show; the row of address '' is about everybody.
create table burn_address_totals (
  address text primary key,
  slots int not null,
  pox_outputs int not null,
  reward_amount numeric not null
);
