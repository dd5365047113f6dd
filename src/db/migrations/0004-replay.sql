-- How far each recorded file was replayed; moved in the transaction that appends its events.

create table replay_files (
  fingerprint bytea primary key,  -- SHA-256 over the size and both ends of the file, so that it may be moved
  name text not null,
  size bigint not null,           -- bytes on disk
  line bigint not null,           -- last line whose event is in the log
  line_end bigint not null,       -- where that line ends, in bytes after decompression
  recorded_id bigint,             -- id column of that line
  events bigint not null,         -- events appended so far
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
