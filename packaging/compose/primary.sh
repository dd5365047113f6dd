#!/bin/bash
# Lets replicas on the network of this compose file follow the primary.
set -euo pipefail
echo 'host replication all samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
for replica in 1 2; do
  psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --command "select pg_create_physical_replication_slot('replica_$replica')"
done
