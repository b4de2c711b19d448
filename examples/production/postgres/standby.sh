#!/bin/sh
# Copies the primary once, and follows it from then on.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA"
  PGPASSWORD=$(cat /run/secrets/postgres_password) gosu postgres pg_basebackup --pgdata "$PGDATA" --wal-method stream \
    --write-recovery-conf --dbname "host=database-1 user=replicator application_name=standby"
fi
# As a primary it waits for nobody: there is no further standby.
exec docker-entrypoint.sh postgres -c synchronous_standby_names= -c max_connections=200 -c max_locks_per_transaction=256
