#!/bin/sh
# Runs once, when the primary's folder is new: a role for the standby, for which commits wait from the next start on.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/postgres_password)" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role replicator replication login password :'password';
alter system set synchronous_standby_names = 'standby';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
