-- Blocks whose index hash does not follow from their block and consensus hash. Generated chains have such; a real one must not.

create table index_hash_mismatches (
  event_id bigint primary key,
  height int not null
);
