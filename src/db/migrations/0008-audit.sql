-- What the continuous audit has looked at and found.

create table audit_position (
  one boolean primary key default true check (one),
  height int not null,            -- blocks up to here were looked at
  index_hash bytea not null,      -- the block there, to notice a fork
  checked bigint not null,        -- blocks looked at in all
  at timestamptz not null default now()
);
insert into audit_position (height, index_hash, checked) values (0, '', 0);

create table audit_findings (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  height int not null,            -- tip when it was found
  check_name text not null,
  subject text not null,
  message text not null,
  reason text,                    -- null: a fault
  unique (check_name, subject)
);
