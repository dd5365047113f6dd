-- When STX of the first allocations unlock, from the file of an operator: no event tells of it before it happens.

create table genesis_vesting (
  ordinal int primary key,        -- line of the file
  height int not null,            -- block that unlocks it
  principal int not null,
  amount numeric not null
);
create index genesis_vesting_principal on genesis_vesting (principal, height, ordinal);
