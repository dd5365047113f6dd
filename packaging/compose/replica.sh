#!/bin/bash
# Copies the primary into an empty data folder by a free replication slot, then follows it.
set -euo pipefail
data=/var/lib/postgresql/data
if [ ! -s "$data/PG_VERSION" ]; then
  slot=$(psql --host postgres-primary --username cairn --dbname cairn --tuples-only --no-align --command \
    "select slot_name from pg_replication_slots where not active order by slot_name limit 1")
  chown postgres:postgres "$data"
  chmod 700 "$data"
  gosu postgres pg_basebackup --host postgres-primary --username cairn --pgdata "$data" --slot "$slot" --wal-method stream --write-recovery-conf
fi
exec gosu postgres postgres -D "$data" -c hot_standby_feedback=on -c max_standby_streaming_delay=30s
