-- Webhooks: URLs that are called with what follows a position of the chain, and a log of the calls.

create table webhooks (
  id int generated always as identity primary key,
  name text not null unique,
  url text not null,
  selection json not null,                      -- topics and filters, as the parameters of a stream
  payload int not null,                         -- version of the body
  batch int not null,                           -- most messages of a request
  secret bytea not null,                        -- the secret of signatures, encrypted
  secret_key bytea not null,                    -- which key it is encrypted with
  state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
  reason text,                                  -- why the service has stopped it; null if an operator has
  position text not null,                       -- everything up to here was delivered
  height int not null,                          -- of the position
  attempt_until text,                           -- position of the last message of a request that may have arrived
  attempt_at timestamptz,                       -- when that request was sent first
  undo text,                                    -- like attempt_until, of a request whose blocks a fork has removed since
  failures int not null default 0,              -- attempts that failed since the last success
  failing_since timestamptz,
  due timestamptz not null default now(),       -- no attempt before
  last_error text,
  delivered_at timestamptz,
  deliveries bigint not null default 0,         -- requests that arrived
  messages bigint not null default 0,           -- messages in them
  again_position text,                          -- how far a requested redelivery is; null without one
  again_from int,
  again_to int,
  again_number int not null default 0,          -- tells the redeliveries of a range from each other
  lease text,                                   -- the process that sends
  lease_until timestamptz,
  term bigint not null default 0,               -- grows with each new sender and each change by an operator
  created_at timestamptz not null default now()
);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  hook int not null references webhooks (id) on delete cascade,
  kind text not null check (kind in ('batch', 'redelivery', 'test')),
  message text not null,                        -- the header webhook-id
  attempt int not null,                         -- 1 for the first one of a request
  messages int not null,
  first_height int,                             -- of the blocks in it; null without blocks
  last_height int,
  status int,                                   -- of the response; null without one
  error text,                                   -- null for a success
  duration_ms int not null,
  at timestamptz not null default now()
);
create index webhook_deliveries_hook on webhook_deliveries (hook, id);   -- the newest of a hook, and the old ones to remove
