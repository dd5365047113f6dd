-- Which files hold the events that were pruned from the log: a backup is complete only together with them.

create table prune_runs (
  from_id bigint not null,        -- first and last event in the file; some of them may have stayed in the log
  to_id bigint not null,
  file text not null,             -- absolute path on the machine where the command ran
  at timestamptz not null default now()
);
