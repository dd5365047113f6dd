-- Transactions that nodes hold and no canonical block has mined yet. The fold writes them in the order of events, so that a
-- replay of the log gives the same rows; the rules stand in src/ingest/mempool/mempool.ts.

create table mempool (
  fee bigint not null,
  nonce bigint not null,
  sponsor_nonce bigint not null,  -- 0 without a sponsor
  amount bigint not null,         -- STX of a token transfer, else 0
  event_id bigint not null,       -- event it arrived with; 0 when only a block told of it
  received_at int not null,       -- log time of that event
  received_height int not null,   -- tip at that time
  received_tenure int not null,
  dropped_at int not null,        -- 0 while it is not dropped
  dropped_height int not null,
  dropped_tenure int not null,
  sender int not null,
  sponsor int not null,           -- 0 = none
  target int not null,            -- recipient of a transfer, contract called or deployed
  function int not null,
  size int not null,              -- bytes of it
  holders int not null,           -- who holds it: bits of mempool_sources, bit 0 for everybody who is no node
  type smallint not null,         -- payload id
  status smallint not null,       -- 0 pending, 1 dropped, 2 in a microblock that no block has confirmed
  tx_id bytea primary key,
  replaced_by bytea not null,     -- '' = by none
  reason text not null,           -- why it was dropped, in the node's words
  raw bytea not null
) with (fillfactor = 90);
create index mempool_received on mempool (received_at) where status = 0;              -- list, newest first
create index mempool_fee on mempool (fee) where status = 0;                           -- order_by=fee
create index mempool_size on mempool (size) where status = 0;                         -- order_by=size
create index mempool_sender on mempool (sender, nonce) where status = 0;              -- pending of an account, its nonces
create index mempool_sponsor on mempool (sponsor, sponsor_nonce) where status = 0 and sponsor <> 0; -- the same for a sponsor
create index mempool_target on mempool (target) where status = 0 and target <> 0;     -- pending for a recipient or a contract
create index mempool_dropped on mempool (dropped_at) where status = 1;                -- list of dropped ones

-- How a mined transaction had arrived, so that a fork can make it pending again as it was. Kept for 256 blocks.
create table mempool_receipts (
  event_id bigint not null,
  height int not null,            -- block that mined it
  received_at int not null,
  received_height int not null,
  received_tenure int not null,
  holders int not null,
  place smallint not null         -- of the transaction in its block
);
create index mempool_receipts_height on mempool_receipts (height);                    -- rollback, pruning

-- Items of mempool messages that are no transaction we can read. Kept for 256 blocks.
create table mempool_unread (
  event_id bigint not null,
  position int not null,          -- in the message
  height int not null,            -- tip at that time
  reason text not null,
  body text not null,
  primary key (event_id, position)
);

-- The nodes behind the bits of `holders`.
create table mempool_sources (
  bit smallint primary key,
  source text not null unique
);

-- Running figures of the mempool, kept in the transaction that changes it; no row before its first change.
create table mempool_state (
  one boolean primary key default true check (one),
  version bigint not null,        -- one more with every transaction that came, went or changed its status
  digest bigint not null,         -- xor of the first eight bytes of every pending id
  pending int not null,
  dropped int not null,
  types int[] not null,           -- pending ones by payload id
  heard_at int[] not null         -- log time of the last mempool message, by bit of the source
);
