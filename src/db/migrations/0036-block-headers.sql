-- Headers of the newest Nakamoto blocks, as nodes give them: events lack the version, the burnt satoshis and the state root. Each
-- belongs to the block of its hash on whatever branch that is, so a rollback leaves it; it goes when its height has grown old.
create table block_headers (
  index_hash bytea not null primary key,
  height int not null,
  header bytea not null
);
create index block_headers_height on block_headers (height, index_hash);          -- blocks without a header, and old ones
