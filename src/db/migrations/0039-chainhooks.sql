-- Chainhooks: webhooks with the definitions and payloads of Chainhook 1.x and 2.0, which belong to the owners of API keys.

alter table webhooks alter column payload type text using payload::text;   -- version of the body: 1, chainhooks-2 or chainhook-1
alter table webhooks drop constraint webhooks_state_check;
alter table webhooks add constraint webhooks_state_check check (state in ('active', 'paused', 'disabled', 'expired'));
alter table webhooks add column evaluated bigint not null default 0;       -- blocks that were looked through
alter table webhooks add column evaluated_at timestamptz;                   -- when the last of them was
alter table webhooks add column occurrences bigint not null default 0;     -- requests with blocks that arrived
alter table webhooks add column occurred_height int;                       -- newest block of the last of them
alter table webhooks add column occurred_at timestamptz;
alter table webhooks add column end_height int;                            -- expires after this block; null for never
alter table webhooks add column end_occurrences bigint;                    -- expires after so many of them; null for never

-- Blocks that a hook was asked to deliver apart from the sequence, first in, first out.
create table webhook_evaluations (
  id bigint generated always as identity primary key,
  hook int not null references webhooks (id) on delete cascade,
  height int not null
);
create index webhook_evaluations_hook on webhook_evaluations (hook, id);

-- Blocks as a receiver may have them, so that a rollback can name what they held.
create table webhook_blocks (
  hook int not null references webhooks (id) on delete cascade,
  height int not null,
  index_hash bytea not null,
  body text not null,
  primary key (hook, height, index_hash)
);

create table chainhooks (
  hook int primary key references webhooks (id) on delete cascade,
  uuid text not null unique,
  owner text                                    -- name of an API key; null for the operator
);
create index chainhooks_owner on chainhooks (owner, hook);

-- The secret that an owner's receivers are sent, encrypted.
create table chainhook_consumers (
  owner text primary key,
  secret bytea not null,
  secret_key bytea not null
);

alter table api_keys add column hooks boolean not null default false;      -- its owner may have chainhooks
