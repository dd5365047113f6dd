-- What a node newer than this program brings: which unknown things were seen, and facts of blocks that no other table has.

create table unknown_items (
  kind text not null,
  name text not null,
  events bigint not null,
  first_event bigint not null,
  last_event bigint not null,
  primary key (kind, name)
);
comment on table unknown_items is 'Paths, fields, codes and names that nodes sent and this program does not know, with how many events had them.';

create table block_extras (
  height integer not null,
  name text not null,
  body text not null,
  primary key (height, name)
);
comment on table block_extras is 'Facts of a block that few blocks have: rewarded_addresses and start_cycle_state of its reward set, a signer_signature_hash that is not its hash.';
